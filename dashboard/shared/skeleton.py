"""The screen of a page: one question, and its answer in sight without scrolling."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_tab_container import TabContainer


@dataclass(frozen=True)
class Screen:
    """The places of a page, from top to bottom. Styles and tests find them by their keys, which are these names."""

    actions: DeltaGenerator
    input: DeltaGenerator
    controls: DeltaGenerator
    verdict: DeltaGenerator
    picture: DeltaGenerator
    tabs: DeltaGenerator


def draw_screen(title: str, question: str, how_to_read: str) -> Screen:
    """Draw the title line and the empty places. ``actions`` is the end of the title line, ``controls`` stays in sight.

    Args:
        question: what a person comes here to find out; it stands beside the title.
        how_to_read: Markdown, three steps.
    """
    actions = st.container(key="actions", horizontal=True, vertical_alignment="center", gap="small")
    with actions:
        st.title(title, width="content", anchor=False)
        st.markdown(question, width="content")
        with st.popover("How to read this", icon=":material/help:", type="tertiary"):
            st.markdown(how_to_read)
    places = ("input", "controls", "verdict", "picture", "tabs")
    return Screen(actions, *(st.container(key=place, gap="small") for place in places))


def make_tabs(names: list[str]) -> dict[str, TabContainer]:
    """Empty tabs by name. The address names the open one."""
    return dict(zip(names, st.tabs(names, key="tab", on_change="rerun", bind="query-params"), strict=True))


def draw_open(tabs: Mapping[str, TabContainer], sections: Mapping[str, Callable[[], None]]) -> None:
    """Draw the section of the open tab; the others are not even computed."""
    for name, tab in tabs.items():
        if tab.open:
            with tab:
                sections[name]()
