"""The slider that drives every picture of a page, with Play."""

from math import inf

from dashboard.components.component import Component
from dashboard.figures.standalone import Part

_scrubber = Component("scrubber", follows=False)
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
    return Part(_scrubber.source, {"n": n, "label": label, "signals": signals or {}, **driven})


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
