"""Networks that have read a sample: what follows can be run on many copies of it at once, each with its own edit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from core.traces.agt import refuse_iterations
from core.traces.base import read_words, retyped
from core.traces.dragg import read_document
from core.traces.em_inputs import read_pieces, spread_drops

if TYPE_CHECKING:
    import torch

    import core.checkpoint
    import core.edits
    import core.models.dragg
    import core.models.em_smallnorb
    import core.models.em_sst


@dataclass(frozen=True)
class Reruns:
    """What follows the reading of a sample.

    Args:
        sizes: of each routing in which single couplings can be cut, its number of inputs and of outputs.
        numbers: in the largest tensor of one copy.
        probabilities: (copies n, edits, iterations or None) -> after each step the class probabilities [n, k], in
            float64, in which one near 1 can still be told from 1.
    """

    sizes: Mapping[int, tuple[int, int]]
    numbers: int
    probabilities: Callable[[int, Sequence["core.edits.Edit"], int | None], Iterator["torch.Tensor"]]


def dragg(checkpoint: "core.checkpoint.Checkpoint", text: str, edits: Sequence["core.edits.Edit"]) -> Reruns:
    """DR-AGG after the votes of words."""
    model = checkpoint.model
    inputs, _ = read_words(checkpoint, text, edits)
    x = model.embed(inputs["words"], inputs["unknown"])
    return _after_votes(model, model.votes(model.encoder, model.vote, x), 0)


def documents(checkpoint: "core.checkpoint.Checkpoint", text: str, edits: Sequence["core.edits.Edit"]) -> Reruns:
    """DR-AGG after the votes of sentences, which edits of the first routing have changed already."""
    from core.models.documents import SENTENCES

    model = checkpoint.model
    inputs, _, _ = read_document(checkpoint, text, edits)
    counts = inputs.pop("counts")
    votes, _ = model.document_votes(model.sentences(**inputs, edits=edits), counts)
    return _after_votes(model, votes, SENTENCES)


def _after_votes(model: "core.models.dragg.DRAgg", votes: "torch.Tensor", routing: int) -> Reruns:
    from core.edits import of_routing

    def probabilities(n: int, edits: Sequence["core.edits.Edit"], n_iters: int | None) -> Iterator["torch.Tensor"]:
        edit = of_routing(edits, routing, default=routing)
        for step in model.routed(votes, None, n_iters, edit):
            yield model.classify(step.capsules).double().softmax(-1)

    _, n_inp, n_out, d_capsule = votes.shape  # which all copies share
    return Reruns({routing: (n_inp, n_out)}, n_out * max(n_inp, d_capsule), probabilities)


def cccaps(checkpoint: "core.checkpoint.Checkpoint", text: str, edits: Sequence["core.edits.Edit"]) -> Reruns:
    """CCCaps after its encoding."""
    model, c = checkpoint.model, checkpoint.model.config
    inputs, _ = read_words(checkpoint, text, edits)
    encoding = model.contributions(**inputs).sum(1)

    def probabilities(n: int, edits: Sequence["core.edits.Edit"], n_iters: int | None) -> Iterator["torch.Tensor"]:
        return (step.activation.double() for step in model.route(encoding.expand(n, -1), n_iters, edits))

    return Reruns({0: (c.n_features, c.n_classes)}, c.n_features * c.n_classes * c.d_capsule, probabilities)


def em_text(checkpoint: "core.checkpoint.Checkpoint", text: str, edits: Sequence["core.edits.Edit"]) -> Reruns:
    """Both EM routings of the capsules detected in a text."""
    reader, model = checkpoint.reader, checkpoint.model
    pieces, _, token_of, _ = read_pieces(reader, retyped(text, edits, lambda text: read_pieces(reader, text)[1]))
    return _after_capsules(model, *model.capsules(**reader.states([pieces])), np.array(token_of))


def em_pictures(
    checkpoint: "core.checkpoint.Checkpoint", images: ndarray, edits: Sequence["core.edits.Edit"]
) -> Reruns:
    """Both EM routings of the capsules detected in a pair of pictures."""
    scores, capsules = checkpoint.model.capsules(**checkpoint.inputs(images[None]))
    places = np.arange(scores.shape[1] // checkpoint.model.config.n_detected)
    return _after_capsules(checkpoint.model, scores, capsules, places)


def _after_capsules(
    model: "core.models.em_sst.EMSST | core.models.em_smallnorb.EMSmallNORB",
    scores: "torch.Tensor",
    capsules: "torch.Tensor",
    seen: Int[ndarray, " n"],
) -> Reruns:
    """What follows the detected capsules.

    Args:
        seen: the word of each piece of a text, or the place of each place, all of which have as many capsules.
    """
    c, n_inp = model.config, scores.shape[1]
    owners = np.repeat(seen, n_inp // len(seen))

    def probabilities(n: int, edits: Sequence["core.edits.Edit"], n_iters: int | None) -> Iterator["torch.Tensor"]:
        copies = scores.expand(n, -1), capsules.expand(n, -1, -1, -1)
        for step in model.route(*copies, n_iters, spread_drops(edits, owners)):
            yield step.to_classes.scores.double().softmax(-1)

    return Reruns({0: (n_inp, c.n_parts), 1: (c.n_parts, c.n_classes)}, n_inp * c.n_parts, probabilities)


def agt(checkpoint: "core.checkpoint.Checkpoint", text: str, edits: Sequence["core.edits.Edit"]) -> Reruns:
    """AGT after its words are read. Its steps are the layers."""
    model = checkpoint.model
    inputs, _ = read_words(checkpoint, text, edits)
    words, unknown = inputs["words"], inputs["unknown"]

    def probabilities(n: int, edits: Sequence["core.edits.Edit"], n_iters: int | None) -> Iterator["torch.Tensor"]:
        refuse_iterations(checkpoint, n_iters)
        layers = model.layers(words.expand(n, -1), unknown=unknown, edits=edits)
        return iter(model.classify(layers.features).double().softmax(-1).unbind(1))

    return Reruns({}, words.shape[1] * model.score.numel(), probabilities)
