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
    options, written = ["", *names] if none else list(names), f"{key} in address"
    given = params.get(key, options[0])
    # A link, or the browser's Back: the address is not the one that the menu has written.
    if given in options and (key not in state or given != state.get(written)):
        state[key] = given
    titles = {name: checkpoints.title(name) for name in names} | {"": none}
    remember_key(key)
    chosen = st.selectbox(label, options, key=key, format_func=titles.get, **how) or options[0]
    if chosen == options[0]:
        params.pop(key, None)
    else:
        params[key] = chosen
    state[written] = params.get(key, options[0])
    return chosen
