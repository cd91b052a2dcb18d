"""Reads the name of a picture: its eye, its view, its direction."""

import re

LEFT, RIGHT = 0, 1
MAX_SHOWN = 40  # characters of a name in a message
_MARK = re.compile(r"[_\-. ]?(?:(?<![a-z])(?:left|right)(?![a-z])|(?<![a-z0-9])[lr]t?(?![a-z0-9]))", re.IGNORECASE)
_AZIMUTH = re.compile(r"(?<![a-z])az(?:imuth)?[_= ]?([0-9]{1,3})(?!\.?[0-9])", re.IGNORECASE)
_ELEVATION = re.compile(r"(?<![a-z])el(?:evation)?[_= ]?([0-9]{1,2})(?!\.?[0-9])", re.IGNORECASE)


def eye(name: str) -> int | None:
    """``LEFT`` or ``RIGHT`` by the last mark of an eye in the name; None without one."""
    marks = _MARK.findall(_stem(name))
    return (LEFT if marks[-1].lstrip("_-. ")[0] in "lL" else RIGHT) if marks else None


def view(name: str) -> str:
    """The name without its ending and marks of an eye, which the two pictures of a view share."""
    return _MARK.sub("", _stem(name)).replace("//", "/").strip("_-. /")


def angles(name: str) -> tuple[float, float]:
    """Azimuth and elevation in degrees, NaN where the name gives none."""
    azimuth, elevation = (float(match[1]) if (match := mark.search(name)) else -1 for mark in (_AZIMUTH, _ELEVATION))
    if elevation in range(9):
        elevation = 30 + 5 * elevation  # smallNORB's index
    return azimuth % 360 if 0 <= azimuth <= 360 else float("nan"), elevation if 9 <= elevation <= 90 else float("nan")


def natural(name: str) -> tuple[list, str]:
    """A sorting key that puts 9 before 10 and differs for every two names."""
    parts = re.split(r"([0-9]+)", name)
    parts[1::2] = [(len(digits), digits) for part in parts[1::2] for digits in [part.lstrip("0")]]
    return [part if isinstance(part, tuple) else part.casefold() for part in parts], name


def short(name: str) -> str:
    """A name for a message: without control characters, and without its middle if it is long."""
    printable = "".join(character if character.isprintable() else "?" for character in name)
    half = MAX_SHOWN // 2
    return printable if len(printable) <= MAX_SHOWN else f"{printable[: half - 1]}…{printable[-half:]}"


def quoted(name: str) -> str:
    """``short`` in quotation marks."""
    return f'"{short(name)}"'


def _stem(name: str) -> str:
    return re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name)
