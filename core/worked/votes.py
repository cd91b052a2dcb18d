"""One iteration of a routing of votes, without a network, worked out for one input and one output."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.worked.dynamic import added, agreed, lengths, shared, start_at_zero
from core.worked.em import responsibility
from core.worked.step import WorkedStep, bracketed, number

MOST_COMPONENTS = 4  # of a vote that is written out


def work_votes(
    name: str,
    steps: Sequence[Any],
    votes: Float[ndarray, "i j h"],
    cell: tuple[int, int],
    unit: str = "part",
    output: str = "whole",
    sharpness: float = 1.0,
    betas: tuple[float, float] = (1.0, 0.5),
) -> list[WorkedStep]:
    """The steps of the last of these iterations: the vote, the share, and how the whole moves.

    Args:
        name: "standard", "reversed", "k-means" or "EM".
        steps: steps of the routing for one sample, up to the iteration that is worked out.
        votes: u_ij.
        cell: input and output, from 0.
        unit, output: nouns for an input and an output.
        sharpness: K of k-means routing.
        betas: EM's benefit per unit used, and its cost per unit ignored.

    Returns:
        The steps in their order; none for a routing that has no formula here.
    """
    if name == "EM":
        own = _em_steps(steps, votes, cell, unit, output, betas)
    elif name == "k-means":
        own = _kmeans_steps(steps, votes, cell, unit, output, sharpness)
    elif name in ("standard", "reversed"):
        own = _dynamic_steps(steps, votes, cell, unit, output, "output" if name == "standard" else "input")
    else:
        return []
    return [replace(step, path="") for step in (_vote(votes, cell, unit, output), *own)]


def _vote(votes: ndarray, cell: tuple[int, int], unit: str, output: str) -> WorkedStep:
    """The vote, written out if it is short."""
    vote = votes[cell]
    written = rf"\left|({', '.join(map(number, vote))})\right|" if len(vote) <= MOST_COMPONENTS else ""
    says = f"The vote of this {unit} for this {output}. It stays the same in every iteration."
    return WorkedStep("|u_{ij}|", written, "", float(np.linalg.norm(vote)), "", says, "vote")


def _dynamic_steps(
    steps: Sequence[Any], votes: ndarray, cell: tuple[int, int], unit: str, output: str, normalize: str
) -> list[WorkedStep]:
    (i, j), t = cell, len(steps) - 1
    logits = np.stack([_array(step.logits) for step in steps])
    if t == 0:
        own = [start_at_zero(0.0, "")]
    else:
        agreement = float(_array(steps[t - 1].agreement)[i, j])
        capsules = np.stack([_array(step.capsules) for step in steps])
        own = [
            agreed(agreement, "", capsules, votes, t - 1, cell),
            added(logits[:, i, j], t, agreement, ""),
        ]
    coupling = _array(steps[t].coupling)
    return [*own, shared(logits[t], coupling, cell, "", normalize, unit, output), *_moves(steps, votes, j, output)]


def _kmeans_steps(
    steps: Sequence[Any], votes: ndarray, cell: tuple[int, int], unit: str, output: str, sharpness: float
) -> list[WorkedStep]:
    (i, j), t = cell, len(steps) - 1
    u, v = votes[i, j], votes[:, j].mean(0) if t == 0 else _array(steps[t - 1].capsules)[j]
    product, lengths_of = float(u @ v), (float(np.linalg.norm(u)), float(np.linalg.norm(v)))
    cosine = product / (lengths_of[0] * lengths_of[1]) if min(lengths_of) > 0 else 0.0
    centre = f"the mean of all votes for the {output}" if t == 0 else f"the {output} of the iteration before"
    own = [
        WorkedStep(
            "b_{ij}",
            r"\frac{u_{ij} \cdot v_j}{|u_{ij}|\,|v_j|}",
            rf"\frac{{{number(product)}}}{{{number(lengths_of[0])} \cdot {bracketed(lengths_of[1])}}}",
            cosine,
            "",
            f"The cosine between the vote and {centre}: 1 if they point the same way, -1 if opposite ways.",
            "agreement",
        )
    ]
    if sharpness != 1:
        numbers = rf"{number(sharpness)} \cdot {bracketed(cosine)}"
        own.append(WorkedStep("K b_{ij}", "", numbers, sharpness * cosine, "", "Sharpened by K.", "logit"))
    logits, coupling = sharpness * _array(steps[t].logits), _array(steps[t].coupling)
    return [*own, shared(logits, coupling, cell, "", "output", unit, output), *_moves(steps, votes, j, output)]


def _moves(steps: Sequence[Any], votes: ndarray, j: int, output: str) -> list[WorkedStep]:
    """The whole after the new shares, and what it was before."""
    coupling, activation = _array(steps[-1].coupling), float(_array(steps[-1].activation)[j])
    summed, squashed = lengths(coupling[:, j], activation, "", 0, j, votes)
    if len(steps) == 1:
        return [summed, squashed]
    before, after = (_array(step.capsules)[j] for step in steps[-2:])
    both = float(np.linalg.norm(before) * np.linalg.norm(after))
    turn = np.degrees(np.arccos(np.clip(before @ after / both, -1, 1))) if both > 0 else 0.0
    length = float(np.linalg.norm(before))
    moved = f" Since the iteration before, the {output} has turned by {turn:.1f}°; its length was {length:.3f}."
    return [summed, replace(squashed, says=squashed.says + moved)]


def _em_steps(
    steps: Sequence[Any],
    votes: ndarray,
    cell: tuple[int, int],
    unit: str,
    output: str,
    betas: tuple[float, float],
) -> list[WorkedStep]:
    (i, j), t = cell, len(steps) - 1
    coupling, gate = _array(steps[t].coupling), _array(steps[t].gate)
    if t == 0:
        n = coupling.shape[1]
        says = f"Before the first iteration, every {output} gets the same share."
        own = [WorkedStep("R_{ij}", r"\frac{1}{n_{out}}", rf"\frac{{1}}{{{n}}}", 1 / n, "", says, "coupling")]
        own = [replace(own[0], is_share=True)]
    else:
        last = steps[t - 1]
        means, variances = (_array(values).reshape(coupling.shape[1], -1) for values in (last.means, last.variances))
        stored = float(coupling[i, j])
        words = f"this {output}", f"this {unit}", f"{output}s"
        *to_share, share = responsibility(votes[i], means, variances, _array(last.scores), j, stored, *words)
        own = [*to_share, replace(share, is_share=True)]
    used = float((gate * coupling[:, j]).sum())
    ignored = float(gate.sum()) - used
    benefit, cost = betas[0] * used, betas[1] * ignored
    score = benefit - cost
    return [
        *own,
        WorkedStep(
            "a_j",
            r"\beta^{use} \textstyle\sum_i D^{use}_{ij} - \beta^{ign} \textstyle\sum_i D^{ign}_{ij}",
            rf"{number(betas[0])} \cdot {number(used)} - {number(betas[1])} \cdot {number(ignored)}",
            score,
            "",
            f"The benefit of the {unit}s that the {output} uses, minus the cost of those that it ignores. Its mean and "
            "its variance are those of the votes, weighted by the shares.",
            "bang per bit",
            stored=float(_array(steps[t].scores)[j]),
        ),
        WorkedStep(
            "f(a_j)",
            r"\frac{1}{1 + e^{-a_j}}",
            rf"\frac{{1}}{{1 + e^{{{number(-score)}}}}}",
            float(1 / (1 + np.exp(-score))),
            "",
            f"How active the {output} is now.",
            "part",
            stored=float(_array(steps[t].activation)[j]),
        ),
    ]


def _array(values: Any) -> ndarray:
    """The values of the only sample of a tensor [1, ..]."""
    return values[0].numpy()
