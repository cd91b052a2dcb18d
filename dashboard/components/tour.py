"""A button that leads through the parts of the screen."""

from collections.abc import Callable, Sequence

from dashboard.components.component import Component

_tour = Component("tour", follows=False)


def tour_button(key: str, steps: Sequence[tuple[str, str]], opens: bool, on_leave: Callable[[], None]) -> None:
    """Draw the button.

    Args:
        key: key of the component.
        steps: key of each part of the screen, and the sentence about it.
        opens: whether the tour starts by itself.
        on_leave: function to call after a tour that started by itself.
    """
    data = {"label": "Tour", "steps": [{"key": part, "says": says} for part, says in steps], "opens": opens}
    _tour(key=key, data=data, on_left_change=on_leave)
