"""One iteration of EM routing of votes, without a network, worked out for one input and one output (Heinsen 2019)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.worked.dynamic import FEW_INPUTS
from core.worked.em import log_terms, responsibility
from core.worked.step import DIGITS, Nouns, WorkedStep, bracketed, number, vector

LEAST = 0.0005  # smallest share of an input that a sum writes out
FEW_OTHERS = 2  # other outputs whose terms are all written out; of more, the largest


def em_steps(
    steps: Sequence[Any],
    votes: Float[ndarray, "i j h"],
    cell: tuple[int, int],
    nouns: Nouns,
    betas: tuple[float, float],
) -> list[WorkedStep]:
    """The steps to the share, and to the output's new bell curve and activation. Arguments as in ``work_votes``."""
    (i, j), t = cell, len(steps) - 1
    coupling, gate = only_sample(steps[t].coupling), only_sample(steps[t].gate)
    if t == 0:
        n = coupling.shape[1]
        says = f"Before the first iteration, every {nouns.output} gets the same share."
        share = [WorkedStep("R_{ij}", r"\frac{1}{n_{out}}", rf"\frac{{1}}{{{n}}}", 1 / n, "", says, "coupling")]
        share[0] = replace(share[0], is_share=True)
    else:
        share = _responsibilities(steps[t - 1], votes[i], coupling[i], j, nouns)
    used = gate * coupling[:, j]
    return [
        *share,
        *_data(float(gate[i]), float(coupling[i, j]), nouns),
        *_bell_curve(steps[t], votes[:, j], used, j, nouns),
        *_score(steps[t], float(used.sum()), float(gate.sum() - used.sum()), j, nouns, betas),
    ]


def _responsibilities(last: Any, votes: ndarray, shares: ndarray, j: int, nouns: Nouns) -> list[WorkedStep]:
    """R_ij from the state of the iteration before. votes: those of the input [j, h]; shares: its shares [j]."""
    means, variances = (only_sample(values).reshape(votes.shape) for values in (last.means, last.variances))
    scores, words = only_sample(last.scores), (f"this {nouns.output}", f"this {nouns.unit}", f"{nouns.output}s")
    density, active, share = responsibility(votes, means, variances, scores, j, float(shares[j]), *words)
    _, densities, actives = log_terms(votes, means, variances, scores)
    terms = densities + actives
    others = [int(k) for k in np.argsort(-terms) if k != j]
    written = others if len(others) <= FEW_OTHERS else others[:1]
    of_others = [
        WorkedStep(
            r"\ln P_{ik} + \ln f(a_k)",
            "",
            f"{number(densities[k])} + {bracketed(actives[k])}",
            float(terms[k]),
            "",
            f"The same for {nouns.name(k)}, which competes for this {nouns.unit}: its term in the sum below."
            if len(written) == len(others)
            else f"The same for {nouns.name(k)}, the strongest of the others: its term in the sum below.",
            "vote",
        )
        for k in sorted(written)
    ]
    return [density, active, *of_others, replace(share, is_share=True)]


def _data(gate: float, coupling: float, nouns: Nouns) -> list[WorkedStep]:
    """D_use and D_ign of the input and the output."""
    coupling = round(coupling, DIGITS)
    use = gate * coupling
    says = f"How much of this {nouns.unit} the {nouns.output} uses. Here every {nouns.unit} is certain: f(a_i) = 1."
    numbers = rf"{number(round(gate, DIGITS))} \cdot {number(coupling)}"
    rest = f"{number(round(gate, DIGITS))} - {number(use)}"
    ignored = f"How much of this {nouns.unit} the {nouns.output} ignores."
    return [
        WorkedStep("D^{use}_{ij}", r"f(a_i)\, R_{ij}", numbers, use, "", says, "used and ignored"),
        WorkedStep("D^{ign}_{ij}", r"f(a_i) - D^{use}_{ij}", rest, gate - use, "", ignored, "used and ignored"),
    ]


def _bell_curve(step: Any, votes: ndarray, used: ndarray, j: int, nouns: Nouns) -> list[WorkedStep]:
    """The new mean and variance of an output, if votes are written out. votes: those for it [i, h]; used: [i]."""
    if not nouns.components:
        return []
    mean, variance = (only_sample(values).reshape(-1, votes.shape[1])[j] for values in (step.means, step.variances))
    total = r"\textstyle\sum_i D^{use}_{ij}"
    terms = " + ".join(rf"{number(used[i])}\,V_{{{i + 1}j}}" for i in np.flatnonzero(used >= LEAST)[:FEW_INPUTS])
    more = r" + \dots" if (used >= LEAST).sum() > FEW_INPUTS else ""
    numbers = rf"\frac{{{terms}{more}}}{{{number(used.sum())}}}" if terms else ""
    says = f"The new centre of the {nouns.output}: the mean of all votes for it, weighted by what it uses of each "
    says += f"{nouns.unit}."
    spread = "The new widths, squared: how far these votes lie from the mean, weighted alike. The small number keeps "
    spread += "them from 0."
    of_mean, of_variance = (vector(values, nouns.components) for values in (mean, variance))
    squares = rf"\frac{{{total} (V_{{ij}} - \mu_j)^2}}{{{total}}} + 10^{{-5}}"
    sizes = float(np.linalg.norm(mean)), float(np.linalg.norm(variance))
    weighted = rf"\frac{{{total} V_{{ij}}}}{{{total}}}"
    return [
        WorkedStep(r"\mu_j", weighted, numbers, sizes[0], "", says, "vote", vector=of_mean),
        WorkedStep(r"\sigma^2_j", squares, "", sizes[1], "", spread, "vote", vector=of_variance),
    ]


def _score(
    step: Any, used: float, ignored: float, j: int, nouns: Nouns, betas: tuple[float, float]
) -> list[WorkedStep]:
    """The score of an output, and its activation. used, ignored: sums over all inputs."""
    score = betas[0] * used - betas[1] * ignored
    return [
        WorkedStep(
            "a_j",
            r"\beta^{use} \textstyle\sum_i D^{use}_{ij} - \beta^{ign} \textstyle\sum_i D^{ign}_{ij}",
            rf"{number(betas[0])} \cdot {number(used)} - {number(betas[1])} \cdot {number(ignored)}",
            score,
            "",
            f"The benefit of the {nouns.unit}s that the {nouns.output} uses, minus the cost of those that it ignores.",
            "bang per bit",
            stored=float(only_sample(step.scores)[j]),
        ),
        WorkedStep(
            "f(a_j)",
            r"\frac{1}{1 + e^{-a_j}}",
            rf"\frac{{1}}{{1 + e^{{{number(-score)}}}}}",
            float(1 / (1 + np.exp(-score))),
            "",
            f"How active the {nouns.output} is now.",
            "part",
            stored=float(only_sample(step.activation)[j]),
        ),
    ]


def only_sample(values: Any) -> ndarray:
    """The values of the only sample of a tensor [1, ..]."""
    return values[0].numpy()
