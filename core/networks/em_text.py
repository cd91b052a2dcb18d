"""Two EM routings of a text (Heinsen 2019): hidden states of a transformer to parts, and parts to classes."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.edits import COUPLING_EDITS, DropInput, Edit, ReplaceWord
from core.inputs.readers import TransformerReader
from core.inputs.text import Word, align, replace_breaks
from core.inputs.transformers import Pieces
from core.models.em_sst import EMSST, EMSSTConfig
from core.networks.arrays import stack_values, to_array
from core.networks.base import Differentiable, Inputs, Network, Reruns, Step, UnitRun, Votes
from core.networks.cost import WORDS, Cost, iterations
from core.networks.em import cost_of_routings, reruns_of, spread_drops, two_routings, without_parts
from core.networks.probe import Probe, batched, kept, typed
from core.networks.reading import cut_words, replace_words, run_fields, token_fields
from core.networks.summary import Summary, summarize
from core.networks.units import unit_runs_of
from core.routing.em import em_votes
from core.traces.em import EMTextTrace


class EMTextNetwork(Network[EMSST, TransformerReader, EMTextTrace], record=EMTextTrace):
    model, config, reader = EMSST, EMSSTConfig, TransformerReader
    edits = (DropInput, ReplaceWord, *COUPLING_EDITS)
    n_routings = 2
    shared_inputs = (1,)  # parts

    def traces(
        self,
        checkpoint: Checkpoint[EMSST, TransformerReader],
        texts: Sequence[str],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> list[EMTextTrace]:
        reader, model = checkpoint.reader, checkpoint.model
        texts = [_replace_tokens(reader, text, edits) for text in texts]
        read = [read_pieces(reader, text) for text in texts]
        # Edits that drop words come with a single text, so the first one has them.
        changes = spread_drops(edits, np.repeat(read[0][2], model.config.n_layers))
        steps = list(model.steps(**reader.states([pieces for pieces, *_ in read]), n_iters=n_iters, edits=changes))
        routed = two_routings(checkpoint, steps, [len(pieces) * model.config.n_layers for pieces, *_ in read])
        return [
            EMTextTrace(
                **run_fields(checkpoint),
                **token_fields(tokens),
                **fields,
                notices=notices,
                backbone=reader.title,
                n_layers=model.config.n_layers,
                layers=list(reader.layers or ()),
                pieces=[text[start:end] for start, end in pieces.spans],
                token_of=np.array(token_of),
            )
            for text, (pieces, tokens, token_of, notices), fields in zip(texts, read, routed, strict=True)
        ]

    def words(self, checkpoint: Checkpoint[EMSST, TransformerReader], text: str) -> list[list[Word]]:
        """The tokens of a text as one sentence. Errors as in ``read_pieces``."""
        return [read_pieces(checkpoint.reader, text)[1]]

    def length(self, checkpoint: Checkpoint[EMSST, TransformerReader], text: str) -> int:
        return len(read_pieces(checkpoint.reader, text)[0].ids)

    def summaries(self, checkpoint: Checkpoint[EMSST, TransformerReader], texts: list[str]) -> list[Summary]:
        model = checkpoint.model
        read = [read_pieces(checkpoint.reader, text) for text in texts]
        steps = list(model.steps(**checkpoint.reader.states([pieces for pieces, *_ in read])))
        probabilities = stack_values([step.to_classes.scores.softmax(-1) for step in steps])
        coupling = to_array(steps[-1].to_parts.coupling)
        return [
            summarize(p, [c[: len(pieces) * model.config.n_layers]], notices=notices)
            for p, c, (pieces, _, _, notices) in zip(probabilities, coupling, read, strict=True)
        ]

    def reruns(self, checkpoint: Checkpoint[EMSST, TransformerReader], text: str, edits: Sequence[Edit]) -> Reruns:
        """Both routings of the capsules detected in a text."""
        reader, model = checkpoint.reader, checkpoint.model
        pieces, _, token_of, _ = read_pieces(reader, _replace_tokens(reader, text, edits))
        return reruns_of(model, *model.capsules(**reader.states([pieces])), np.array(token_of), shows_credit=True)

    def is_routed(self, model: EMSST) -> bool:
        return True

    def steps(self, model: EMSST, inputs: Inputs, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
        real = inputs["mask"].bool().repeat_interleave(model.config.n_layers, 1)
        for step in model.steps(**inputs, n_iters=n_iters, edits=edits):
            first = step.to_parts
            yield Step(step.to_classes.scores, first.coupling, real, first.activation, first.means.flatten(2))

    def typed_parts(self, checkpoint: Checkpoint[EMSST, TransformerReader], text: str) -> str:
        return text

    def cost(self, c: EMSSTConfig) -> Cost:
        t, n_inputs = iterations(c), WORDS * c.n_layers
        routed = cost_of_routings(t, n_inputs, c.n_parts, c.n_classes, c.d_detect, c.d_part)
        products = routed.products + n_inputs * c.d_hidden * c.d_detect
        return Cost(products, routed.numbers + n_inputs * c.d_hidden, t * WORDS * max(c.n_layers, c.n_classes))

    @torch.inference_mode()
    def unit_runs(self, checkpoint: Checkpoint[EMSST, TransformerReader], texts: Sequence[str]) -> list[UnitRun]:
        """The parts. They take from a word the D_use of its hidden states."""
        model, read = checkpoint.model, [read_pieces(checkpoint.reader, text) for text in texts]
        inputs = checkpoint.reader.states([pieces for pieces, *_ in read])
        *_, first = model.to_parts.steps(*model.capsules(**inputs))
        classes, *_ = model.to_classes(first.scores, first.means)
        by_piece = first.use.unflatten(1, (-1, model.config.n_layers)).sum(2)
        taken = by_piece.new_zeros(by_piece.shape)  # a text has at most as many words as pieces
        for row, source, (_, _, token_of, _) in zip(taken, by_piece, read, strict=True):
            row.index_add_(0, torch.tensor(token_of, device=row.device), source[: len(token_of)])
        without = without_parts(model, first.scores, first.means)
        numbers = taken.transpose(1, 2), first.activation, classes.softmax(-1), without, first.means.flatten(2)
        return unit_runs_of([token_fields(tokens) for _, tokens, *_ in read], *numbers)

    def probe(self, checkpoint: Checkpoint[EMSST, TransformerReader], words: list[str] | str) -> Probe:
        """Rank words by their credit, and by the share of their data that reaches the class through parts (D_use)."""
        text, model, reader = typed(words), checkpoint.model, checkpoint.reader
        pieces, tokens, token_of, _ = read_pieces(reader, text)
        _, capsules = model.capsules(**reader.states([pieces]))
        names, word_of = [token.text for token in tokens], torch.tensor(token_of, device=checkpoint.device)
        by_piece = capsules[0].unflatten(0, (-1, model.config.n_layers))

        def masked(mask: Tensor) -> Tensor:
            piece_mask = mask[:, word_of]
            n_left = max(1, int(piece_mask.sum(1).max()))
            left = piece_mask.byte().argsort(dim=1, descending=True, stable=True)[:, :n_left]  # masked ones add nothing
            scores = piece_mask.gather(1, left).to(capsules.dtype).repeat_interleave(model.config.n_layers, 1).logit()
            return _last_scores(model.route(scores, by_piece[left].flatten(1, 2))).softmax(-1)

        def removed(mask: Tensor) -> Tensor:
            return model(**reader.read(kept(names, mask))).softmax(-1)

        trace = self.trace(checkpoint, text)
        first, second = trace.inputs_to_parts, trace.parts_to_classes
        p = trace.class_probabilities
        k = p.argmax()
        use = first.gate[-1, :, None] * first.coupling[-1] @ (second.gate[-1, :, None] * second.coupling[-1])[:, k]
        rankings = {"credit": trace.credit_of_words[-1][:, k], "D_use": trace.by_word(use[None]).sum(2)[0]}
        few = {"at_once": 1024, "least": 1}  # small batches, because larger tensors exceed a processor's cache
        return Probe(names, p, rankings, batched(checkpoint, masked, **few), batched(checkpoint, removed, **few))

    def differentiable(
        self, checkpoint: Checkpoint[EMSST, TransformerReader], words: list[str] | str
    ) -> Differentiable:
        """The scores as a function of the transformer's hidden states, summed by word."""
        pieces, tokens, token_of, _ = read_pieces(checkpoint.reader, typed(words))
        states = checkpoint.reader.states([pieces])["hidden"]

        def by_word(attributed: ndarray) -> ndarray:
            return np.bincount(token_of, attributed.sum((1, 2)), minlength=len(tokens))

        return Differentiable(states.clone(), checkpoint.model, by_word)

    def votes(self, checkpoint: Checkpoint[EMSST, TransformerReader], text: str) -> Votes:
        model = checkpoint.model
        pieces, *_ = read_pieces(checkpoint.reader, text)
        scores, means, _ = model.to_parts(*model.capsules(**checkpoint.reader.states([pieces])))
        votes = em_votes(scores, means, model.to_classes.W, model.to_classes.B).flatten(3)
        return Votes(votes, "part", [f"part {i}" for i in range(1, votes.shape[1] + 1)], list(checkpoint.classes))

    def workings(
        self, checkpoint: Checkpoint[EMSST, TransformerReader], text: str, edits: Sequence[Edit] = ()
    ) -> dict[str, Tensor]:
        """The votes of the first routing, and the benefit and cost per unit of data in the second."""
        model, reader = checkpoint.model, checkpoint.reader
        pieces, *_ = read_pieces(reader, _replace_tokens(reader, text, edits))
        scores, capsules = model.capsules(**reader.states([pieces]))
        votes = em_votes(scores, capsules, model.to_parts.W, model.to_parts.B).flatten(3)[0]
        return {"votes": votes, "beta_use": model.to_classes.beta_use, "beta_ign": model.to_classes.beta_ign}


def _replace_tokens(reader: TransformerReader, text: str, edits: Sequence[Edit]) -> str:
    """Apply the edits that replace words."""
    return replace_words(text, edits, lambda text: read_pieces(reader, text)[1])


def _last_scores(steps: Any) -> Tensor:
    *_, last = steps
    return last.to_classes.scores


def read_pieces(reader: TransformerReader, text: str) -> tuple[Pieces, list[Word], list[int], list[str]]:
    """The pieces of a text, its tokens, the token of each piece, and a notice if the text was cut."""
    words, notices = cut_words(text)
    (pieces,) = reader.backbone.cut([replace_breaks(text)[: words[-1].end]])
    tokens, token_of = align(text, words, pieces.spans)
    if not tokens:
        raise ValueError("There is nothing in this text that the transformer reads. Type a sentence.")
    end = pieces.spans[-1][1]
    if len(pieces.ids) >= reader.backbone.max_pieces and end < words[-1].end:  # the transformer's limit, not ours
        n_read = sum(word.start < end for word in words)
        notices = [f"Only the first {n_read} words were read: the transformer reads no further."]
    return pieces, tokens, token_of, notices
