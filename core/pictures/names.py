"""What the name of a picture says: which eye it is, of which view, from where."""

import re

LEFT, RIGHT = 0, 1
LONGEST = 40  # characters of a name that a reader is shown
_MARK = re.compile(r"[_\-. ]?(?:(?<![a-z])(?:left|right)(?![a-z])|(?<![a-z0-9])[lr]t?(?![a-z0-9]))", re.IGNORECASE)
_AZIMUTH = re.compile(r"(?<![a-z])az(?:imuth)?[_= ]?([0-9]{1,3})(?!\.?[0-9])", re.IGNORECASE)
_ELEVATION = re.compile(r"(?<![a-z])el(?:evation)?[_= ]?([0-9]{1,2})(?!\.?[0-9])", re.IGNORECASE)


def eye(name: str) -> int | None:
    """``LEFT`` or ``RIGHT`` if the name says so; its last mark counts."""
    marks = _MARK.findall(_stem(name))
    return (LEFT if marks[-1].lstrip("_-. ")[0] in "lL" else RIGHT) if marks else None


def view(name: str) -> str:
    """The name without its ending and the marks of an eye: what the two pictures of a view share."""
    return _MARK.sub("", _stem(name)).replace("//", "/").strip("_-. /")


def angles(name: str) -> tuple[float, float]:
    """Azimuth and elevation in degrees, NaN where the name does not tell them."""
    azimuth, elevation = (float(found[1]) if (found := sign.search(name)) else -1 for sign in (_AZIMUTH, _ELEVATION))
    if elevation in range(9):
        elevation = 30 + 5 * elevation  # smallNORB's index
    return azimuth % 360 if 0 <= azimuth <= 360 else float("nan"), elevation if 9 <= elevation <= 90 else float("nan")


def natural(name: str) -> tuple[list, str]:
    """A sorting key that puts 9 before 10, its own for every name."""
    parts = re.split(r"([0-9]+)", name)
    parts[1::2] = [(len(digits), digits) for part in parts[1::2] for digits in [part.lstrip("0")]]
    return [part if isinstance(part, tuple) else part.casefold() for part in parts], name


def short(name: str) -> str:
    """A name as a reader is shown it: no control signs, its middle left out where it is long."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)
    half = LONGEST // 2
    return shown if len(shown) <= LONGEST else f"{shown[: half - 1]}…{shown[-half:]}"


def quoted(name: str) -> str:
    """A name as the messages say it."""
    return f'"{short(name)}"'


def _stem(name: str) -> str:
    return re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name)
