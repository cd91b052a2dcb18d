"""Buttons that know the page's address as the browser shows it."""

from collections.abc import Callable, Mapping

import streamlit as st

from dashboard.components.component import Component

_address_button = Component("address_button", follows=False)
_share = Component("share", follows=False)


def address_button(key: str, label: str, icon: str, on_click: Callable[[str], None], help: str = "") -> None:
    """A button that tells the server the page's address, with the step of its scrubber.

    Args:
        on_click: called with the query of the address.
    """

    def send() -> None:
        if (address := st.session_state[key].address) is not None:
            on_click(str(address))

    _address_button(key=key, data={"label": label, "icon": icon, "help": help}, on_address_change=send)


def pin_button(on_click: Callable[[str], None]) -> None:
    """The button that pins the run on screen; arguments as in ``address_button``."""
    address_button("pin", "Pin", "push_pin", on_click)


def share_button(entries: Mapping[str, str], refusal: str, on_click: Callable[[], None]) -> None:
    """The button that copies a link to what is on screen.

    Args:
        entries: that the link has besides those of the address.
        refusal: why there is no link; none if there is one.
        on_click: called once there is a link.
    """
    _share(key="share", data={"entries": dict(entries), "refusal": refusal}, on_shared_change=on_click)
