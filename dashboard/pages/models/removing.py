"""The menu that deletes a saved checkpoint from its owner's computer."""

import streamlit as st

from dashboard.jobs import saved
from dashboard.pages.models.texts import REMOVES
from dashboard.screen.markdown import escape, escape_error


def draw_removing(name: str) -> None:
    """Draw a menu that deletes a saved checkpoint after a confirmation.

    Nothing is drawn for other checkpoints or on a public server.
    """
    folder = saved.folder_of_saved(name) if saved.may_save() else None
    if folder is None:
        return
    with st.popover("Remove", icon=":material/delete:", type="tertiary", key=f"removing {name}"):
        st.text(REMOVES.format(name=name, folder=folder))
        st.button("Delete it", key=f"delete {name}", on_click=_remove, args=(name,))


def _remove(name: str) -> None:
    try:
        saved.remove_saved(name)
    except (ValueError, OSError) as error:
        st.toast(escape_error(error), icon=":material/error:")
    else:
        st.toast(f"{escape(name)} is deleted.", icon=":material/check:")
