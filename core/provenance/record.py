"""The record of an exported figure: its networks, versions, edits and settings, and the numbers that it draws.

Checksums show mistakes and careless edits, and where they are. They are not a signature: whoever wants to deceive can
compute them for other numbers. Only a run of the same network on the same text shows that numbers are the network's.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.metadata import version
from math import prod

import msgspec
import numpy as np
from numpy import ndarray

from core.provenance.pieces import Checksum, Piece
from core.trace import Trace
from core.version import __version__

FORMAT = "routescope provenance 1"
MAX_RECORD = 16 << 20  # bytes
REST = "the rest of the file"  # title of the piece with all that is in no other piece
NO_MARKUP = {ord(c): f"\\u{ord(c):04x}" for c in "<>&"}  # so that a record does not end the element that holds it
# The names of the effects of cuts, by the ``by`` of ``core.cuts``.
CUTS = {"cell": "log-odds lost without each share", "capsule": "log-odds lost without each capsule"}

Setting = str | int | float | list[str]


@dataclass(frozen=True)
class DrawnArray:
    """An array that a figure draws.

    Args:
        name: name of the quantity, such as "coupling".
        axes: units of its axes, such as "iteration", "word" and "capsule".
        shape: its shape.
        values: its numbers, row by row.
    """

    name: str
    axes: tuple[str, ...]
    shape: tuple[int, ...]
    values: tuple[float, ...]

    @classmethod
    def of(cls, name: str, axes: Sequence[str], array: ndarray) -> "DrawnArray":
        """The entry for an array, with as few digits as float32 needs."""
        values = tuple(float(str(number)) for number in np.asarray(array, np.float32).ravel())
        return cls(name, tuple(axes), array.shape, values)

    @property
    def array(self) -> ndarray:
        """The array, in float32."""
        return np.array(self.values, np.float32).reshape(self.shape)

    def check(self) -> None:
        """Raise ValueError unless the entry is an array of finite numbers."""
        if len(self.axes) != len(self.shape) or min(self.shape, default=0) < 0 or prod(self.shape) != len(self.values):
            raise ValueError(f"{self.name!r:.40} has {len(self.values):,} numbers, which do not fit its shape")
        if not np.isfinite(self.array).all():
            raise ValueError(f"{self.name!r:.40} holds a number that is not finite")


@dataclass(frozen=True)
class DrawnRun:
    """A network's run that a figure draws.

    Args:
        network: name of the checkpoint.
        weights: sha256 of the file of weights.
        device: device of the run.
        reads: "text" or "pictures".
        iterations: number of routing iterations; None without routing.
        edits: changes inside the run, in their form on the command line.
        text: text of the run; None if the user did not want it in the file.
        arrays: the quantities that figures of the run draw, the class probabilities, and the effects of cuts if drawn.
    """

    network: str
    weights: str
    device: str
    reads: str
    iterations: int | None
    edits: tuple[str, ...]
    text: str | None
    arrays: tuple[DrawnArray, ...]

    @classmethod
    def of(cls, trace: Trace, text: str | None = None, further: Sequence[DrawnArray] = ()) -> "DrawnRun":
        """The entry for a trace.

        Args:
            trace: trace of the run.
            text: its text, if that may be in the file.
            further: arrays of ``draw_cuts`` that the figure draws, too.
        """
        iterations = trace.n_steps if trace.along == "iteration" else None
        about = trace.model, trace.weights, trace.device, trace.reads
        return cls(*about, iterations, tuple(trace.edits), text, (*drawn_arrays(trace), *further))


def drawn_arrays(trace: Trace) -> tuple[DrawnArray, ...]:
    """The quantities that figures of a trace draw, and its class probabilities."""
    along, last = trace.along, "probability"
    quantities = (
        DrawnArray.of(cells.quantity, (along, *cells.names), cells.values)
        for cells in trace.drawn
        if cells.quantity != last
    )
    return *quantities, DrawnArray.of(last, (along, "class"), trace.probabilities)


def draw_cuts(lost: ndarray, by: str) -> DrawnArray:
    """The entry for the effects of cuts. Arguments: the result of ``core.cuts`` [i, j, k], and its ``by``."""
    return DrawnArray.of(CUTS[by], ("input", "capsule", "class"), lost)


@cache
def versions() -> dict[str, str]:
    """The versions of this program and of PyTorch."""
    return {"routescope": __version__, "torch": version("torch")}


@dataclass(frozen=True)
class Provenance:
    """The record of a figure.

    Args:
        title: title above the figure.
        settings: settings of the figure, such as its iteration.
        runs: runs that it draws; none for a figure of something else.
        versions: versions of this program and of PyTorch.
        format: name of this format, with its version.
        checks: checksums of every entry above, and of every piece of the file.
        digest: checksum of the checksums.
    """

    title: str
    settings: Mapping[str, Setting]
    runs: tuple[DrawnRun, ...]
    versions: Mapping[str, str] = field(default_factory=versions)
    format: str = FORMAT
    checks: Mapping[str, Checksum] = field(default_factory=dict)
    digest: str = ""

    def sealed(self, pieces: Sequence[Piece]) -> "Provenance":
        """The record with checksums of its entries and of the pieces of a file."""
        checks = {piece.key: piece.checksum for piece in (*self.pieces(), *pieces)}
        return replace(self, checks=checks, digest=_digest(checks))

    def changes(self, pieces: Sequence[Piece]) -> list[str]:
        """The changes since the checksums were made, in words. pieces: those of the file that holds the record."""
        if _digest(self.checks) != self.digest:
            return ["its list of checksums"]
        everything = {piece.key: piece for piece in (*self.pieces(), *pieces)}
        missing = [f"{key}, which is missing" for key in self.checks if key not in everything]
        added = [piece.title for key, piece in everything.items() if key not in self.checks]
        changed = [everything[key].change(stored) for key, stored in self.checks.items() if key in everything]
        changed = [*missing, *added, *filter(None, changed)]
        return [title for title in changed if title != REST] or changed

    def pieces(self) -> Iterator[Piece]:
        """Yield the entries of the record as pieces."""
        for name in ("title", "settings", "versions"):
            yield Piece(name, f"the record's {name}", getattr(self, name))
        for number, run in enumerate(self.runs, 1):
            of_run = f" of run {number}" if len(self.runs) > 1 else ""
            for name, value in asdict(replace(run, arrays=())).items():
                if name != "arrays":
                    yield Piece(f"run {number} {name}", f"the record's {name}{of_run}", value)
            for drawn in run.arrays:
                yield Piece(f"run {number} array {drawn.name}", f"{drawn.name}{of_run}", drawn.array, drawn.axes)

    def to_json(self) -> bytes:
        """The record as JSON in ASCII, without characters that mark up."""
        return json.dumps(asdict(self), separators=(",", ":")).translate(NO_MARKUP).encode()

    @classmethod
    def from_json(cls, content: bytes) -> "Provenance":
        """Read a record.

        Raises:
            ValueError: the content is not a record. The message is one sentence.
        """
        if len(content) > MAX_RECORD:
            raise ValueError(f"its record has {len(content):,} bytes, wanted at most {MAX_RECORD:,}")
        try:
            record = msgspec.json.decode(content, type=cls)
            if record.format == FORMAT:
                for run in record.runs:
                    for drawn in run.arrays:
                        drawn.check()
        except (ValueError, RecursionError, OverflowError) as error:
            raise ValueError(f"its record is damaged: {error}") from None
        if record.format != FORMAT:
            raise ValueError(f"its record is {record.format!r:.40}, which this version cannot read, wanted {FORMAT!r}")
        return record


def _digest(checks: Mapping[str, Checksum]) -> str:
    return str(Piece("", "", checks).checksum)
