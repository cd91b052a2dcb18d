"""The files of components, and the data that they take in the browser, without Streamlit: notebooks show them too."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dashboard.figures.standalone import ComponentFiles
from dashboard.theme import class_colors

_HERE = Path(__file__).parent
DIGITS = 7  # decimal digits for the browser, which prints three; with only three here, numbers would be rounded twice
CELL_DIGITS = 4  # decimal digits of a share


def read_files(name: str, follows: bool = True) -> ComponentFiles:
    """The HTML, CSS and JavaScript of a component.

    Args:
        name: name of its files. A component that looks like a button has no CSS file.
        follows: whether it follows the scrubber or drives charts, which needs follower.js.
    """
    html, css, js = (
        path.read_text(encoding="utf-8") if path.is_file() else ""
        for path in (_HERE / f"{name}.{kind}" for kind in ("html", "css", "js"))
    )
    if follows:
        js = (_HERE / "follower.js").read_text(encoding="utf-8") + js
    return ComponentFiles(html, css, js)


def slider_data(
    n: int,
    label: str = "Routing iteration",
    signals: dict[str, int] | None = None,
    param: str = "iteration",
    address: str = "t",
    start: int | None = None,
    follows: str = "",
    subject: str = "",
    trained: int | None = None,
    tells: bool = False,
    play: str = "Play",
) -> dict[str, Any]:
    """The data of a scrubber. Arguments as in ``dashboard.components.scrubber.slider``."""
    driven = {
        "param": param,
        "address": address,
        "start": start or n,
        "follows": follows,
        "subject": subject,
        "tells": tells,
        "play": play,
    }
    return {"n": n, "label": label, "signals": signals or {}, "trained": trained, **driven}


def shading_data(
    text: str,
    spans: list[tuple[int, int]],
    shares: np.ndarray,
    notes: Sequence[Sequence[str]],
    unknown: Sequence[int] = (),
    bars: np.ndarray | None = None,
    param: str = "iteration",
    arms: Sequence[str] | None = None,
    picked: int | None = None,
) -> dict[str, Any]:
    """The data of a shaded text without words to pick. Arguments as in ``dashboard.components.shading.shading``."""
    return {
        "segments": _segments(text, spans),
        "shares": np.round(shares.transpose(0, 2, 1), CELL_DIGITS).tolist(),
        "notes": notes,
        "bars": None if bars is None else np.round(bars, CELL_DIGITS).tolist(),
        "param": param,
        "start": len(shares),
        "unknown": list(unknown),
        "pickable": False,
        "arms": arms,
        "framed": picked,
    }


def verdict_data(
    values: np.ndarray,
    classes: list[str],
    notes: list[str],
    percent: bool = True,
    param: str = "iteration",
    before: np.ndarray | None = None,
    start: int | None = None,
    doses: bool = True,
) -> dict[str, Any]:
    """The data of the classes' bars. Arguments as in ``dashboard.components.verdict.verdict``."""
    return {
        "values": np.round(values, DIGITS).tolist(),
        "classes": classes,
        "notes": notes,
        "percent": percent,
        "colours": class_colors(classes),
        "param": param,
        "start": start or len(values),
        "doses": doses,
        "before": None if before is None else np.round(before, DIGITS).tolist(),
    }


def _segments(text: str, spans: list[tuple[int, int]]) -> list[list[Any]]:
    """The text cut at the borders of words: [[piece of text, index of its word or None], ...]."""
    segments, at = [], 0
    for i, (start, end) in enumerate(spans):
        if start > at:
            segments.append([text[at:start], None])
        segments.append([text[start:end], i])
        at = end
    return segments
