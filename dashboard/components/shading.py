"""The text as typed, each word shaded by its share at the scrubber's step."""

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from dashboard.components.component import Component, as_key
from dashboard.components.files import shading_data
from dashboard.figures.standalone import DrawnComponent

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
    arms: Sequence[str] | None = None,
    picked: int | None = None,
) -> DrawnComponent:
    """Draw the text as typed, once per output capsule, with each word shaded by its share.

    Args:
        key: key of the component.
        text: text as typed.
        spans: character range of each word i.
        shares: shares from 0 to 1, [t, i, j].
        notes: headings of the lines, [t][j].
        unknown: indices of words that the network does not know, which are underlined.
        bars: values from 0 to 1 to draw as bars under the headings, such as lengths of capsules, [t, j].
        param: parameter of the scrubber for t.
        on_pick: function to call with the indices of a clicked word and of its capsule.
        arms: "for" or "against", the arm of the diverging ramp that each row has, if the shares are of signed numbers.
        picked: index of the picked word, which has a frame and is scrolled into sight.
    """

    def pick() -> None:
        if on_pick and (picked := st.session_state[as_key(key)].picked) is not None:
            word, capsule = picked
            on_pick(int(word), int(capsule))

    data = shading_data(text, spans, shares, notes, unknown, bars, param, arms, picked)
    _shading(key=key, data=data | {"pickable": on_pick is not None}, on_picked_change=pick)
    return DrawnComponent(_shading.source, data)
