"""The layout of all pages: one question, with its answer visible without scrolling."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_tab_container import TabContainer

from dashboard.screen.address import in_address
from dashboard.screen.glossary import ON_PAGES, draw_terms
from dashboard.screen.lab_links import draw_link_back_to_lab
from dashboard.screen.read_more import draw_read_more
from dashboard.sessions.turns import pass_on
from dashboard.theme import GREY, paint_text


@dataclass(frozen=True)
class Screen:
    """The places of a page from top to bottom. The key of most, for styles and tests, is its name here.

    Attributes:
        limits: place at the end of "How to read this", for what the picture does not show.
        actions: place at the end of the first line, for the tour, the share link, the pin and the export menu.
        input: place for the text or the pictures.
        controls: place that stays visible while the page scrolls. The scrubber's place is the first in it.
        scrubber: first place in ``controls``.
        verdict: place for the classes.
        picture: place for the main picture.
        tabs: place for the sections that are read one at a time.
    """

    limits: DeltaGenerator
    actions: DeltaGenerator
    input: DeltaGenerator
    controls: DeltaGenerator
    scrubber: DeltaGenerator
    verdict: DeltaGenerator
    picture: DeltaGenerator
    tabs: DeltaGenerator


@dataclass(frozen=True)
class Frame(Screen):
    """The places of a page on one run. The picture is on the left; its answer and the inspector are on the right.

    ``tabs`` is for what is about the network.

    Attributes:
        network: place in the top bar, for the network and its badge.
        chips: place below the picture and its scrubber, for the user's edits.
        inspector: place for the picked cell.
    """

    network: DeltaGenerator
    chips: DeltaGenerator
    inspector: DeltaGenerator


def draw_frame(title: str, question: str, folder: Path, tabs_heading: str = "About this network") -> Frame:
    """Draw the title line and the empty places of a page on one run.

    Args:
        title, question, folder: as in ``draw_screen``.
        tabs_heading: heading of the tabs below; "" for none.
    """
    with _title_line():
        limits = _draw_title(title, question, folder)
        draw_link_back_to_lab()
    with st.container(key="top", horizontal=True, vertical_alignment="center", gap="small"):
        network = st.container(key="network", horizontal=True, vertical_alignment="center", gap="small")
        actions = st.container(key="actions", horizontal=True, gap="small", width="content")
    input = st.container(key="input", gap="small")
    with st.container(key="frame"):
        verdict = st.container(key="verdict", gap="small")
        with st.container(key="shown-picture", gap="small"):
            picture = st.container(key="picture", gap="small")
            controls, scrubber = _draw_controls()
            chips = st.container()  # at the end, so that the picture stays where it is when an edit comes
        inspector = st.container(key="inspector", gap="small")
    tabs = st.container(key="tabs", gap="small")
    if tabs_heading:
        tabs.header(tabs_heading)
    return Frame(limits, actions, input, controls, scrubber, verdict, picture, tabs, network, chips, inspector)


def draw_screen(title: str, question: str, folder: Path) -> Screen:
    """Draw the title line and the empty places of a page.

    Args:
        title: title of the page.
        question: question that the page answers.
        folder: folder of the page; its how_to_read.html is an annotated picture with three steps.
    """
    with _title_line():
        limits = _draw_title(title, question, folder)
        actions = st.container(key="actions", horizontal=True, gap="small", width="content")
    input = st.container(key="input", gap="small")
    controls, scrubber = _draw_controls()
    verdict, picture, tabs = (st.container(key=key, gap="small") for key in ("verdict", "picture", "tabs"))
    return Screen(limits, actions, input, controls, scrubber, verdict, picture, tabs)


def _draw_title(title: str, question: str, folder: Path) -> DeltaGenerator:
    """Draw the title, the question and "How to read this", and return the place at the end of the latter."""
    st.title(title, width="content", anchor=False)
    st.markdown(question, width="stretch")
    with st.popover("How to read this", icon=":material/help:", type="tertiary"):
        draw_terms(*ON_PAGES.get(folder.name, ()), lead="Words used here:", key="words used here")
        _draw_how_to_read((folder / "how_to_read.html").read_text(encoding="utf-8"))
        limits = st.container()
        draw_read_more(folder.name)
        return limits


def _title_line() -> DeltaGenerator:
    """The place for the title."""
    return st.container(key="title", horizontal=True, vertical_alignment="center", gap="small")


def _draw_controls() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw the places for controls, and for the scrubber, which is the first of them."""
    controls = st.container(key="controls", horizontal=True, vertical_alignment="center", gap="medium")
    return controls, controls.container(key="scrubber")


def _draw_how_to_read(html: str) -> None:
    """Draw the picture as an image, because ``st.html`` drops SVG, and then the steps."""
    picture, steps = html.split("</svg>")
    alt = picture.split('aria-label="')[1].split('"')[0]
    painted = paint_text(picture.replace("currentColor", GREY), dark=st.context.theme.type == "dark")
    st.image(f"{painted}</svg>", width=360, alt=alt)
    st.html(steps)


def make_tabs(*names: str, key: str = "tab") -> dict[str, TabContainer]:
    """Make empty tabs, by name. The address names the open one, by this key."""
    return dict(zip(names, st.tabs(names, on_change="rerun", **in_address(key)), strict=True))


def draw_open_tab(tabs: dict[str, TabContainer], sections: Mapping[str, Callable[..., None]], *picked: Any) -> None:
    """Draw the section of the open tab; the others are not computed.

    Args:
        tabs: tabs from ``make_tabs``.
        sections: function that draws each tab.
        picked: choices on the page, which are passed to the section.
    """
    for name, tab in tabs.items():
        if tab.open:
            pass_on()
            with tab:
                sections[name](*picked)
