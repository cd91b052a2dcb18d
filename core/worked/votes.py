"""One iteration of a routing of votes, without a network, worked out for one input and one output."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.worked.dynamic import SQUASHED, added, agreed, lengths, shared, start_at_zero
from core.worked.step import Nouns, WorkedStep, bracketed, number, vector
from core.worked.votes_em import em_steps, only_sample


def work_votes(
    name: str,
    steps: Sequence[Any],
    votes: Float[ndarray, "i j h"],
    cell: tuple[int, int],
    nouns: Nouns | None = None,
    sharpness: float = 1.0,
    betas: tuple[float, float] = (1.0, 0.5),
) -> list[WorkedStep]:
    """The steps of the last of these iterations: the vote, the share, and how the whole moves.

    Args:
        name: "standard", "reversed", "k-means" or "EM".
        steps: steps of the routing for one sample, up to the iteration that is worked out.
        votes: u_ij, or V_ij in EM.
        cell: input and output, from 0.
        nouns: words for the inputs, the outputs and the numbers of a vote.
        sharpness: K of k-means routing.
        betas: EM's benefit per unit used, and its cost per unit ignored.

    Returns:
        The steps in their order; none for a routing that has no formula here.
    """
    nouns = nouns or Nouns()
    if name == "EM":
        own = em_steps(steps, votes, cell, nouns, betas)
    elif name == "k-means":
        own = _kmeans_steps(steps, votes, cell, nouns, sharpness)
    elif name in ("standard", "reversed"):
        own = _dynamic_steps(steps, votes, cell, nouns, "output" if name == "standard" else "input")
    else:
        return []
    vote = _vote(votes[cell], nouns, "V_{ij}" if name == "EM" else "u_{ij}", as_length=name != "EM")
    return [replace(step, path="") for step in (vote, *own)]


def _vote(vote: ndarray, nouns: Nouns, symbol: str, as_length: bool) -> WorkedStep:
    """The vote, written out if its numbers have names. as_length: whether the routing needs its length."""
    says = f"The vote of this {nouns.unit} for this {nouns.output}. It stays the same in every iteration."
    length, written = float(np.linalg.norm(vote)), vector(vote, nouns.components) if nouns.components else ""
    if written and not as_length:
        return WorkedStep(symbol, "", "", length, "", says, "vote", vector=written)
    numbers = rf"\left|{written}\right|" if written else ""
    return WorkedStep(f"|{symbol}|", numbers, "", length, "", f"{says} This is its length.", "vote")


def _dynamic_steps(
    steps: Sequence[Any], votes: ndarray, cell: tuple[int, int], nouns: Nouns, normalize: str
) -> list[WorkedStep]:
    (i, j), t = cell, len(steps) - 1
    logits = np.stack([only_sample(step.logits) for step in steps])
    if t == 0:
        own = [start_at_zero(0.0, "")]
    else:
        agreement = float(only_sample(steps[t - 1].agreement)[i, j])
        capsules = np.stack([only_sample(step.capsules) for step in steps])
        own = [
            agreed(agreement, "", capsules, votes, t - 1, cell),
            added(logits[:, i, j], t, agreement, ""),
        ]
    coupling = only_sample(steps[t].coupling)
    share = shared(logits[t], coupling, cell, "", normalize, nouns.unit, nouns.output)
    return [*own, share, *_moves(steps, votes, j, nouns.output)]


def _kmeans_steps(
    steps: Sequence[Any], votes: ndarray, cell: tuple[int, int], nouns: Nouns, sharpness: float
) -> list[WorkedStep]:
    (i, j), t = cell, len(steps) - 1
    u, v = votes[i, j], votes[:, j].sum(0) / votes.shape[1] if t == 0 else only_sample(steps[t - 1].centres)[j]
    product, lengths_of = float(u @ v), (float(np.linalg.norm(u)), float(np.linalg.norm(v)))
    cosine = product / (lengths_of[0] * lengths_of[1]) if min(lengths_of) > 0 else 0.0
    first = f"the sum of all votes for the {nouns.output}, divided by the number of {nouns.output}s"
    centre = first if t == 0 else f"the {nouns.output} of the iteration before"
    own = [
        WorkedStep(
            "b_{ij}",
            r"\frac{u_{ij} \cdot v_j}{|u_{ij}|\,|v_j|}",
            rf"\frac{{{number(product)}}}{{{number(lengths_of[0])} \cdot {bracketed(lengths_of[1])}}}",
            cosine,
            "",
            f"The cosine between the vote and {centre}: 1 if they point the same way, -1 if opposite ways. It replaces "
            "that of the iteration before.",
            "agreement",
        )
    ]
    if sharpness != 1:
        numbers = rf"{number(sharpness)} \cdot {bracketed(cosine)}"
        own.append(WorkedStep("K b_{ij}", "", numbers, sharpness * cosine, "", "Sharpened by K.", "logit"))
    logits, coupling = sharpness * only_sample(steps[t].logits), only_sample(steps[t].coupling)
    share = shared(logits, coupling, cell, "", "output", nouns.unit, nouns.output)
    summed, squashed = _moves(steps, votes, j, nouns.output)
    says = f"The {nouns.output} from which the next iteration starts (eq. 14): the sum, which is not squashed."
    at_end = "The length that the bar shows: only the result after the last iteration is squashed (eq. 15), and the "
    at_end += "bars show each iteration as if it were the last."
    loop = replace(summed, symbol="|v_j|", says=says)
    end = r"\frac{|v_j|^2}{1 + |v_j|^2}"
    says_end = squashed.says.replace(SQUASHED, at_end)
    return [*own, share, loop, replace(squashed, symbol=r"|\operatorname{squash} v_j|", formula=end, says=says_end)]


def _moves(steps: Sequence[Any], votes: ndarray, j: int, output: str) -> list[WorkedStep]:
    """The whole after the new shares, and what it was before."""
    coupling, activation = only_sample(steps[-1].coupling), float(only_sample(steps[-1].activation)[j])
    summed, squashed = lengths(coupling[:, j], activation, "", 0, j, votes)
    if len(steps) == 1:
        return [summed, squashed]
    before, after = (only_sample(step.capsules)[j] for step in steps[-2:])
    both = float(np.linalg.norm(before) * np.linalg.norm(after))
    turn = np.degrees(np.arccos(np.clip(before @ after / both, -1, 1))) if both > 0 else 0.0
    length = float(np.linalg.norm(before))
    moved = f" Since the iteration before, the {output} has turned by {turn:.1f}°; its length was {length:.3f}."
    return [summed, replace(squashed, says=squashed.says + moved)]
