"""Verifies an exported figure: whether it is as it was exported, and whether its network computes the same again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.edits import OutOfRangeError
from core.manifest import describe_folder, folders
from core.provenance.containers import MAX_CONTENT
from core.provenance.pieces import name_cells
from core.provenance.record import CUTS, DrawnArray, DrawnRun, Provenance, draw_cuts, drawn_arrays, versions
from core.provenance.seal import read
from core.sentences.words import listed

if TYPE_CHECKING:
    from core.checkpoint import Checkpoint

SAME, DIFFERS = 0, 1  # exit codes
TOLERANCE = 1e-4  # largest difference that counts as the same, as a share of the array's largest number, at least 1
ODDS_TOLERANCE = 0.05  # the same for log-odds, which float32 probabilities near 0 and 1 resolve less well
NAMED = 3  # changes that are named
INTACT = "numbers intact, not computed again"


@dataclass(frozen=True)
class Outcome:
    """The result of verifying a figure: one sentence, and the exit code ``SAME`` or ``DIFFERS``."""

    sentence: str
    code: int = SAME


class Difference(NamedTuple):
    """Cells of an array that differ: how many, the largest difference, and its cell in words."""

    n: int
    most: float
    cell: str


def verify(path: Path, texts: Sequence[str] = (), network: Path | None = None, device: str = "auto") -> Outcome:
    """Verify a figure.

    Args:
        path: exported file.
        texts: the text of each run whose text is not in the file; a single one counts for all.
        network: folder of the network; if None, the checkpoint of the recorded name.
        device: as in ``core.zoo.load``.

    Raises:
        ValueError: the file cannot be read, or ``texts`` or ``network`` do not fit it. The message is one sentence.
        OSError: the file cannot be opened.
    """
    with path.open("rb") as file:
        found = read(file.read(MAX_CONTENT + 1), path.name)
    if found.changes:
        what = listed(found.changes, NAMED)
        return Outcome(f"{path.name} was changed after it was exported: {what}.", DIFFERS)
    runs = list(zip(found.record.runs, _texts(found.record, texts), strict=True))
    if network and (other := _other_weights(found.record, network)):
        return other
    if why := _why_not(runs, network):
        return Outcome(f"{INTACT}: {why}.")
    return _compute(found.record, runs, network, device)


def _other_weights(record: Provenance, network: Path) -> Outcome | None:
    """The outcome if the network in a folder has other weights than that of the figure; ValueError if there is none."""
    about = describe_folder(network)
    if len({run.network for run in record.runs}) > 1:
        return None  # ``_why_not`` says that one network is not enough
    run = next((run for run in record.runs if run.weights != about.sha256), None)
    return None if run is None else _say_weights(about.name, about.sha256, run)


def _say_weights(name: str, sha256: str, run: DrawnRun) -> Outcome:
    theirs = run.weights[:12]
    return Outcome(f"other weights: {name} has {sha256[:12]}, and the figure was made with {theirs}.", DIFFERS)


def _texts(record: Provenance, given: Sequence[str]) -> Iterator[str | None]:
    """Yield the text of each run: the recorded one, or the next one that was given."""
    missing = [run for run in record.runs if run.text is None]
    if len(given) > 1 and len(given) != len(missing):
        raise ValueError(f"{len(given)} texts were given, and the figure lacks {len(missing)}")
    left = iter(given * len(missing) if len(given) == 1 else given)
    for run in record.runs:
        yield next(left, None) if run.text is None else run.text


def _why_not(runs: Sequence[tuple[DrawnRun, str | None]], network: Path | None) -> str:
    """The reason why a figure cannot be computed again; "" if it can."""
    if not runs:
        return "the figure is not that of a run"
    if any(run.reads != "text" for run, _ in runs):
        return "the pictures that it shows are not in the file"
    if any(text is None for _, text in runs):
        return "the text as typed is not in the file, and --text gives none"
    names = {run.network for run, _ in runs}
    if network and len(names) > 1:
        raise ValueError(f"--network gives one network, and the figure shows {listed(sorted(names))}")
    if missing := [] if network else sorted(names - folders().keys()):
        return f"there is no network {missing[0]!r:.60} here, and --network names no folder"
    return ""


def _compute(
    record: Provenance, runs: Sequence[tuple[DrawnRun, str | None]], network: Path | None, device: str
) -> Outcome:
    """Compute the runs of a figure again, and compare."""
    from core import explain  # imports PyTorch
    from core.zoo import load, load_folder

    loaded: dict[str, Checkpoint] = {}
    differences, n_numbers = [], 0
    for run, text in runs:
        if run.network not in loaded:
            loaded[run.network] = load_folder(network, device) if network else load(run.network, device)
        checkpoint = loaded[run.network]
        if checkpoint.sha256 != run.weights:
            return _say_weights(run.network, checkpoint.sha256, run)
        try:
            trace = explain(checkpoint, text or "", run.iterations, run.edits)
        except OutOfRangeError as error:
            return Outcome(f"another text: the edits of the figure do not fit it ({error}).", DIFFERS)
        computed = {array.name: array for array in (*drawn_arrays(trace), *_cut_again(run, checkpoint, text or ""))}
        if unknown := [drawn.name for drawn in run.arrays if drawn.name not in computed]:
            return Outcome(f"another network: a figure of {run.network} draws no {unknown[0]!r:.40}.", DIFFERS)
        pairs = [(drawn, computed[drawn.name]) for drawn in run.arrays]
        if other := next((pair for pair in pairs if _form(pair[0]) != _form(pair[1])), None):
            sizes = (" x ".join(map(str, drawn.shape)) + f" of {drawn.name}" for drawn in other)
            return Outcome("another text: the figure draws {}, and the text gives {}.".format(*sizes), DIFFERS)
        differences += filter(None, (compare(drawn, computed) for drawn, computed in pairs))
        n_numbers += sum(len(drawn.values) for drawn in run.arrays)
    if not differences:
        names = listed(list(dict.fromkeys(run.network for run, _ in runs)))
        quantities = listed(list(dict.fromkeys(drawn.name for run, _ in runs for drawn in run.arrays)))
        return Outcome(f"the same: {n_numbers:,} numbers of {names} ({quantities}), computed again.")
    return Outcome(_say(differences, n_numbers, record), DIFFERS)


def _cut_again(run: DrawnRun, checkpoint: "Checkpoint", text: str) -> Iterator[DrawnArray]:
    """Compute the effects of cuts again, if the figure draws them."""
    from core import cuts  # imports PyTorch

    for by in [by for by, name in CUTS.items() if name in {drawn.name for drawn in run.arrays}]:
        yield draw_cuts(cuts(checkpoint, text, edits=run.edits, by=by), by)


def compare(drawn: DrawnArray, computed: DrawnArray) -> Difference | None:
    """The cells of a drawn array that differ from the computed one of the same form; None if there are none."""
    apart = np.abs(drawn.array - computed.array)
    tolerance = ODDS_TOLERANCE if drawn.name in CUTS.values() else TOLERANCE
    differs = apart > tolerance * max(1.0, float(np.abs(computed.array).max(initial=0)))
    if not differs.any():
        return None
    cell = name_cells(drawn.axes, [[int(k)] for k in np.unravel_index(apart.argmax(), apart.shape)])
    return Difference(int(differs.sum()), float(apart.max()), f"{drawn.name} of {cell}")


def _form(drawn: DrawnArray) -> tuple[str, tuple[str, ...], tuple[int, ...]]:
    return drawn.name, drawn.axes, drawn.shape


def _say(differences: Sequence[Difference], of: int, record: Provenance) -> str:
    """A sentence with the number of cells that differ, of all, and the cell that differs most."""
    most = max(differences, key=lambda difference: difference.most)
    n = sum(difference.n for difference in differences)
    sentence = f"{n:,} of {of:,} cells differ, most by {most.most:.2g}: {most.cell}"
    others = [f"{name} {theirs}" for name, theirs in record.versions.items() if theirs != versions().get(name)]
    return f"{sentence}; the figure was made with {listed(others)}." if others else f"{sentence}."
