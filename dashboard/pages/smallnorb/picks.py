"""Choices in the tabs, which are kept while another tab is open and also apply to the picture above."""

from typing import NamedTuple

from streamlit.elements.lib.mutable_tab_container import TabContainer

from core.traces.em import EMPlacesTrace
from dashboard.pages.smallnorb.readable import choose_method
from dashboard.pages.smallnorb.turning import Turn, choose_quantity
from dashboard.screen.inputs import choose_part
from dashboard.screen.skeleton import open_or_first


class Picked(NamedTuple):
    """The index of a part, one of ``turning.QUANTITIES``, and one of ``readable.METHODS``."""

    part: int
    quantity: str
    method: str


def pick(tabs: dict[str, TabContainer], name: str, trace: EMPlacesTrace, turn: Turn | None, subject: str) -> Picked:
    """Let the user choose a part, a quantity and a method in the tabs.

    Args:
        tabs: tabs of the page, by name.
        name: checkpoint.
        trace: trace with the trained number of iterations.
        turn: pose vectors of the views.
        subject: value that identifies the routed pair; if it changes, the choice of a part starts again.
    """
    with open_or_first(tabs, "One part", "What if").columns(3)[0]:
        part = choose_part(trace, subject)
    return Picked(part, choose_quantity(turn, tabs["Turning"]), choose_method(tabs["Measured"], name))
