"""The state of each page in its address: removed when the user leaves the page, restored when they return."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

LINK = "open"  # entry of an address that contains the whole target address
OFF = "-"  # prefix that marks an edit as switched off in an address
# Tabs of earlier versions that are sections of the inspector now, by the tab's name in an address.
SECTIONS = {
    "One cell": "This cell",
    "One capsule": "This cell",
    "What if": "Change it",
    "Does it hold?": "Test it",
}
RESERVED = ("embed", "embed_options")  # entries that no page may set, in upper or lower case


class LeftPage(NamedTuple):
    """The state of a page when the user left it.

    Attributes:
        address: entries of the address.
        typed: text that the user had typed; None for an example.
    """

    address: dict[str, list[str]]
    typed: str | None


def in_address(key: str, is_of_text: bool = False) -> dict[str, Any]:
    """The arguments that keep the value of a widget in the address.

    Args:
        key: key of the widget.
        is_of_text: whether the value is only meaningful for the current text.
    """
    remember_key(key, is_of_text)
    return {"key": key, "bind": "query-params"}


def remember_key(key: str, is_of_text: bool = False) -> None:
    """Remember that the address holds a widget's value. Arguments as in ``in_address``, which binds it too."""
    st.session_state.setdefault("in address", {})[key] = is_of_text


def link_to(address: Mapping[str, str | Sequence[str]]) -> dict[str, str]:
    """The query of a link to another page.

    It is a single entry, because Streamlit drops entries with the key of an input on the current page.
    """
    return {LINK: urlencode(address, doseq=True)}


def enter_page(name: str) -> None:
    """Replace the address of the previous page by the address that this page had when the user left it.

    A link contains an address, which is used instead.
    """
    state, params = st.session_state, st.query_params
    previous, state.page = state.get("page"), name
    link, given = params.get(LINK), _address()
    if link is None and previous in (None, name) and _with_sections(given) == given:
        return
    for key in state.get("in address", ()):
        state.pop(key, None)
        if link is not None:
            state.pop(f"{key} of", None)  # the link's value counts, whatever the input was about before
    if link is not None:
        address = _read(link)
    else:
        address = given if previous in (None, name) else _address_when_left(name) | given
    address = _with_sections(address)
    if address != given:
        try:
            params.from_dict(address)
        except StreamlitAPIException:  # it sets an input that is on the page already; the link must not be read again
            params.pop(LINK, None)
        st.rerun()  # widgets read the address only at the start of a run


def remember_address() -> None:
    """Remember the address of the page until the user returns to it."""
    state = st.session_state
    state.setdefault("left", {})[state.page] = LeftPage(_address(), _typed())


def end_page() -> NoReturn:
    """Remember the address, and end the run of the page."""
    remember_address()
    st.stop()


def _with_sections(address: dict[str, list[str]]) -> dict[str, list[str]]:
    """An address, in which a tab of an earlier version is the section of the inspector that has its content now."""
    section = SECTIONS.get(next(iter(address.get("tab", [])), ""))
    if section is None:
        return address
    return {key: values for key, values in address.items() if key != "tab"} | {"inspect": [section]}


def _read(link: str) -> dict[str, list[str]]:
    """The address in a link, without entries that no page may set."""
    return {key: values for key, values in parse_qs(link).items() if key.lower() not in RESERVED}


def _address_when_left(name: str) -> dict[str, list[str]]:
    """The address that a page had when the user left it, without entries that belong to another text."""
    state = st.session_state
    address, typed = state.get("left", {}).get(name, LeftPage({}, None))
    return {key: value for key, value in address.items() if typed == _typed() or not state["in address"].get(key)}


def _typed() -> str | None:
    """The text that the user has typed; None for an example."""
    return st.session_state.typed if st.session_state.get("typed_by_user") else None


def _address() -> dict[str, list[str]]:
    """All entries of the address."""
    return {key: st.query_params.get_all(key) for key in st.query_params}
