"""The inspector: the picked cell, what can be changed, and whether it matters."""

from collections.abc import Callable, Mapping

from dashboard.screen.skeleton import Frame, draw_open_tab, make_tabs

THIS, CHANGE, TEST = "This cell", "Change it", "Test it"  # sections of the inspector
KEY = "inspect"  # entry of the address with the open section


def draw_inspector(frame: Frame, sections: Mapping[str, Callable[[], None]]) -> None:
    """Draw the open section of the inspector.

    Args:
        frame: places of the page.
        sections: function that draws each section.
    """
    with frame.inspector:
        draw_open_tab(make_tabs(*sections, key=KEY), sections)
