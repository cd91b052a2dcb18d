"""What is picked in the tabs: it is kept while another tab is open, and the picture above shows it too."""

from typing import NamedTuple

from streamlit.elements.lib.mutable_tab_container import TabContainer

from core.traces.em import EMPlacesTrace
from dashboard.pages.smallnorb.readable import choose_method
from dashboard.pages.smallnorb.turning import Turn, choose_quantity
from dashboard.screen.inputs import choose_part
from dashboard.screen.skeleton import open_or_first


class Picked(NamedTuple):
    """A part, from 0; one of ``turning.QUANTITIES``; one of ``readable.METHODS``."""

    part: int
    quantity: str
    method: str


def pick(tabs: dict[str, TabContainer], name: str, trace: EMPlacesTrace, turn: Turn | None, subject: str) -> Picked:
    """Draw the inputs of the tabs.

    Args:
        tabs: tabs of the page, by name.
        name: checkpoint.
        trace: run for as many iterations as the checkpoint was trained with.
        turn: pose vectors of the views.
        subject: pair that is routed; another one has its own first part.
    """
    with open_or_first(tabs, "One part", "What if").columns(3)[0]:
        part = choose_part(trace, subject)
    return Picked(part, choose_quantity(turn, tabs["Turning"]), choose_method(tabs["Measured"], name))
