"""Makes a component from an HTML, a CSS and a JavaScript file in this folder."""

import re
from typing import Any

import streamlit as st

from dashboard.components.files import read_files


class Component:
    """A part of a page that runs in the browser. Calling the object draws it.

    Args:
        name: name of its files. A component that looks like a button has no CSS file.
        follows: whether it follows the scrubber or drives charts, which needs follower.js.

    Attributes:
        source: content of its files, for a self-contained page.
    """

    def __init__(self, name: str, follows: bool = True):
        self.source = read_files(name, follows)
        html, css, js = self.source
        # Not isolated from the page, because the scrubber must reach the charts.
        self._draw = st.components.v2.component(f"routescope_{name}", html=html, css=css, js=js, isolate_styles=False)

    def __call__(self, key: str, **options: Any) -> Any:
        """Draw the component, and return the values from the browser. options: as for Streamlit's components."""
        if isinstance(data := options.get("data"), dict):
            # Streamlit imports pandas to see whether a list is a table. It knows that a tuple is none.
            options["data"] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
        return self._draw(key=as_key(key), **options)


def as_key(name: str) -> str:
    """A valid key for a component, which must not contain two underscores in a row."""
    return re.sub("_(?=_)", "_.", name)
