"""Effects of edits on the classes, many edited runs in one batch: each coupling cut once, or one edit in many doses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.device import to_float64
from core.edits import EDITS, DropCapsule, DropInput, Edit, RoutingEdit, SetCoupling
from core.networks.admit import admit_edits
from core.networks.base import Reruns, network_of
from core.networks.run import check

MAX_NUMBERS = 2**22  # numbers in the largest tensor of a batch
MARGIN = 1e-7  # probabilities are kept this far from 0 and 1; float32 cannot resolve more


@dataclass(frozen=True, eq=False)
class Reading:
    """A sample that was read once, for many runs.

    Attributes:
        checkpoint: network.
        reruns: runs of the sample.
        edits: edits of all runs.
        n_iters: number of iterations; that of training if None.
    """

    checkpoint: Checkpoint
    reruns: Reruns
    edits: list[Edit]
    n_iters: int | None = None


def cuts(
    checkpoint: Checkpoint,
    text_or_images: str | ndarray,
    n_iters: int | None = None,
    edits: Sequence[Edit | str] = (),
    *,
    by: Literal["cell", "input", "capsule"] = "cell",
    routing: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Float[ndarray, "i j k"]:
    """The fall of each class's log-odds when only c_ij is set to 0.

    Each number equals the difference between two runs of ``core.explain``, the second with ``SetCoupling(i, j, 0)``.

    Args:
        checkpoint, text_or_images, n_iters: as in ``core.explain``.
        edits: edits of both runs.
        by: "input" to drop whole inputs, which gives [i, 1, k]; "capsule" to drop whole capsules, [1, j, k].
        routing: index of the routing, for a network with two; as in ``core.edits`` if None.
        progress: function to call with the finished share.

    Raises:
        ValueError: as in ``core.explain``, the network has no such routing, or ``by`` is unknown.
    """
    return cuts_of(read(checkpoint, text_or_images, n_iters, edits), by=by, routing=routing, progress=progress)


def cuts_of(
    reading: Reading,
    *,
    by: Literal["cell", "input", "capsule"] = "cell",
    routing: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Float[ndarray, "i j k"]:
    """``cuts`` of a sample that was read before."""
    if by not in ("cell", "input", "capsule"):
        raise ValueError(f"by is {by!r}, wanted cell, input or capsule")
    checkpoint, reruns, changes, n_iters = reading.checkpoint, reading.reruns, reading.edits, reading.n_iters
    number = _routing(checkpoint, reruns, routing)
    n_inp, n_out = reruns.sizes[number]
    shape = {"cell": (n_inp, n_out), "input": (n_inp, 1), "capsule": (1, n_out)}[by]

    def cut(cells: Tensor) -> RoutingEdit:
        if by == "input":
            return DropInput(cells, routing=number)
        if by == "capsule":
            return DropCapsule(cells, routing=number)
        return SetCoupling(cells // n_out, cells % n_out, 0.0, routing=number)

    cells = torch.arange(shape[0] * shape[1], device=checkpoint.device)
    with torch.inference_mode():
        *_, uncut = reruns.steps(1, changes, n_iters)
        without = []
        for batch in cells.split(max(1, MAX_NUMBERS // reruns.numbers)):
            *_, last = reruns.steps(len(batch), [*changes, cut(batch)], n_iters)
            without.append(last.probabilities)
            if progress:
                progress((int(batch[-1]) + 1) / len(cells))
        lost = log_odds(uncut.probabilities) - log_odds(torch.cat(without))
    return lost.float().cpu().numpy().reshape(*shape, -1)


def answers(reading: Reading, edits: Sequence[DropInput | DropCapsule | SetCoupling]) -> Float[ndarray, "n k"]:
    """The class probabilities without a further edit, and then with each of these edits alone, from one batch of runs.

    Args:
        reading: sample to run.
        edits: edits of the routing that edits name by default. Those of one kind have one value.

    Raises:
        ValueError: the network has no couplings, or an edit is out of range.
    """
    n_inp, n_out = reading.reruns.sizes[_routing(reading.checkpoint, reading.reruns, None)]
    for edit in edits:
        edit.check(i=n_inp, j=n_out)
    further = _by_row(edits, reading.checkpoint.device)
    with torch.inference_mode():
        *_, last = reading.reruns.steps(1 + len(edits), [*reading.edits, *further], reading.n_iters)
        return last.probabilities.float().cpu().numpy()


def _by_row(edits: Sequence[Edit], device: torch.device) -> list[Edit]:
    """The edits of a batch whose first row has none, and each further row one of these."""
    batch = []
    for kind in dict.fromkeys(map(type, edits)):
        of_kind = {row: edit for row, edit in enumerate(edits, 1) if type(edit) is kind}
        first = next(iter(of_kind.values()))
        places = {}
        for name in {"i", "j"} & vars(first).keys():
            rows = [-1] * (1 + len(edits))  # an index of -1 names nothing
            for row, edit in of_kind.items():
                rows[row] = getattr(edit, name)
            places[name] = torch.tensor(rows, device=device)
        batch.append(replace(first, **places))
    return batch


def strongest_cut(checkpoint: Checkpoint, text: str) -> int:
    """The index of the input whose absence from the routing moves most probability from class to class.

    Args:
        checkpoint, text: as in ``core.explain``.

    Raises:
        ValueError: as in ``cuts``.
    """
    with torch.inference_mode():
        *_, step = network_of(checkpoint).reruns(checkpoint, text, []).steps(1, [], None)
        last = step.probabilities
        odds = log_odds(last) - torch.from_numpy(cuts(checkpoint, text, by="input")[:, 0]).to(last)
        moved = (odds.sigmoid() - last).abs().sum(-1)
    return int(moved.argmax())


class Doses(NamedTuple):
    """Runs with one edit in several doses.

    Attributes:
        probabilities: class probabilities after each step.
        cells: numbers of the main picture after each step, as in ``Trace.cells``; None if it shows something else.
    """

    probabilities: Float[ndarray, "value t k"]
    cells: Float[ndarray, "value t i j"] | None


def doses(
    checkpoint: Checkpoint,
    text_or_images: str | ndarray,
    edit: Edit | str,
    values: Sequence[float],
    n_iters: int | None = None,
    edits: Sequence[Edit | str] = (),
) -> Doses:
    """Run a sample with each of several values of an edit.

    Args:
        checkpoint, text_or_images, n_iters: as in ``core.explain``.
        edit: edit of a coupling, a gate, a pose or a sharpness; its own value is ignored.
        values: doses.
        edits: edits that are applied first, in all runs.

    Raises:
        ValueError: as in ``core.explain``, values is empty, or the edit has no dose.
    """
    *_, dosed = admit_edits(checkpoint, [*edits, edit], text_or_images)
    if not dosed.dose or not len(values):
        forms = ", ".join(kind.form for kind in EDITS if kind.dose)
        raise ValueError(f"{dosed} in {len(values)} doses, wanted one of {forms} and at least one dose")
    for value in values:
        dosed.dosed(float(value))  # raises if the value is out of range
    reading = read(checkpoint, text_or_images, n_iters, edits)
    reruns, changes = reading.reruns, reading.edits
    if isinstance(dosed, RoutingEdit):
        _routing(checkpoint, reruns, dosed.routing)
    probabilities, cells = [], []
    with torch.inference_mode():
        doses = torch.tensor(values, device=checkpoint.device).float()
        for batch in doses.split(max(1, MAX_NUMBERS // reruns.numbers)):
            steps = list(reruns.steps(len(batch), [*changes, dosed.dosed(batch)], n_iters))
            probabilities.append(torch.stack([step.probabilities for step in steps], 1))
            cells += [c.expand(len(batch), -1, -1) for step in steps if (c := step.cells) is not None]
    numbers = torch.cat(probabilities).float().cpu().numpy()
    return Doses(numbers, _by_dose(cells, numbers.shape[1]))


def _by_dose(cells: list[Tensor], n_steps: int) -> Float[ndarray, "value t i j"] | None:
    """The cells of each batch, step after step, as one array; None if there are none."""
    if not cells:
        return None
    batches = [torch.stack(cells[k : k + n_steps], 1) for k in range(0, len(cells), n_steps)]
    return torch.cat(batches).float().cpu().numpy()


def log_odds(probabilities: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch k"]:
    """log p - log(1 - p), in float64; finite for a p of 0 or 1."""
    return to_float64(probabilities).clamp(MARGIN, 1 - MARGIN).logit()


def read(
    checkpoint: Checkpoint,
    text_or_images: str | ndarray,
    n_iters: int | None = None,
    edits: Sequence[Edit | str] = (),
) -> Reading:
    """Read a sample once, and parse the edits. Arguments and errors as in ``core.explain``."""
    check(checkpoint, text_or_images, n_iters)
    changes = admit_edits(checkpoint, edits, text_or_images)
    with torch.inference_mode():
        reruns = network_of(checkpoint).reruns(checkpoint, text_or_images, changes)
    return Reading(checkpoint, reruns, changes, n_iters)


def _routing(checkpoint: Checkpoint, reruns: Reruns, routing: int | None) -> int:
    """The index of the routing to cut couplings in; by default the first one that can be run again."""
    if not reruns.sizes:
        raise ValueError(f"{checkpoint.name} has no couplings to cut.")
    if routing is not None and routing not in reruns.sizes:
        wanted = " or ".join(map(str, reruns.sizes))
        raise ValueError(f"routing is {routing}, and the couplings of {checkpoint.name} are cut in routing {wanted}.")
    return min(reruns.sizes) if routing is None else routing
