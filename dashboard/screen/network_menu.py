"""A menu of networks that shows their titles, while the address holds their names."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboard.runs import checkpoints
from dashboard.screen.address import remember_key


def choose_network(label: str, names: Sequence[str], key: str, none: str = "", **how: Any) -> str:
    """Let the user choose a network.

    A menu that is bound to the address would write the titles into it, and old addresses hold names.

    Args:
        label: label of the menu.
        names: names of the networks; the first is chosen at first.
        key: key of the menu, and its entry in the address.
        none: title of a first choice of no network, if there is one.
        how: other arguments of ``st.selectbox``.

    Returns:
        The name of the chosen network; "" for no network.
    """
    state, params = st.session_state, st.query_params
    options = ["", *names] if none else list(names)
    remember_key(key)
    if params.get(key) not in options[1:]:
        params.pop(key, None)
    state[key] = params.get(key, options[0])

    def keep() -> None:
        params[key] = state[key]

    titles = checkpoints.titles() | {"": none}
    return st.selectbox(label, options, format_func=titles.get, key=key, on_change=keep, **how) or options[0]
