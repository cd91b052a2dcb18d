"""Buttons that need the page's address as the browser shows it."""

from collections.abc import Callable, Mapping

import streamlit as st

from dashboard.components.component import Component

_address_button = Component("address_button", follows=False)
_share = Component("share", follows=False)


def address_button(key: str, label: str, icon: str, on_click: Callable[[str], None], help: str = "") -> None:
    """Draw a button that sends the page's address to the server, with the step of its scrubber.

    Args:
        key, label, icon, help: as in ``st.button``.
        on_click: function to call with the query of the address.
    """

    def send() -> None:
        if (address := st.session_state[key].address) is not None:
            on_click(str(address))

    _address_button(key=key, data={"label": label, "icon": icon, "help": help}, on_address_change=send)


def pin_button(on_click: Callable[[str], None]) -> None:
    """Draw the button that pins the run on screen. on_click: as in ``address_button``."""
    address_button("pin", "Pin", "push_pin", on_click)


def share_button(entries: Mapping[str, str], refusal: str, on_click: Callable[[], None]) -> None:
    """Draw the button that copies a link to the current screen.

    Args:
        entries: entries of the link in addition to those of the address.
        refusal: reason why there is no link; "" if there is one.
        on_click: function to call after a link was made.
    """
    _share(key="share", data={"entries": dict(entries), "refusal": refusal}, on_shared_change=on_click)
