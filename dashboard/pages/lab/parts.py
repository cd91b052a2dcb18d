"""The parts that a user moves: their first positions, and their forms in messages and in the address."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from core.analysis.scenes import KINDS, MAX_PARTS, parts_of, pose

FRAME = (-5.0, -4.5, 10.0, 9.0)  # left, top, width and height of the plane, with y downwards
SIZES = (0.3, 2.5)  # smallest and largest size of a part
# The kind for each letter in the address.
LETTERS = {kind[0]: kind for kind in KINDS}


@dataclass(frozen=True)
class Part:
    """A part in the plane: its kind, place, angle in degrees and size."""

    kind: str
    x: float
    y: float
    angle: float = 0.0
    size: float = 1.0

    @property
    def pose(self) -> ndarray:
        """The pose [x, y, s cos, s sin]."""
        return pose(self.x, self.y, self.angle, self.size)


def form_whole(whole: str, kinds: Iterable[str] = KINDS, x: float = 0.0, y: float = 0.0) -> list[Part]:
    """Place parts so that they form an upright whole at (x, y)."""
    kinds = list(kinds)
    poses = parts_of(whole, kinds, pose(x, y))
    return [
        Part(kind, round(x, 2), round(y, 2), round(math.degrees(math.atan2(v, u))))
        for kind, (x, y, u, v) in zip(kinds, poses, strict=True)
    ]


STARTS = {
    "House, its roof blown off": [Part("triangle", -1.2, 1.6, 45), *form_whole("house", KINDS[1:])],
    "Two parts of a house": form_whole("house", KINDS[:2]),
    "House": form_whole("house"),
    "Boat": form_whole("boat"),
    "House and boat": form_whole("house", x=-1.1, y=0.4) + form_whole("boat", x=1.1, y=-0.4),
}


def read(message: Any) -> list[Part] | None:
    """The parts in a message of the browser, moved into the plane; None if the message is invalid."""
    if not isinstance(message, list) or not 1 <= len(message) <= MAX_PARTS:
        return None
    parts = [_read_part(fields) for fields in message]
    return None if None in parts else parts


def _read_part(fields: Any) -> Part | None:
    """The part with these fields, moved into the plane; None if one is missing or invalid."""
    try:
        kind, numbers = fields["kind"], [float(fields[name]) for name in ("x", "y", "angle", "size")]
    except (TypeError, KeyError, ValueError, OverflowError):
        return None
    if kind not in KINDS or not np.isfinite(numbers).all():
        return None
    left, top, width, height = FRAME
    x, y, angle, size = numbers
    return Part(
        kind,
        round(min(max(x, left), left + width), 2),
        round(min(max(y, -top - height), -top), 2),
        (round(angle) + 180) % 360 - 180,  # from -180 to 179
        round(min(max(size, SIZES[0]), SIZES[1]), 2),
    )


def to_address(parts: list[Part]) -> str:
    """Write the parts as one short word for the address."""
    return "~".join(f"{p.kind[0]}{p.x:g},{p.y:g},{p.angle:g},{p.size:g}" for p in parts)


def from_address(word: str) -> list[Part] | None:
    """Read the parts that ``to_address`` wrote; None if the word is invalid."""
    message = []
    for part in word.split("~"):
        numbers = part[1:].split(",")
        if not part or len(numbers) != 4:
            return None
        names = ("x", "y", "angle", "size")
        message.append({"kind": LETTERS.get(part[0]), **dict(zip(names, numbers, strict=True))})
    return read(message)


def to_browser(parts: list[Part]) -> list[dict[str, Any]]:
    """The parts for the component in the browser."""
    return [asdict(part) for part in parts]
