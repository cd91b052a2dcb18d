"""CCCaps (Ren, Lu 2022): the contributions of words to feature capsules are routed to class capsules."""

from collections.abc import Iterator, Sequence
from math import ceil

import torch
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.device import to_float64
from core.edits import COUPLING_EDITS, DropInput, Edit, ReplaceWord, Sharpness
from core.inputs.readers import WordReader
from core.layers import CompositionalEmbedding
from core.models.cccaps import CCCaps, CCCapsConfig
from core.networks.arrays import record_routing, stack_values, to_array
from core.networks.base import Inputs, Network, Rerun, Reruns, Step, UnitRun, Votes
from core.networks.cost import WORDS, Cost, iterations
from core.networks.probe import Probe, batched, kept
from core.networks.reading import read_texts, read_words
from core.networks.summary import Summary, summarize
from core.networks.units import unit_runs_of
from core.networks.words import WordNetwork
from core.traces.cccaps import CCCapsTrace, ClassRouting


class CCCapsNetwork(WordNetwork[CCCaps, CCCapsTrace], record=CCCapsTrace):
    model, config = CCCaps, CCCapsConfig
    edits = (DropInput, ReplaceWord, *COUPLING_EDITS, Sharpness)
    shared_inputs = (0,)  # feature capsules
    capsules_are_classes = True

    def traces(
        self,
        checkpoint: Checkpoint[CCCaps, WordReader],
        texts: Sequence[str],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> list[CCCapsTrace]:
        model, config = checkpoint.model, checkpoint.model.config
        inputs, about = read_texts(checkpoint, texts, edits)
        contributions = model.contributions(**inputs)
        steps = list(model.route(contributions.sum(1), n_iters, edits))
        parts = to_array(contributions.unflatten(-1, (config.n_features, config.d_feature)))
        codes = _codes(model, inputs["words"])
        routings = record_routing(ClassRouting, steps, [config.n_features] * len(about))
        return [
            CCCapsTrace(
                features_to_classes=routed,
                probabilities=routed.activation,
                routing=config.routing,
                embedding=config.embedding,
                parts=parts[b, : len(fields["tokens"])].copy(),  # without padding
                codes=codes[b, : len(fields["tokens"])].copy(),
                **fields,
            )
            for b, (routed, fields) in enumerate(zip(routings, about, strict=True))
        ]

    def summaries(self, checkpoint: Checkpoint[CCCaps, WordReader], texts: list[str]) -> list[Summary]:
        model = checkpoint.model
        inputs, about = read_texts(checkpoint, texts)
        steps = list(model.route(model.contributions(**inputs).sum(1)))
        probabilities, coupling = stack_values([step.activation for step in steps]), to_array(steps[-1].coupling)
        return [
            summarize(p, [c], notices=fields["notices"])
            for p, c, fields in zip(probabilities, coupling, about, strict=True)
        ]

    def reruns(self, checkpoint: Checkpoint[CCCaps, WordReader], text: str, edits: Sequence[Edit]) -> Reruns:
        """The routing, which runs many times over a text that is encoded once."""
        model, c = checkpoint.model, checkpoint.model.config
        inputs, _ = read_words(checkpoint, text, edits)
        encoding = model.contributions(**inputs).sum(1)

        def steps(n: int, edits: Sequence[Edit], n_iters: int | None) -> Iterator[Rerun]:
            for step in model.route(encoding.expand(n, -1), n_iters, edits):
                yield Rerun(to_float64(step.activation), step.coupling)

        return Reruns({0: (c.n_features, c.n_classes)}, c.n_features * c.n_classes * c.d_capsule, steps)

    def is_routed(self, model: CCCaps) -> bool:
        return model.config.routing != "none"

    def steps(self, model: CCCaps, inputs: Inputs, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
        for step in model.route(model.contributions(**inputs).sum(1), n_iters, edits):
            real = torch.ones(step.coupling.shape[:2], dtype=torch.bool, device=step.coupling.device)
            yield Step(step.activation, step.coupling, real, step.activation, step.capsules)

    def cost(self, c: CCCapsConfig) -> Cost:
        t, h, n_codewords = iterations(c), c.d_hidden, ceil(c.n_words ** (1 / c.n_books)) + 1
        codes = c.n_books * n_codewords if c.embedding != "plain" else 1
        # Products per word: the first and the second layer of the GRU, and the word's vector.
        encoded = 6 * h * (c.d_word + h) + 18 * h * h + (codes + c.d_piece) * c.d_word
        cells = t * c.n_features * c.n_classes
        votes = c.n_features * c.n_classes * c.d_capsule
        return Cost(WORDS * encoded + votes * (c.d_feature + 2 * t), WORDS * (codes + 8 * h) + votes + 3 * cells, cells)

    @torch.inference_mode()
    def unit_runs(self, checkpoint: Checkpoint[CCCaps, WordReader], texts: Sequence[str]) -> list[UnitRun]:
        """The feature capsules. They take from a word the length of its contribution."""
        model, config = checkpoint.model, checkpoint.model.config
        inputs, about = read_texts(checkpoint, texts)
        contributions = model.contributions(**inputs)
        encoding = contributions.sum(1)

        def answer(*edits: Edit) -> Tensor:
            *_, last = model.route(encoding, edits=edits)
            return last.activation

        parts = contributions.unflatten(-1, (config.n_features, config.d_feature))  # [b, i, u, h]
        taken, features = parts.norm(dim=-1).transpose(1, 2), parts.sum(1)
        without = torch.stack([answer(DropInput(i)) for i in range(config.n_features)], 1)
        return unit_runs_of(about, taken, features.norm(dim=-1), answer(), without, features)

    def probe(self, checkpoint: Checkpoint[CCCaps, WordReader], words: list[str]) -> Probe:
        """Rank words by how far they move each feature capsule, times the capsule's coupling to the answer."""
        model, config = checkpoint.model, checkpoint.model.config
        contributions = model.contributions(**checkpoint.inputs([words]))[0]  # [n, state]

        def masked(mask: Tensor) -> Tensor:
            # Contributions are for a mean over all words; these weights turn their sum into a mean over the words left.
            shares = mask.to(contributions.dtype) * mask.shape[1] / mask.sum(1, keepdim=True)
            *_, last = model.route(torch.einsum("mn,nd->md", shares, contributions))
            return last.activation

        *_, last = model.route(contributions.sum(0, keepdim=True))
        parts = contributions.unflatten(-1, (config.n_features, config.d_feature))
        along = torch.einsum("nid,id->ni", parts, torch.nn.functional.normalize(parts.sum(0), dim=-1))
        p = last.activation[0]
        rankings = {"contribution": to_array(along @ last.coupling[0, :, p.argmax()])}
        removed = batched(checkpoint, lambda mask: model(**checkpoint.inputs(kept(words, mask))))
        return Probe(words, to_array(p), rankings, batched(checkpoint, masked), removed)

    def votes(self, checkpoint: Checkpoint[CCCaps, WordReader], text: str) -> Votes:
        if not self.is_routed(checkpoint.model):
            return Network.votes(self, checkpoint, text)
        inputs, _ = read_words(checkpoint, text)
        votes = checkpoint.model.votes(checkpoint.model.contributions(**inputs).sum(1))
        features = [f"feature {i}" for i in range(1, votes.shape[1] + 1)]
        return Votes(votes, "feature", features, list(checkpoint.classes))

    def workings(
        self, checkpoint: Checkpoint[CCCaps, WordReader], text: str, edits: Sequence[Edit] = ()
    ) -> dict[str, Tensor]:
        if not self.is_routed(checkpoint.model):
            return {}
        inputs, _ = read_words(checkpoint, text, edits)
        return {"votes": checkpoint.model.votes(checkpoint.model.contributions(**inputs).sum(1))[0]}


def _codes(model: CCCaps, words: Tensor) -> ndarray:
    """Each word's shares of the codewords, [b, n, q, e]: zeros for a word without a code, empty for a plain table."""
    if not isinstance(model.embedding, CompositionalEmbedding):
        return to_array(words.new_zeros(*words.shape, 0, 0))
    known = words < model.config.n_words
    return to_array(model.embedding.shares(words * known) * known[..., None, None])
