"""The text as typed, each word shaded by its share at the scrubber's step."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from dashboard.components.component import Component, as_key
from dashboard.figures.standalone import Part
from dashboard.theme import SHARES

_shading = Component("shading")


def shading(
    key: str,
    text: str,
    spans: list[tuple[int, int]],
    shares: np.ndarray,
    notes: list[list[str]],
    unknown: Sequence[int] = (),
    bars: np.ndarray | None = None,
    param: str = "iteration",
    on_pick: Callable[[int, int], None] | None = None,
    reveals: bool = True,
) -> Part:
    """Draw the text as typed, once per output capsule, each word shaded by its share.

    Args:
        spans: character range of each word i.
        shares: [t, i, j], 0 to 1.
        notes: [t][j], the heading of each line.
        unknown: numbers of the words that the network does not know, which are underlined.
        bars: [t, j], 0 to 1, drawn under the headings: the lengths of capsules, say.
        param: of the scrubber whose value is t.
        on_pick: called with the numbers, from 0, of a word that is clicked and of its capsule.
        reveals: whether a pick opens a tab, which then comes into sight.
    """

    def pick() -> None:
        if on_pick and (picked := st.session_state[as_key(key)].picked) is not None:
            word, capsule = picked
            on_pick(int(word), int(capsule))

    data: dict[str, Any] = {
        "segments": _segments(text, spans),
        "shares": np.round(shares.transpose(0, 2, 1), 4).tolist(),
        "notes": notes,
        "bars": None if bars is None else np.round(bars, 4).tolist(),
        "palette": SHARES,
        "param": param,
        "start": len(shares),
        "unknown": list(unknown),
        "pickable": False,
        "reveals": reveals,
    }
    _shading(key=key, data=data | {"pickable": on_pick is not None}, on_picked_change=pick)
    return Part(_shading.source, data)


def _segments(text: str, spans: list[tuple[int, int]]) -> list[list[Any]]:
    """[[piece of text, word or None], ...]: what is read of the text, cut at the borders of words."""
    segments, at = [], 0
    for i, (start, end) in enumerate(spans):
        if start > at:
            segments.append([text[at:start], None])
        segments.append([text[start:end], i])
        at = end
    return segments
