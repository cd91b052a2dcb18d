"""The slider with a Play button that drives all pictures of a page."""

from collections.abc import Callable
from math import inf

import streamlit as st

from dashboard.components.component import Component, as_key
from dashboard.components.files import slider_data
from dashboard.figures.standalone import DrawnComponent

_scrubber = Component("scrubber")
_scrubbed = Component("scrubbed")


def slider(
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
) -> DrawnComponent:
    """A slider from 1 to n with a Play button, which ``scrubber`` draws.

    Args:
        n: last step.
        label: label of the slider.
        signals: values for other bound parameters of the charts, by name.
        param: bound parameter that the slider drives.
        address: name of the step in the address.
        start: first step unless the address has another one; n if None.
        follows: key of a wide chart of n things side by side, which scrolls to the chosen one.
        subject: value that identifies the data; if it changes, the slider moves to ``start``. "" never changes.
        trained: number of iterations in training, which has a mark; later ones are dimmed. None if all are alike.
        tells: whether the server is told of a step at which the slider rests. If so, ``start`` is the server's step.
        play: text of the Play button. A page with several sliders gives each its own.
    """
    data = slider_data(n, label, signals, param, address, start, follows, subject, trained, tells, play)
    return DrawnComponent(_scrubber.source, data)


def scrubber(part: DrawnComponent, on_step: Callable[[int], None] | None = None) -> None:
    """Draw a slider. on_step: function to call with the step at which a slider that ``tells`` rests."""
    key = f"scrubber_{part.data['param']}"

    def report_step() -> None:
        if on_step:
            on_step(int(st.session_state[as_key(key)]["step"]))

    _scrubber(key=key, data=part.data, on_step_change=report_step)


def scrubbed(key: str, param: str, start: int) -> int | None:
    """The step of a scrubber; None until the browser has answered, which reruns the page.

    Args:
        key: key of the component.
        param: parameter of the scrubber.
        start: step to return if the page has no scrubber.
    """
    step = _scrubbed(key=key, data={"param": param, "start": start}, on_step_change=lambda: None).step
    return int(step) if isinstance(step, int | float) and 1 <= step < inf else None  # a browser may send anything
