"""Two small browser components: a scrubber that drives every chart of a page, and a shaded text.

Both run without the server. The scrubber is the master: it sets a bound parameter of each Vega chart,
``iteration`` unless told otherwise, keeps it in the address (as ``t``) and tells followers by an event
(``routescope:iteration``). A page may have one scrubber a parameter.
"""

from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from dashboard.shared.theme import SHARES

_HERE = Path(__file__).parent


def _component(name: str):
    read = {kind: (_HERE / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")}
    # In the page's own styles: the scrubber has to reach the charts beside it.
    return st.components.v2.component(f"routescope_{name}", **read, isolate_styles=False)


_scrubber = _component("scrubber")
_shading = _component("shading")


def scrubber(
    n: int,
    label: str = "Routing iteration",
    signals: dict[str, int] | None = None,
    param: str = "iteration",
    address: str = "t",
    start: int | None = None,
    follows: str = "",
) -> None:
    """A slider from 1 to n with Play.

    Args:
        signals: values for other bound parameters of the charts, by name.
        param: the bound parameter that it drives.
        address: what it is called in the address.
        start: where it begins unless the address says otherwise; at n unless given.
        follows: key of a chart, as wide as n things side by side, that scrolls so that the chosen one is in sight.
    """
    driven = {"param": param, "address": address, "start": start or n, "follows": follows}
    _scrubber(key=f"scrubber_{param}", data={"n": n, "label": label, "signals": signals or {}, **driven})


def shading(
    key: str,
    text: str,
    spans: list[tuple[int, int]],
    shares: np.ndarray,
    notes: list[list[str]],
    param: str = "iteration",
) -> None:
    """The text as typed, once per output capsule, each word shaded by its share.

    Args:
        spans: character range of each word i.
        shares: [t, i, j], 0 to 1.
        notes: [t][j], the heading of each.
        param: of the scrubber whose value is t.
    """
    data: dict[str, Any] = {
        "segments": _segments(text, spans),
        "shares": np.round(shares.transpose(0, 2, 1), 4).tolist(),
        "notes": notes,
        "palette": SHARES,
        "param": param,
    }
    _shading(key=key, data=data)


def _segments(text: str, spans: list[tuple[int, int]]) -> list[list[Any]]:
    """[[piece of text, word or None], ...]: what is read of the text, cut at the borders of words."""
    segments, at = [], 0
    for i, (start, end) in enumerate(spans):
        if start > at:
            segments.append([text[at:start], None])
        segments.append([text[start:end], i])
        at = end
    return segments
