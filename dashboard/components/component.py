"""Makes a component of a HTML, a CSS and a JavaScript file of this folder."""

import re
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.figures.standalone import Source

_HERE = Path(__file__).parent
DIGITS = 7  # of what the browser prints with three: rounded to fewer first, it would print another third one


class Component:
    """A component, whose call draws it.

    Args:
        name: of its files. One that looks like all buttons has no styles of its own.
        follows: whether it follows the scrubber.

    Attributes:
        source: what its files hold, for a page that stands alone.
    """

    def __init__(self, name: str, follows: bool = True):
        html, css, js = (
            path.read_text(encoding="utf-8") if path.is_file() else ""
            for path in (_HERE / f"{name}.{kind}" for kind in ("html", "css", "js"))
        )
        if follows:
            js = (_HERE / "follower.js").read_text(encoding="utf-8") + js
        self.source = Source(html, css, js)
        # In the page's own styles: the scrubber has to reach the charts beside it.
        self._draw = st.components.v2.component(f"routescope_{name}", html=html, css=css, js=js, isolate_styles=False)

    def __call__(self, key: str, **options: Any) -> Any:
        """Draw it, and return what the browser has sent. Options as of Streamlit's components."""
        return self._draw(key=as_key(key), **options)


def as_key(name: str) -> str:
    """The name as the key of a component, which may not hold two underscores in a row."""
    return re.sub("_(?=_)", "_.", name)
