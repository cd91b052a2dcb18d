"""Small browser components: a scrubber that drives every picture of a page, what follows it, and pictures to drag.

All but the Lab and the pictures run without the server. The scrubber sets a bound parameter of each Vega chart,
``iteration`` unless given otherwise, keeps it in the address (as ``t``) and sends an event (``routescope:iteration``)
to its followers: the verdict, the finding, the shaded text and the frames of a Plotly chart. A page may have one
scrubber a parameter.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from dashboard.figures.standalone import Part, Source
from dashboard.theme import SHARES

_HERE = Path(__file__).parent
DIGITS = 7  # of what the browser prints with three: rounded to fewer first, it would print another third one
_SOURCES: dict[str, Source] = {}  # by the name of the component


def component(name: str, follows: bool = True):
    html, css, js = (path.read_text(encoding="utf-8") if path.is_file() else "" for path in _files(name))
    if follows:
        js = (_HERE / "follower.js").read_text(encoding="utf-8") + js
    _SOURCES[name] = Source(html, css, js)
    # In the page's own styles: the scrubber has to reach the charts beside it.
    draw = st.components.v2.component(f"routescope_{name}", html=html, css=css, js=js, isolate_styles=False)
    return lambda key, **options: draw(key=as_key(key), **options)


def as_key(name: str) -> str:
    """The name as the key of a component, which may not hold two underscores in a row."""
    return re.sub("_(?=_)", "_.", name)


def _files(name: str) -> list[Path]:
    """Its HTML, styles and script; one that looks like all buttons has no styles of its own."""
    return [_HERE / f"{name}.{kind}" for kind in ("html", "css", "js")]


_address_button = component("address_button", follows=False)
_crop = component("crop", follows=False)
_scrubber = component("scrubber", follows=False)
_scrubbed = component("scrubbed")
_finding = component("finding")
_frames = component("frames")
_paired = component("paired")
_shading = component("shading")
_share = component("share", follows=False)
_toy = component("toy", follows=False)
_verdict = component("verdict")


def slider(
    n: int,
    label: str = "Routing iteration",
    signals: dict[str, int] | None = None,
    param: str = "iteration",
    address: str = "t",
    start: int | None = None,
    follows: str = "",
    subject: str = "",
) -> Part:
    """A slider from 1 to n with Play, which ``scrubber`` draws.

    Args:
        signals: values for other bound parameters of the charts, by name.
        param: the bound parameter that it drives.
        address: what it is called in the address.
        start: where it begins unless the address says otherwise; at n unless given.
        subject: another one moves the slider to ``start``; "" leaves it where it is.
        follows: key of a chart, as wide as n things side by side, that scrolls so that the chosen one is in sight.
    """
    driven = {"param": param, "address": address, "start": start or n, "follows": follows, "subject": subject}
    return Part(_SOURCES["scrubber"], {"n": n, "label": label, "signals": signals or {}, **driven})


def scrubber(part: Part) -> None:
    """Draw a slider."""
    _scrubber(key=f"scrubber_{part.data['param']}", data=part.data)


def scrubbed(key: str, param: str, start: int) -> int | None:
    """The step that a scrubber is at; None until the browser has answered, which runs the page again.

    Args:
        param: of the scrubber.
        start: the step where there is no scrubber.
    """
    step = _scrubbed(key=key, data={"param": param, "start": start}, on_step_change=lambda: None).step
    return int(step) if isinstance(step, int | float) and 1 <= step < inf else None  # a browser may send anything


def verdict(
    key: str,
    values: np.ndarray,
    classes: list[str],
    notes: list[str],
    percent: bool = True,
    param: str = "iteration",
) -> Part:
    """Draw the classes as bars at the scrubber's step, and a line over all steps beside each bar.

    Args:
        values: [t, k], 0 to 1: probabilities, or lengths of capsules.
        notes: [t], what stands after the leading class.
        percent: whether the values are probabilities.
        param: of the scrubber.
    """
    data = {"values": np.round(values, DIGITS).tolist(), "classes": classes, "notes": notes, "percent": percent}
    data |= {"param": param, "start": len(values)}
    _verdict(key=key, data=data)
    return Part(_SOURCES["verdict"], data)


def finding(key: str, sentences: list[str], param: str = "iteration") -> Part:
    """Draw one sentence a step: the one of the scrubber's step."""
    part = sentence_part(sentences, param)
    _finding(key=key, data=part.data)
    return part


def sentence_part(sentences: Sequence[str], param: str = "iteration") -> Part:
    """One sentence a step for a page that stands alone, not drawn here. Arguments as in ``finding``."""
    return Part(_SOURCES["finding"], {"sentences": list(sentences), "param": param, "start": len(sentences)})


def frames(key: str, chart: str, param: str = "view") -> None:
    """Make a Plotly chart show the frame of the scrubber's step.

    Args:
        chart: key of the chart, which has a button for each frame. The ``meta`` of its last trace is the frame's
            number.
        param: of the scrubber.
    """
    _frames(key=key, data={"chart": chart, "param": param, "start": 1})


def crop(
    key: str,
    url: str,
    across: tuple[int, int],
    down: tuple[int, int],
    on_box: Callable[[list[int]], None],
    label: str = "What is kept of the picture. Arrow keys move it, Shift and arrow keys change its size.",
    is_cover: bool = False,
) -> None:
    """A picture with a box to drag over what is kept of it; arrow keys move it, with Shift they change its size.

    Args:
        url: of the picture.
        across, down: left and right, upper and lower edge, in percent.
        on_box: takes left, right, upper and lower edge in percent, once the user has changed them.
        label: of the box, for screen readers.
        is_cover: whether the box hides what is in it, instead of what is around it.
    """

    def changed() -> None:
        on_box([int(edge) for edge in st.session_state[key]["box"]])

    data = {"url": url, "across": across, "down": down, "label": label, "isCover": is_cover}
    _crop(key=key, data=data, on_box_change=changed)


def toy(
    key: str,
    urls: list[str],
    direction: tuple[int, int] | None = None,
    steps: tuple[int, int] | None = None,
    elevations: tuple[int, int] | None = None,
    on_direction: Callable[[int, int], None] | None = None,
) -> None:
    """A pair of pictures, side by side or as an anaglyph, of a toy that turns as it is dragged or by arrow keys.

    Args:
        urls: of the left eye's picture and the right eye's.
        direction: azimuth and elevation that it is seen from, in degrees; None for a pair that does not turn.
        steps: of azimuth and elevation, in degrees.
        elevations: the lowest and the highest.
        on_direction: takes azimuth and elevation that the user turns it to.
    """

    def changed() -> None:
        if on_direction:
            on_direction(*(int(degrees) for degrees in st.session_state[key]["direction"]))

    data = {"urls": urls, "direction": direction, "steps": steps, "elevations": elevations}
    _toy(key=key, data=data, on_direction_change=changed)


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
    return Part(_SOURCES["shading"], data)


class Dose(NamedTuple):
    """One change in many doses.

    Attributes:
        label: what the slider changes.
        values: the doses.
        probabilities: [dose, t, k].
        value: the dose of the run as it is.
        keep: called with the dose at which the user leaves the slider.
    """

    label: str
    values: np.ndarray
    probabilities: np.ndarray
    value: float
    keep: Callable[[float], None]


class Words(NamedTuple):
    """What two runs are called beside their classes.

    Attributes:
        same_class: before a class that both give.
        alike: after the number where all numbers are the same.
        first, second: after the number of each.
        changes: whether the first became the second, so that an arrow stands between them.
    """

    same_class: str
    alike: str
    first: str
    second: str
    changes: bool


BEFORE_AND_NOW = Words("Still", "before and after alike", "before", "now", True)
A_AND_B = Words("Both", "in A and in B alike", "in A", "in B", False)


def paired(
    key: str,
    before: np.ndarray,
    after: np.ndarray,
    classes: list[str],
    percent: bool = True,
    param: str = "iteration",
    dose: Dose | None = None,
    words: Words = BEFORE_AND_NOW,
) -> Part:
    """Draw the classes before and after a change as pairs of bars at the scrubber's step.

    Args:
        before, after: [t, k], 0 to 1.
        percent, param: as in ``verdict``.
        dose: for a slider that moves the bars in the browser.
        words: for what is before and after.
    """

    def keep() -> None:
        if dose and (value := st.session_state[key].kept) is not None:
            dose.keep(float(value))

    data: dict[str, Any] = {
        "before": np.round(before, DIGITS).tolist(),
        "after": np.round(after, DIGITS).tolist(),
        "classes": classes,
        "percent": percent,
        "param": param,
        "start": len(before),
        "words": words._asdict(),
        "dose": None,
    }
    if dose:
        data["dose"] = {
            "label": dose.label,
            "values": np.round(dose.values, 4).tolist(),
            "probabilities": np.round(dose.probabilities, DIGITS).tolist(),
            "value": dose.value,
        }
    _paired(key=key, data=data, on_kept_change=keep)
    return Part(_SOURCES["paired"], data | {"dose": None})


def address_button(key: str, label: str, icon: str, on_click: Callable[[str], None], help: str = "") -> None:
    """A button that tells the server the page's address, with the step of its scrubber.

    Args:
        on_click: called with the query of the address.
    """

    def send() -> None:
        if (address := st.session_state[key].address) is not None:
            on_click(str(address))

    _address_button(key=key, data={"label": label, "icon": icon, "help": help}, on_address_change=send)


def pin_button(on_click: Callable[[str], None]) -> None:
    """The button that pins the run on screen; arguments as in ``address_button``."""
    address_button("pin", "Pin", "push_pin", on_click)


def share_button(entries: Mapping[str, str], refusal: str, on_click: Callable[[], None]) -> None:
    """The button that copies a link to what is on screen.

    Args:
        entries: that the link has besides those of the address.
        refusal: why there is no link; none if there is one.
        on_click: called once there is a link.
    """
    _share(key="share", data={"entries": dict(entries), "refusal": refusal}, on_shared_change=on_click)


def _segments(text: str, spans: list[tuple[int, int]]) -> list[list[Any]]:
    """[[piece of text, word or None], ...]: what is read of the text, cut at the borders of words."""
    segments, at = [], 0
    for i, (start, end) in enumerate(spans):
        if start > at:
            segments.append([text[at:start], None])
        segments.append([text[start:end], i])
        at = end
    return segments
