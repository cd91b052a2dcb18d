"""How a run of each kind of network becomes a trace."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import torch
from numpy import ndarray

from core.analysis.credit import end_to_end
from core.checkpoint import Checkpoint
from core.inputs.readers import join
from core.inputs.text import Word, as_read, normalize, sentences, tokenize
from core.models import CCCaps, DocumentDRAgg
from core.models.em_smallnorb import FIELD, FIRST, STEP, grid
from core.models.em_sst import TwoSteps
from core.models.two_routings import TwoSteps
from core.trace import EM, FIELDS, Trace

LONGEST_TEXT = 400  # words that a run reads; SST's longest sentence has 56
LONGEST_DOCUMENT, MOST_SENTENCES = 2000, 200  # words, sentences of a text that is read sentence by sentence
LARGEST_IMAGE = 192  # pixels a side; smallNORB's have 96
MOST_ITERATIONS = 50
LEFT_OUT_AT_ONCE = 16  # sentences, each a copy of all votes
MOST_WINDOWS = 40


def explain(checkpoint: Checkpoint, text_or_images: str | ndarray, n_iters: int | None = None) -> Trace:
    """Run a model on a text, or on a pair of pictures, and keep every routing iteration.

    Args:
        checkpoint: from ``core.zoo.load``.
        text_or_images: any text, whose HTML line breaks are such; words over ``LONGEST_TEXT``, of a document over
            ``LONGEST_DOCUMENT``, are cut, and the trace's notices say so. For a network that reads pictures, a pair in
            grey, left and right, uint8 [2, y, x].
        n_iters: iterations, the model's own count unless told. A network without routing has none to tell.

    Raises:
        ValueError: the text holds no word, the pair has another shape, the network reads the other of the two, or
            n_iters is not between 1 and ``MOST_ITERATIONS``, or is given where there is no routing.
    """
    if n_iters is not None and not 1 <= n_iters <= MOST_ITERATIONS:
        raise ValueError(f"The number of iterations is {n_iters}, wanted 1 to {MOST_ITERATIONS}.")
    checkpoint.check(text_or_images)
    with torch.inference_mode():
        return TRACERS[checkpoint.kind](checkpoint, text_or_images, n_iters)


def _dragg(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    model = checkpoint.model
    encoded, known, about = _read_words(checkpoint, text)
    steps = list(model.steps(**encoded, n_iters=n_iters))
    logits = model.classify(torch.cat([s.capsules for s in steps]))
    arrays = {name: _stacked(steps, name) for name in FIELDS["dragg"]["layers"][0]}
    return replace(_trace(checkpoint, logits, [arrays], {"normalize": model.config.normalize} | known), **about)


def _documents(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    """Sentences go on to the document as routing leaves them after the model's own count of iterations."""
    model, (cut, notices) = checkpoint.model, read_sentences(text)
    own = model.config.n_iters
    n_iters = n_iters or own
    words = [word for sentence in cut for word in sentence]
    normalized = [[normalize(word.text) for word in sentence] for sentence in cut]
    encoded = checkpoint.encode([normalized])
    counts = encoded.pop("counts")
    groups = list(model.sentence_steps(**encoded, n_iters=max(n_iters, own)))
    back = torch.cat([rows for rows, _ in groups]).argsort()
    vectors = torch.cat([steps[own - 1].capsules.flatten(1) for _, steps in groups])[back]
    votes, _ = model.document_votes(vectors, counts)
    steps = list(model.routed(votes, n_iters=n_iters))

    def of_words(name: str) -> ndarray:
        """[t, i, j], the sentences one after the other again."""
        rows = [torch.stack([getattr(s, name) for s in steps[:n_iters]], 1) for _, steps in groups]
        each = [row for group in rows for row in group]
        return _array(torch.cat([each[k][:, : len(cut[s])] for s, k in enumerate(back.tolist())], 1))

    lengths = torch.cat([torch.stack([s.activation for s in steps[:n_iters]], 1) for _, steps in groups])[back]
    arrays = {name: of_words(name) for name in ("coupling", "logits", "agreement")}
    arrays["activation"] = _array(lengths.transpose(0, 1))
    above = {name: _stacked(steps, name) for name in FIELDS["dragg-documents"]["layers"][1]}
    extra = {
        "normalize": model.config.normalize,
        "known": [word in checkpoint.reader.vocabulary for sentence in normalized for word in sentence],
        "sentence_of": [s for s, sentence in enumerate(cut) for _ in sentence],
        "effect": _without_each(model, votes).tolist(),
    }
    logits = torch.cat([model.classify(s.capsules) for s in steps])
    return replace(_trace(checkpoint, logits, [arrays, above], extra), **_typed(words), notices=notices)


def _without_each(model: DocumentDRAgg, votes: torch.Tensor) -> torch.Tensor:
    """[s, k]: by how much the log-odds of each class fall when a sentence's vote is left out of the routing, of the
    model's own count of iterations; of an only sentence, which leaves nothing, 0.
    """
    n, n_classes = votes.shape[1], model.config.n_classes
    if n == 1:
        return votes.new_zeros(1, n_classes)
    own = torch.eye(n_classes, dtype=torch.bool, device=votes.device)

    def log_odds(votes: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        *_, last = model.routed(votes, mask)
        logits = model.classify(last.capsules)
        others = logits[:, None].masked_fill(own, -torch.inf).logsumexp(-1)
        return logits - others  # not by way of probabilities, which round to 1

    all_but_one = ~torch.eye(n, dtype=torch.bool, device=votes.device)
    parts = [log_odds(votes.expand(len(mask), -1, -1, -1), mask) for mask in all_but_one.split(LEFT_OUT_AT_ONCE)]
    return log_odds(votes) - torch.cat(parts)


def _cccaps(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    model, config = checkpoint.model, checkpoint.model.config
    encoded, known, about = _read_words(checkpoint, text)
    parts = model.parts(**encoded)
    steps = list(model.route(parts.sum(1), n_iters))
    arrays = {name: _stacked(steps, name) for name in FIELDS["cccaps"]["layers"][0]}
    extra = {"routing": config.routing, "embedding": config.embedding, "codes": _codes(model, encoded["words"][0])}
    extra["parts"] = parts[0].unflatten(-1, (config.n_features, config.d_feature)).tolist()
    trace = _trace(checkpoint, torch.zeros(1, config.n_classes), [arrays], extra | known)
    return replace(trace, probabilities=arrays["activation"], **about)


def _codes(model: CCCaps, words: torch.Tensor) -> list:
    """Shares of each codeword of each book for each word; of a word without a code, and in a plain table, none."""
    if model.config.embedding == "plain":
        return [[] for _ in words]
    own = words < model.config.n_words
    return (model.embedding.shares(words * own) * own[:, None, None]).tolist()


def _agt(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    if n_iters is not None:
        raise ValueError(f"{checkpoint.name} has layers, not iterations: their number is fixed.")
    encoded, known, about = _read_words(checkpoint, text)
    layers = checkpoint.model.layers(**encoded)
    logits = checkpoint.model.classify(layers.features[0])
    arrays = {name: _array(values[0]) for name, values in layers._asdict().items()}
    return replace(_trace(checkpoint, logits, [], arrays | known), **about)


def _drnn(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    if n_iters is not None:
        raise ValueError(f"{checkpoint.name} has windows, not iterations: every one is run.")
    encoded, known, about = _read_words(checkpoint, text)
    config = checkpoint.model.config
    windows = checkpoint.model.windows(**encoded, max_window=max(MOST_WINDOWS, config.window))
    most, winner = windows.parts[0].max(1)
    wins = torch.zeros_like(windows.parts[0][..., 0]).scatter_add(1, winner, (most > 0).to(most.dtype))
    extra = {"window": config.window, "unit": config.unit, "pooling": config.pooling, "components": config.d_mlp}
    extra |= {"wins": _array(wins), "evidence": _array(windows.evidence[0])}
    return replace(_trace(checkpoint, windows.logits[0], [], extra | known), **about)


def _em_sst(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    reader, model = checkpoint.reader, checkpoint.model
    words, notices = read(text)
    (pieces,) = reader.backbone.cut([as_read(text)[: words[-1].end]])
    tokens, token_of = join(text, words, pieces.spans)
    if not tokens:
        raise ValueError("There is nothing in this text that the transformer reads. Type a sentence.")
    extra = {
        "backbone": reader.name,
        "n_layers": model.config.n_layers,
        "pieces": [text[start:end] for start, end in pieces.spans],
        "token_of": token_of,
    }
    trace = _routed_twice(checkpoint, list(model.steps(**reader.states([pieces]), n_iters=n_iters)), extra)
    end = pieces.spans[-1][1]
    if len(pieces.ids) >= reader.backbone.longest and end < words[-1].end:  # the narrower limit is the one that counts
        n_read = sum(word.start < end for word in words)
        notices = [f"Only the first {n_read} words were read: the transformer reads no further."]
    return replace(trace, **_typed(tokens), notices=notices)


def _em_smallnorb(checkpoint: Checkpoint, images: ndarray, n_iters: int | None) -> Trace:
    if images.ndim != 3 or max(images.shape) > LARGEST_IMAGE:
        wanted = f"one pair [2, y, x], y and x up to {LARGEST_IMAGE}"
        raise ValueError(f"images has shape {list(images.shape)}, wanted {wanted}")
    steps = list(checkpoint.model.steps(**checkpoint.encode(images[None]), n_iters=n_iters))
    where = {"grid": list(grid(*images.shape[1:])), "centres": {"first": FIRST, "step": STEP, "field": FIELD}}
    return _routed_twice(checkpoint, steps, where)


TRACERS = {
    "dragg": _dragg,
    "dragg-documents": _documents,
    "cccaps": _cccaps,
    "em-sst": _em_sst,
    "em-smallnorb": _em_smallnorb,
    "agt": _agt,
    "drnn": _drnn,
}  # by kind of network


def _routed_twice(checkpoint: Checkpoint, steps: list[TwoSteps], extra: dict[str, Any]) -> Trace:
    """The trace of a network of two EM routings, with the credit of the inputs of the first for the classes."""
    parts, classes = [s.parts for s in steps], [s.classes for s in steps]
    layers = [{name: _stacked(part, name) for name in EM} for part in (parts, classes)]
    second = checkpoint.model.to_classes
    effect = [
        second.beta_use * s.use - second.beta_ign * s.ignore for s in classes
    ]  # bang per bit (eq. 8), input by input
    layers[1]["effect"] = _array(torch.cat(effect))
    credit = end_to_end(layers[0]["gate"][..., None] * layers[0]["coupling"], layers[1]["effect"])
    return _trace(checkpoint, torch.cat([s.scores for s in classes]), layers, extra | {"credit": credit})


def _trace(checkpoint: Checkpoint, logits: torch.Tensor, layers: list[dict], extra: dict[str, Any]) -> Trace:
    return Trace(
        model=checkpoint.name,
        task=checkpoint.task,
        device=str(checkpoint.device),
        weights=checkpoint.sha256,
        tokens=[],
        spans=[],
        classes=list(checkpoint.classes),
        probabilities=_array(logits.softmax(-1)),
        steps=layers[0] if layers else {},
        layers=layers,
        extra=extra,
    )


def _read_words(checkpoint: Checkpoint, text: str) -> tuple[dict[str, Any], dict[str, list], dict[str, list]]:
    """What a network over word vectors takes, which words have one of their own, and what the trace says of them."""
    words, notices = read(text)
    normalized = [normalize(w.text) for w in words]
    known = {"known": [word in checkpoint.reader.vocabulary for word in normalized]}
    return checkpoint.encode([normalized]), known, _typed(words) | {"notices": notices}


def _typed(tokens: list[Word]) -> dict[str, list]:
    return {"tokens": [w.text for w in tokens], "spans": [(w.start, w.end) for w in tokens]}


def read(text: str) -> tuple[list[Word], list[str]]:
    """The words of a text that a model reads, line breaks of HTML left out, and a notice where it does not read all."""
    return _at_most(LONGEST_TEXT, tokenize(as_read(text)))


def read_sentences(text: str) -> tuple[list[list[Word]], list[str]]:
    """The words of each sentence that a model reads, and a notice where it does not read all of them."""
    cut, told = _at_most(MOST_SENTENCES, sentences(text), "sentences")
    numbered = ((s, word) for s, sentence in enumerate(cut) for word in sentence)
    kept, notices = _at_most(LONGEST_DOCUMENT, numbered)
    return [[word for _, word in sentence] for _, sentence in groupby(kept, key=itemgetter(0))], notices or told


def _at_most(n: int, found: Iterator[Any], what: str = "words") -> tuple[list[Any], list[str]]:
    kept = list(islice(found, n + 1))
    if not kept:
        raise ValueError("There is no word in this text. Type a sentence.")
    if len(kept) > n:
        return kept[:n], [f"Only the first {n:,} {what} were read: a run takes no more."]
    return kept, []


def _stacked(steps: list, name: str) -> ndarray:
    """A quantity of every step of one sample; a capsule's components are one axis."""
    array = _array(torch.cat([getattr(step, name) for step in steps]))
    return array.reshape(*array.shape[:2], -1) if array.ndim == 4 else array


def _array(tensor: torch.Tensor) -> ndarray:
    return tensor.float().cpu().numpy()
