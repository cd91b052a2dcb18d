"""One iteration, layer or window worked out for one cell: each formula with its numbers, up to the share on the screen.

``work`` takes a trace and says of each number where it is in the trace, as a line of Python.
"""

from collections.abc import Mapping, Sequence

from numpy import ndarray

from core.trace import Trace
from core.traces.agt import AGTTrace
from core.traces.cccaps import CCCapsTrace
from core.traces.dragg import DocumentTrace, OneRoutingTrace
from core.traces.drnn import DRNNTrace
from core.traces.em import EMTextTrace
from core.worked.agt import work_layer
from core.worked.drnn import work_window
from core.worked.dynamic import work_dynamic
from core.worked.em import work_em
from core.worked.kmeans import work_features
from core.worked.step import Nouns, WorkedStep, edited

__all__ = ["Nouns", "WorkedStep", "path_of", "work"]


def work(
    trace: Trace, cell: Sequence[int], step: int, weights: Mapping[str, ndarray] | None = None
) -> list[WorkedStep]:
    """Work out one cell of a picture; the step with ``is_share`` has the number on the screen.

    Args:
        trace: trace of the run.
        cell: input and output, from 0: a word (or sentence) and a capsule, a feature capsule and a class, a word and a
            class, or only a word for a network with layers or windows.
        step: iteration, layer or window, from 1.
        weights: numbers that are not in the trace, from ``core.networks.workings.weights_of``: "votes", and for EM
            "beta_use" and "beta_ign". Without them, a step that needs one has only its value from the trace.

    Returns:
        The steps in their order; none for another kind of network. A result that the user's edits replaced comes twice:
        as the formula gives it, and as the trace has it.
    """
    return list(edited(_work(trace, cell, min(step, trace.n_steps) - 1, weights or {})))


def _work(trace: Trace, cell: Sequence[int], t: int, weights: Mapping[str, ndarray]) -> list[WorkedStep]:
    """The steps as the formulas give them. t: iteration, layer or window, from 0."""
    if isinstance(trace, OneRoutingTrace | DocumentTrace):
        return work_dynamic(trace, (cell[0], cell[1]), t, weights.get("votes"))
    if isinstance(trace, CCCapsTrace):
        return work_features(trace, (cell[0], cell[1]), t, weights.get("votes"))
    if isinstance(trace, EMTextTrace):
        return work_em(trace, (cell[0], cell[1]), t, weights)
    if isinstance(trace, AGTTrace):
        return work_layer(trace, cell[0], t)
    if isinstance(trace, DRNNTrace):
        return work_window(trace, cell[0], t)
    return []


def path_of(trace: Trace, cell: Sequence[int], step: int) -> str:
    """The line of Python that reads the number of a cell from the trace, such as "trace.wins[14, 3]".

    Arguments as in ``work``. It is "" for another kind of network, and for a layer without attention.
    """
    return next((worked.path for worked in work(trace, cell, step) if worked.is_share), "")
