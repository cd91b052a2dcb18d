"""What each page keeps in its address: no other page shows it, and the page has it again when one returns."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

LINK = "open"  # in an address: all that it should say
OFF = "-"  # in an address, before an edit that is switched off
OF_STREAMLIT = ("embed", "embed_options")  # in an address, in any case: no page may set them


class Left(NamedTuple):
    """A page as it was left.

    Attributes:
        address: its entries.
        typed: the text that the user had typed; None if it showed an example.
    """

    address: dict[str, list[str]]
    typed: str | None


def in_address(key: str, of_text: bool = False) -> dict[str, Any]:
    """The arguments of a widget that keeps its value in the address.

    Args:
        of_text: whether the value means something else in another text.
    """
    st.session_state.setdefault("in address", {})[key] = of_text
    return {"key": key, "bind": "query-params"}


def link_to(address: Mapping[str, str | Sequence[str]]) -> dict[str, str]:
    """The query of a link to another page.

    It is a single entry: Streamlit drops an entry that is called like an input of the page that one leaves.
    """
    return {LINK: urlencode(address, doseq=True)}


def enter_page(name: str) -> None:
    """Forget what the page before has in its address, and bring back the address that this one had when it was left.

    A link brings its own address instead.
    """
    state, params = st.session_state, st.query_params
    before, state.page = state.get("page"), name
    link, given = params.get(LINK), _address()
    if link is None and before in (None, name):
        return
    for key in state.get("in address", ()):
        state.pop(key, None)
    address = _left(name) | given if link is None else _read(link)
    if address != given:
        with suppress(StreamlitAPIException):  # a program may keep the inputs of the page before
            params.from_dict(address)
        st.rerun()  # only what is there when a run begins reaches the widgets


def remember_address() -> None:
    """Remember the address of the page, for when one returns to it."""
    state = st.session_state
    state.setdefault("left", {})[state.page] = Left(_address(), _typed())


def end_page() -> NoReturn:
    """Remember the address, and end the run: the page can draw nothing more."""
    remember_address()
    st.stop()


def _read(link: str) -> dict[str, list[str]]:
    """The address in a link, without what no page may set."""
    return {key: values for key, values in parse_qs(link).items() if key.lower() not in OF_STREAMLIT}


def _left(name: str) -> dict[str, list[str]]:
    """The address that a page was left with, as far as it is still true of the present text."""
    state = st.session_state
    address, typed = state.get("left", {}).get(name, Left({}, None))
    return {key: value for key, value in address.items() if typed == _typed() or not state["in address"].get(key)}


def _typed() -> str | None:
    return st.session_state.typed if st.session_state.get("typed_by_user") else None


def _address() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params}
