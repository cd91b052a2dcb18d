"""Code shared by the networks of two EM routings (Heinsen 2019), which read a text or a pair of pictures."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from core.analysis.credit import end_to_end
from core.checkpoint import Checkpoint
from core.device import to_float64
from core.edits import DropInput, Edit
from core.models.em_smallnorb import EMSmallNORB
from core.models.em_sst import EMSST
from core.models.two_routings import TwoSteps
from core.networks.arrays import record_routing, stack_steps, to_array
from core.networks.base import Rerun, Reruns
from core.networks.cost import Cost
from core.routing import EMRouting
from core.traces.em import EMClasses, EMShares


def two_routings(
    checkpoint: Checkpoint[EMSST | EMSmallNORB, Any], steps: list[TwoSteps], lengths: Sequence[int]
) -> list[dict[str, Any]]:
    """The fields of an ``EMTrace`` that come from the routings, and its probabilities, for each sample of a batch.

    Args:
        lengths: number of real inputs of each sample.
    """
    to_parts, to_classes = [s.to_parts for s in steps], [s.to_classes for s in steps]
    betas = checkpoint.model.to_classes
    effect = np.stack([to_array(betas.beta_use * s.use - betas.beta_ign * s.ignore) for s in to_classes], 1)
    first = record_routing(EMShares, to_parts, lengths)
    second = record_routing(EMClasses, to_classes, [checkpoint.model.config.n_parts] * len(lengths), effect=effect)
    probabilities = to_array(stack_steps(to_classes, "scores").softmax(-1))
    return [
        {
            "probabilities": p.copy(),
            "inputs_to_parts": parts,
            "parts_to_classes": classes,
            "credit": end_to_end(parts.gate[..., None] * parts.coupling, classes.effect),
        }
        for p, parts, classes in zip(probabilities, first, second, strict=True)
    ]


def spread_drops(edits: Sequence[Edit], owners: Int[ndarray, " i"]) -> list[Edit]:
    """Replace each drop of a word or a place by drops of all its inputs to the first routing.

    Args:
        owners: index of the word or place to which each of these inputs belongs.

    Raises:
        OutOfRangeError: there is no such word or place.
    """
    changes: list[Edit] = []
    for edit in edits:
        if isinstance(edit, DropInput) and edit.routing is None:
            edit.check(i=int(owners.max()) + 1)
            changes += [DropInput(i, routing=0) for i in np.flatnonzero(owners == edit.i).tolist()]
        else:
            changes.append(edit)
    return changes


def reruns_of(
    model: EMSST | EMSmallNORB, scores: Tensor, capsules: Tensor, sources: Int[ndarray, " n"], shows_credit: bool
) -> Reruns:
    """Both routings of capsules that are detected once, which can run many times.

    Args:
        sources: index of the word to which each piece belongs, or of each place. Every piece or place has the same
            number of capsules.
        shows_credit: whether the main picture shows the credit of each source.
    """
    c, n_inp = model.config, scores.shape[1]
    owners = np.repeat(sources, n_inp // len(sources))
    source_of = torch.from_numpy(owners).to(scores.device)

    def steps(n: int, edits: Sequence[Edit], n_iters: int | None) -> Iterator[Rerun]:
        copies = scores.expand(n, -1), capsules.expand(n, -1, -1, -1)
        for step in model.route(*copies, n_iters, spread_drops(edits, owners)):
            credit = _credit(model.to_classes, step, source_of) if shows_credit else None
            yield Rerun(to_float64(step.to_classes.scores).softmax(-1), credit)

    return Reruns({0: (n_inp, c.n_parts), 1: (c.n_parts, c.n_classes)}, n_inp * c.n_parts, steps)


def without_parts(
    model: EMSST | EMSmallNORB, scores: Float[Tensor, "b j"], means: Float[Tensor, "b j c h"]
) -> Float[Tensor, "b j k"]:
    """The class probabilities when each part is left out: its score is -inf.

    Args:
        scores, means: parts after the last iteration of the first routing.
    """
    n = scores.shape[1]
    left = scores[:, None].masked_fill(torch.eye(n, dtype=torch.bool, device=scores.device), -torch.inf)
    classes, *_ = model.to_classes(left.flatten(0, 1), means.repeat_interleave(n, 0))
    return classes.softmax(-1).unflatten(0, (-1, n))


def _credit(betas: EMRouting, step: TwoSteps, source_of: Int[Tensor, " i"]) -> Float[Tensor, "n source k"]:
    """The credit of each source for each class, as ``end_to_end`` computes it, for a batch of runs.

    Args:
        betas: second routing.
        step: step of both routings.
        source_of: index of the source of each input.
    """
    use, to_classes = step.to_parts.use, step.to_classes
    effect = betas.beta_use * to_classes.use - betas.beta_ign * to_classes.ignore
    total = use.sum(1, keepdim=True)
    share = torch.where(total > 0, use / total, 1 / use.shape[1])
    credit = share @ effect
    by_source = credit.new_zeros(len(credit), int(source_of.max()) + 1, credit.shape[2])
    return by_source.index_add(1, source_of, credit)


def cost_of_routings(t: int, n_inputs: int, n_parts: int, n_classes: int, d_inp: int, d_capsule: int) -> Cost:
    """The cost of both routings.

    Args:
        d_inp: rows of an input's matrix that a vote multiplies.
        d_capsule: components of a vote.
    """
    votes = (n_inputs * n_parts + n_parts * n_classes) * d_capsule
    couplings = t * (n_inputs * n_parts + n_parts * n_classes)
    # An iteration takes about six products per component of a vote.
    return Cost(votes * (d_inp + 6 * t), votes + 2 * couplings + n_inputs * d_inp, 0)
