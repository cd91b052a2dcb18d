"""Dynamic routing worked out for one share (Gong et al. 2018, eq. 13-18)."""

import numpy as np
from numpy import ndarray

from core.traces.dragg import DocumentTrace, DRAggTrace, OneRoutingTrace
from core.worked.step import WorkedStep, bracketed, number, softmax

FEW_INPUTS = 4  # inputs of a sum that are all written out
SQUASHED = "The length of the capsule. The sum keeps its direction and is squashed to a length between 0 and 1."


def work_dynamic(
    trace: OneRoutingTrace | DocumentTrace, cell: tuple[int, int], t: int, votes: ndarray | None = None
) -> list[WorkedStep]:
    """The steps from the capsule of the iteration before to the share of one input and one capsule.

    Args:
        trace: trace of words and capsules, or of a document, whose sentences are routed.
        cell: input and capsule.
        t: iteration, from 0.
        votes: u_ij [i, j, h]; None if they are not known.
    """
    is_document = isinstance(trace, DocumentTrace)
    routed = trace.sentences_to_document if is_document else trace.inputs_to_capsules
    is_of_words = isinstance(trace, DRAggTrace)
    place = "trace.inputs_to_capsules" if is_of_words else "trace.sentences_to_document"
    i, j = cell
    unit = "word" if is_of_words else "sentence"
    if t == 0:
        steps = [start_at_zero(float(routed.logits[0, i, j]), f"{place}.logits[0, {i}, {j}]")]
    else:
        agreement = float(routed.agreement[t - 1, i, j])
        capsule = getattr(routed, "capsules", None)
        steps = [
            *lengths(routed.coupling[t - 1, :, j], float(routed.activation[t - 1, j]), place, t - 1, j, votes),
            agreed(agreement, f"{place}.agreement[{t - 1}, {i}, {j}]", capsule, votes, t - 1, cell),
            added(routed.logits[:, i, j], t, agreement, f"{place}.logits[{t}, {i}, {j}]"),
        ]
    path = f"{place}.coupling[{t}, {i}, {j}]"
    return [*steps, shared(routed.logits[t], routed.coupling[t], cell, path, trace.normalize, unit)]


def lengths(coupling: ndarray, length: float, place: str, t: int, j: int, votes: ndarray | None) -> list[WorkedStep]:
    """The length of the weighted sum of votes, and the length of the capsule into which it is squashed.

    Args:
        coupling: shares [i] of all inputs for the capsule.
        length: length of the capsule.
        place: object that has the arrays, as Python.
        t: iteration, from 0.
        j: capsule.
        votes: u_ij [i, j, h]; None if they are not known.
    """
    if votes is not None:
        s = float(np.linalg.norm(coupling.astype(np.float64) @ votes[:, j]))
        terms = [rf"{number(c)}\,u_{{{i + 1}j}}" for i, c in _largest(coupling)]
        more = r" + \dots" if len(terms) < len(coupling) else ""
        numbers = rf"\left|{' + '.join(terms)}{more}\right|"
        formula, path = (
            r"\left|\textstyle\sum_i c_{ij} u_{ij}\right|",
            (f"np.linalg.norm({place}.coupling[{t}, :, {j}] @ votes[:, {j}])"),
        )
    else:
        s = float(np.sqrt(np.float64(length) / (1 - np.float64(length)))) if length < 1 else float("inf")
        formula, numbers = (
            r"\sqrt{\frac{|v_j|}{1 - |v_j|}}",
            rf"\sqrt{{\frac{{{number(length)}}}{{1 - {number(length)}}}}}",
        )
        path = f"np.sqrt({place}.activation[{t}, {j}] / (1 - {place}.activation[{t}, {j}]))"
    squashed = s**2 / (1 + s**2) if np.isfinite(s) else 1.0
    return [
        WorkedStep("|s_j|", formula, numbers, s, path, "The length of the weighted sum of all votes.", "vote"),
        WorkedStep(
            "|v_j|",
            r"\frac{|s_j|^2}{1 + |s_j|^2}",
            rf"\frac{{{number(s)}^2}}{{1 + {number(s)}^2}}",
            squashed,
            f"{place}.activation[{t}, {j}]",
            SQUASHED,
            "capsule",
            stored=length,
        ),
    ]


def _largest(coupling: ndarray) -> list[tuple[int, float]]:
    """All of a few inputs with their shares, or those with the largest ones, in the order of the text."""
    n_shown = len(coupling) if len(coupling) <= FEW_INPUTS else 3
    largest = sorted(np.argsort(-coupling, kind="stable")[:n_shown].tolist())
    return [(i, float(coupling[i])) for i in largest]


def start_at_zero(value: float, path: str) -> WorkedStep:
    """The logit before the first iteration."""
    return WorkedStep("b_{ij}", "", "", value, path, "Before the first iteration, nothing is known.", "logit")


def agreed(
    agreement: float, path: str, capsules: ndarray | None, votes: ndarray | None, t: int, cell: tuple[int, int]
) -> WorkedStep:
    """The agreement of a vote with the capsule of iteration t, from 0."""
    i, j = cell
    numbers, value = "", agreement
    if capsules is not None and votes is not None:
        v, u = capsules[t, j].astype(np.float64), votes[i, j].astype(np.float64)
        of_v, of_u, value = float(np.linalg.norm(v)), float(np.linalg.norm(u)), float(v @ u)
        cosine = value / (of_v * of_u) if of_v * of_u > 0 else 0.0
        numbers = rf"{number(of_v)} \cdot {number(of_u)} \cdot {bracketed(cosine)}"
    formula = r"|v_j|\,|u_{ij}|\cos(v_j, u_{ij})" if numbers else r"\textstyle\sum_h v_{jh} u_{ijh}"
    says = "How far the vote points in the direction of the capsule."
    return WorkedStep(r"v_j \cdot u_{ij}", formula, numbers, value, path, says, "agreement", stored=agreement)


def added(logits: ndarray, t: int, agreement: float, path: str) -> WorkedStep:
    """The logit of iteration t, from the logits [t] of all iterations."""
    before = float(logits[t - 1])
    return WorkedStep(
        "b_{ij}",
        r"b_{ij}^{\text{before}} + v_j \cdot u_{ij}",
        f"{number(before)} + {bracketed(agreement)}",
        before + agreement,
        path,
        "The agreement is added to the score behind the share.",
        "logit",
        stored=float(logits[t]),
    )


def shared(
    logits: ndarray,
    coupling: ndarray,
    cell: tuple[int, int],
    path: str,
    normalize: str,
    unit: str,
    output: str = "capsule",
) -> WorkedStep:
    """The share of one cell, from all logits [i, j]. coupling: shares [i, j] in the trace."""
    i, j = cell
    is_standard = normalize == "output"
    numbers, value = softmax(logits[i], j) if is_standard else softmax(logits[:, j], i)
    if is_standard:
        formula = r"\frac{e^{b_{ij}}}{\sum_k e^{b_{ik}}}"
        says = f"The {unit}'s share for this {output}: divided by the sum over every {output}, its shares sum to 1."
    else:
        formula = r"\frac{e^{b_{ij}}}{\sum_k e^{b_{kj}}}"
        says = f"The {output}'s share from this {unit}: divided by the sum over all {unit}s, its shares sum to 1."
    stored = float(coupling[i, j])
    return WorkedStep("c_{ij}", formula, numbers, value, path, says, "coupling", is_share=True, stored=stored)
