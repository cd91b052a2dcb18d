"""The Lab's picture: parts that a user moves, or clouds of votes, and their routings side by side."""

from collections.abc import Callable
from typing import Any

from dashboard.components.component import Component

_lab = Component("lab")


def lab(key: str, data: dict[str, Any], on_move: Callable[[], None]) -> None:
    """Draw the picture. While a user moves a part, the browser sends the positions and draws the answer.

    Args:
        key: key of the component.
        data: data from ``dashboard.pages.lab.picture``.
        on_move: function to call with each message from the browser, which is in ``st.session_state[key].scene``.
    """
    _lab(key=key, data=data | {"param": "iteration"}, on_scene_change=on_move)
