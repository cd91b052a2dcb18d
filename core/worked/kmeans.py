"""k-means routing, and dynamic routing of feature capsules, worked out for one share (Ren, Lu 2022, algorithm 1)."""

import numpy as np
from numpy import ndarray

from core.traces.cccaps import CCCapsTrace
from core.worked.dynamic import added, agreed, shared, start_at_zero
from core.worked.step import WorkedStep, bracketed, number

PLACE = "trace.features_to_classes"


def work_features(trace: CCCapsTrace, cell: tuple[int, int], t: int, votes: ndarray | None = None) -> list[WorkedStep]:
    """The steps from the class capsule of the iteration before to the share of one feature capsule and one class.

    Args:
        trace: trace of the run.
        cell: feature capsule and class.
        t: iteration, from 0.
        votes: u_ij [i, j, h]; None if they are not known.
    """
    routed, (i, j) = trace.features_to_classes, cell
    path = f"{PLACE}.logits[{t}, {i}, {j}]"
    if trace.routing == "kmeans":
        steps = [_cosine(trace, cell, t, votes)]
    elif t == 0:
        steps = [start_at_zero(float(routed.logits[0, i, j]), path)]
    else:
        agreement = float(routed.logits[t, i, j].astype(np.float64) - float(routed.logits[t - 1, i, j]))
        source = f"{path} - {PLACE}.logits[{t - 1}, {i}, {j}]"
        steps = [
            agreed(agreement, source, routed.capsules, votes, t - 1, cell),
            added(routed.logits[:, i, j], t, agreement, path),
        ]
    path = f"{PLACE}.coupling[{t}, {i}, {j}]"
    return [*steps, shared(routed.logits[t], routed.coupling[t], cell, path, "output", "feature capsule", "class")]


def _cosine(trace: CCCapsTrace, cell: tuple[int, int], t: int, votes: ndarray | None) -> WorkedStep:
    """The cosine between a vote and the centre of the iteration before, or the mean of all votes before the first."""
    routed, (i, j) = trace.features_to_classes, cell
    numbers, value = "", float(routed.logits[t, i, j])
    if votes is not None:
        u = votes[i, j].astype(np.float64)
        kept = routed.coupling[t].any(1)  # an edit can leave a feature capsule out, whose shares are 0 then
        # A squashed capsule has the direction of its centre, which is all that a cosine sees.
        v = votes[kept, j].mean(0) if t == 0 else routed.capsules[t - 1, j].astype(np.float64)
        product, lengths = float(u @ v), (float(np.linalg.norm(u)), float(np.linalg.norm(v)))
        value = product / (lengths[0] * lengths[1]) if min(lengths) > 0 else 0.0
        numbers = rf"\frac{{{number(product)}}}{{{number(lengths[0])} \cdot {bracketed(lengths[1])}}}"
    centre = "the mean of all votes for the class" if t == 0 else "the class capsule of the iteration before"
    return WorkedStep(
        "b_{ij}",
        r"\frac{u_{ij} \cdot v_j}{|u_{ij}|\,|v_j|}",
        numbers,
        value,
        f"{PLACE}.logits[{t}, {i}, {j}]",
        f"The cosine between the vote and {centre}: 1 if they point the same way, -1 if opposite ways.",
        "agreement",
        stored=float(routed.logits[t, i, j]),
    )
