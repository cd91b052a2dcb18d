"""Parses the file name of a picture: its eye, its view, and the camera's direction."""

import math
import re

from core.archives import quoted, short

__all__ = ["LEFT", "RIGHT", "angles", "eye", "natural", "quoted", "short", "view"]
LEFT, RIGHT = 0, 1
_MARK = re.compile(r"[_\-. ]?(?:(?<![a-z])(?:left|right)(?![a-z])|(?<![a-z0-9])[lr]t?(?![a-z0-9]))", re.IGNORECASE)
_AZIMUTH = re.compile(r"(?<![a-z])az(?:imuth)?[_= ]?([0-9]{1,3})(?!\.?[0-9])", re.IGNORECASE)
_ELEVATION = re.compile(r"(?<![a-z])el(?:evation)?[_= ]?([0-9]{1,2})(?!\.?[0-9])", re.IGNORECASE)


def eye(name: str) -> int | None:
    """``LEFT`` or ``RIGHT`` by the last mark of an eye in the name; None if there is none."""
    marks = _MARK.findall(_stem(name))
    return (LEFT if marks[-1].lstrip("_-. ")[0] in "lL" else RIGHT) if marks else None


def view(name: str) -> str:
    """The name without extension and marks of an eye, so that both pictures of a view share it."""
    return _MARK.sub("", _stem(name)).replace("//", "/").strip("_-. /")


def angles(name: str) -> tuple[float, float]:
    """Azimuth and elevation in degrees; NaN if the name does not contain them."""
    matches = (pattern.search(name) for pattern in (_AZIMUTH, _ELEVATION))
    azimuth, elevation = (float(match[1]) if match else math.nan for match in matches)
    if elevation in range(9):
        elevation = 30 + 5 * elevation  # smallNORB's index of an elevation, 0 to 8
    return azimuth % 360 if azimuth <= 360 else math.nan, elevation if elevation <= 90 else math.nan


def natural(name: str) -> tuple[list, str]:
    """A sort key that puts 9 before 10 and differs for every name."""
    pieces = re.split(r"([0-9]+)", name)  # every second piece is a number; the longer of two is the larger
    pieces[1::2] = [(len(digits), digits) for piece in pieces[1::2] for digits in [piece.lstrip("0")]]
    return [piece if isinstance(piece, tuple) else piece.casefold() for piece in pieces], name


def _stem(name: str) -> str:
    """The name without its extension."""
    return re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name)
