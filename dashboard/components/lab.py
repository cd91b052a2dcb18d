"""The Lab's picture: parts that a person moves, or clouds of votes, and their routings side by side."""

from collections.abc import Callable
from typing import Any

from dashboard.components.component import Component

_lab = Component("lab")


def lab(key: str, data: dict[str, Any], on_move: Callable[[], None]) -> None:
    """Draw the picture. While a part is moved, the browser sends where the parts are, and the answer is drawn.

    Args:
        data: as ``dashboard.pages.lab.picture`` makes it.
        on_move: called before each answer; the message is ``st.session_state[key].scene``.
    """
    _lab(key=key, data=data | {"param": "iteration", "start": data["start"]}, on_scene_change=on_move)
