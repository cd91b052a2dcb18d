"""How each kind of network ranks the words of a text, and what it answers when words are deleted."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.edits import DropCapsule
from core.evidence.gradients import GRADIENTS, integrated_gradients
from core.evidence.places import probe_pair
from core.evidence.probe import AT_ONCE, Answer, Probe, Sample, batched, typed
from core.layers import DisconnectedRNN
from core.run import explain
from core.traces.base import cut_sentences, cut_words, to_array
from core.traces.em_inputs import read_pieces

MASKS_AT_ONCE = 32  # of those that share windows: they come in the order in which more and more words are deleted


def probe(checkpoint: Checkpoint, sample: Sample, gradients: bool = True) -> Probe:
    """Read a text, or a pair of pictures.

    Args:
        sample: the words of a text; of a document a list of sentences, each a list of words. Or a text as it is typed.
            Or a pair of pictures, uint8 [2, y, x].
        gradients: whether integrated gradients are among the rankings.

    Raises:
        ValueError: the network reads the other one.
    """
    if isinstance(sample, ndarray) != (checkpoint.reader.reads == "pictures"):
        raise ValueError(f"{checkpoint.name} reads {checkpoint.reader.reads}: that is what its evidence is about.")
    if isinstance(sample, str) and checkpoint.kind != "em-sst":
        sample = _words_of(checkpoint, sample)
    with torch.inference_mode():
        read = PROBES[checkpoint.kind](checkpoint, sample)
    if gradients and checkpoint.kind in GRADIENTS:
        read.rankings["integrated gradients"] = integrated_gradients(checkpoint, sample, read.answer)
    return read


def _words_of(checkpoint: Checkpoint, text: str) -> list[Any]:
    if checkpoint.kind == "dragg-documents":
        return [[word.text for word in sentence] for sentence in cut_sentences(text)[0]]
    return [word.text for word in cut_words(text)[0]]


def _of_dragg(checkpoint: Checkpoint, words: list[str]) -> Probe:
    model, inputs = checkpoint.model, checkpoint.inputs([words])
    votes = model.votes(model.encoder, model.vote, model.embed(inputs["words"], inputs["unknown"]))
    return _of_votes(checkpoint, votes, words, _removed(checkpoint, words))


def _of_document(checkpoint: Checkpoint, sentences: list[list[str]]) -> Probe:
    model, inputs = checkpoint.model, checkpoint.inputs([sentences])
    vectors = model.sentences(inputs["words"], inputs["mask"], inputs["unknown"])
    votes, _ = model.document_votes(vectors, inputs["counts"])

    def removed(mask: Tensor) -> Tensor:  # no sentence's vector depends on the other sentences
        left = torch.cat([vectors[row] for row in mask])
        *_, last = model.document_steps(left, mask.sum(1))
        return model.classify(last.capsules).softmax(-1)

    return _of_votes(checkpoint, votes, [" ".join(words) for words in sentences], batched(checkpoint, removed))


def _of_votes(checkpoint: Checkpoint, votes: Tensor, words: list[str], removed: Answer) -> Probe:
    """A routing of votes: a word ranks by its coupling to the winning capsule, and to the deciding one.

    The winning capsule is the one that takes most of the words, or in reversed routing, where all take as much, the
    longest one. The deciding capsule is the one without which the answer loses most.
    """
    model = checkpoint.model

    def masked(mask: Tensor) -> Tensor:
        *_, last = model.routed(votes, mask)
        return model.classify(last.capsules).softmax(-1)

    *_, last = model.routed(votes)
    taken = last.coupling[0].sum(0) if model.config.normalize == "output" else last.activation[0]
    p = model.classify(last.capsules).softmax(-1)[0]
    n_capsules = votes.shape[2]
    dropped = DropCapsule(torch.arange(n_capsules, device=votes.device))
    *_, without = model.routed(votes, edit=dropped)
    deciding = model.classify(without.capsules).softmax(-1)[:, p.argmax()].argmin()
    coupling = to_array(last.coupling[0])
    rankings = {"coupling": coupling[:, taken.argmax()], "deciding coupling": coupling[:, deciding]}
    return Probe(words, to_array(p), rankings, batched(checkpoint, masked), removed)


def _of_cccaps(checkpoint: Checkpoint, words: list[str]) -> Probe:
    """Feature capsules: a word ranks by how far it moves each along its direction, times its coupling to the answer."""
    model, config = checkpoint.model, checkpoint.model.config
    contributions = model.contributions(**checkpoint.inputs([words]))[0]  # [n, state]

    def masked(mask: Tensor) -> Tensor:
        shares = mask.to(contributions.dtype) * mask.shape[1] / mask.sum(1, keepdim=True)
        *_, last = model.route(torch.einsum("mn,nd->md", shares, contributions))
        return last.activation

    *_, last = model.route(contributions.sum(0, keepdim=True))
    parts = contributions.unflatten(-1, (config.n_features, config.d_feature))
    along = torch.einsum("nid,id->ni", parts, torch.nn.functional.normalize(parts.sum(0), dim=-1))
    p = last.activation[0]
    rankings = {"contribution": to_array(along @ last.coupling[0, :, p.argmax()])}
    removed = batched(checkpoint, lambda mask: model(**checkpoint.inputs(_kept(words, mask))))
    return Probe(words, to_array(p), rankings, batched(checkpoint, masked), removed)


def _of_em(checkpoint: Checkpoint, words: list[str] | str) -> Probe:
    """Two EM routings: a word ranks by its credit, and by the data that the parts use of it and the class of them."""
    text, model, reader = typed(words), checkpoint.model, checkpoint.reader
    pieces, tokens, token_of, _ = read_pieces(reader, text)
    _, capsules = model.capsules(**reader.states([pieces]))
    parts, word_of = [token.text for token in tokens], torch.tensor(token_of, device=checkpoint.device)
    by_piece = capsules[0].unflatten(0, (-1, model.config.n_layers))

    def masked(mask: Tensor) -> Tensor:
        of_pieces = mask[:, word_of]
        n_left = max(1, int(of_pieces.sum(1).max()))
        left = of_pieces.byte().argsort(dim=1, descending=True, stable=True)[:, :n_left]  # masked ones add nothing
        scores = of_pieces.gather(1, left).to(capsules.dtype).repeat_interleave(model.config.n_layers, 1).logit()
        return _last_scores(model.route(scores, by_piece[left].flatten(1, 2))).softmax(-1)

    def removed(mask: Tensor) -> Tensor:
        return model(**reader.read(_kept(parts, mask))).softmax(-1)

    trace = explain(checkpoint, text)
    first, second = trace.inputs_to_parts, trace.parts_to_classes
    p = trace.class_probabilities
    k = p.argmax()
    use = first.gate[-1, :, None] * first.coupling[-1] @ (second.gate[-1, :, None] * second.coupling[-1])[:, k]
    rankings = {"credit": trace.credit_of_words[-1][:, k], "D_use": trace.by_word(use[None]).sum(2)[0]}
    few = {"at_once": 1024, "least": 1}  # its tensors are large, and a processor's cache holds few of them
    return Probe(parts, p, rankings, batched(checkpoint, masked, **few), batched(checkpoint, removed, **few))


def _last_scores(steps: Any) -> Tensor:
    *_, last = steps
    return last.to_classes.scores


def _of_agt(checkpoint: Checkpoint, words: list[str]) -> Probe:
    """Attention: a word ranks by its mean over the layers.

    No word is read around another, so to mask a word is to remove it.
    """
    model, inputs = checkpoint.model, checkpoint.inputs([words])

    def run(mask: Tensor) -> Any:
        return model.layers(inputs["words"], mask, inputs["unknown"])

    def masked(mask: Tensor) -> Tensor:
        return model.classify(run(mask).features[:, -1]).softmax(-1)

    complete = run(torch.ones(1, len(words), dtype=torch.bool, device=checkpoint.device))
    p = to_array(model.classify(complete.features[:, -1]).softmax(-1)[0])
    answer = batched(checkpoint, masked)
    return Probe(words, p, {"attention": to_array(complete.attention[0].mean(0))}, answer, answer)


def _of_drnn(checkpoint: Checkpoint, words: list[str]) -> Probe:
    """A disconnected network: a word ranks by the evidence of its position with the window of training."""
    model, inputs = checkpoint.model, checkpoint.inputs([words])
    x = model.embed(inputs["words"], inputs["unknown"])

    def masked(mask: Tensor) -> Tensor:
        states = model.states(x * mask[..., None])
        return model.after(model.pool(model.features(states, mask), mask)).softmax(-1)

    real = torch.ones(1, len(words), dtype=torch.bool, device=checkpoint.device)
    evidence = model.evidence(model.contributions(model.features(model.states(x), real), real))
    p = to_array(masked(real)[0])
    rankings = {"evidence": to_array(evidence[0])[:, p.argmax()]}
    if not isinstance(model.encoder, DisconnectedRNN):
        return Probe(words, p, rankings, batched(checkpoint, masked), _removed(checkpoint, words))
    return Probe(words, p, rankings, *(_by_windows(checkpoint, x[0], closed_up) for closed_up in (False, True)))


def _by_windows(checkpoint: Checkpoint, x: Tensor, closed_up: bool) -> Answer:
    """A disconnected network's answers, from each window's state once: most masks share most of their windows.

    Args:
        x: word vectors [n, d].
        closed_up: whether the words that are left follow each other; else a deleted word is a zero vector.
    """
    model = checkpoint.model
    padded = torch.cat([x, x.new_zeros(1, x.shape[1])])  # its last row is the zero vector

    def run(masks: Bool[ndarray, "m n"]) -> Iterator[tuple[ndarray, ndarray]]:
        for start in range(0, len(masks), MASKS_AT_ONCE):
            rows = np.arange(start, min(start + MASKS_AT_ONCE, len(masks)))
            with torch.inference_mode():
                probabilities = answer(masks[rows])
            yield rows, probabilities

    def answer(masks: Bool[ndarray, "m n"]) -> Float[ndarray, "m k"]:
        windows = np.concatenate([windows_of(mask, model.config.window, closed_up) for mask in masks])
        distinct, place = np.unique(windows, axis=0, return_inverse=True)
        states = [
            model.encoder.of_windows(padded, part.to(checkpoint.device))
            for part in torch.from_numpy(distinct).split(AT_ONCE)
        ]
        features = model.before(model.norm(torch.cat(states)))
        of_mask = torch.from_numpy(place.ravel()).to(checkpoint.device).split(masks.sum(1).tolist())
        pooled = [
            model.pool(features[None, k], torch.ones(1, len(k), dtype=torch.bool, device=k.device)) for k in of_mask
        ]
        return to_array(model.after(torch.cat(pooled)).softmax(-1))

    return Answer(run)


def windows_of(mask: Bool[ndarray, " n"], window: int, closed_up: bool) -> Int[ndarray, "left window"]:
    """The window of words that ends at each word that is left; n stands for a zero vector.

    Args:
        closed_up: as in ``_by_windows``.
    """
    n = len(mask)
    words = np.flatnonzero(mask) if closed_up else np.where(mask, np.arange(n), n)
    padded = np.concatenate([np.full(window - 1, n), words])
    windows = np.lib.stride_tricks.sliding_window_view(padded, window)
    return windows if closed_up else windows[mask]


def _removed(checkpoint: Checkpoint, words: list[str]) -> Answer:
    return batched(checkpoint, lambda mask: checkpoint.model(**checkpoint.inputs(_kept(words, mask))).softmax(-1))


def _kept(words: list[Any], mask: Tensor) -> list[list[Any]]:
    return [[word for word, is_left in zip(words, row, strict=True) if is_left] for row in mask.tolist()]


PROBES: dict[str, Callable[[Checkpoint, Any], Probe]] = {
    "dragg": _of_dragg,
    "dragg-documents": _of_document,
    "cccaps": _of_cccaps,
    "em-sst": _of_em,
    "agt": _of_agt,
    "drnn": _of_drnn,
    "em-smallnorb": probe_pair,
}
