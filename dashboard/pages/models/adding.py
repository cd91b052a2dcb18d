"""A checkpoint of the user's own: uploaded, checked, used in this session, and saved on purpose."""

from functools import partial

import streamlit as st

from dashboard import runs
from dashboard.pages.models.texts import FOLDER, ZIP
from dashboard.shared.markdown import escape, escape_error

LARGEST = 128  # MB of an archive


def draw_adding() -> None:
    """Draw a menu that takes an archive, says what is wrong with it, and lists what this session has."""
    with st.popover("Add a model", icon=":material/add:", type="tertiary", key="add a model"):
        st.caption(ZIP)
        st.file_uploader("Your model", "zip", key="model", max_upload_size=LARGEST, on_change=_add)
        if st.session_state.get("model error"):
            st.error(escape_error(st.session_state["model error"]), icon=":material/error:")
        for name in runs.uploaded():
            _draw_uploaded(name)
        st.caption(FOLDER)


def _add() -> None:
    """Read the uploaded archive, and choose its checkpoint."""
    file = st.session_state.model
    st.session_state["model error"] = ""
    if file is None:
        return
    try:
        st.session_state.checkpoint = runs.add_upload(file, file.name)
    except (ValueError, OSError) as error:
        st.session_state["model error"] = str(error)


def _draw_uploaded(name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(name, width="stretch")
        st.button(
            "Save",
            on_click=partial(_save, name),
            key=f"save {name}",
            help="Keep it on this server, where all users see it.",
        )
        st.button("Remove", on_click=partial(_remove, name), key=f"remove {name}", help="Delete it from this session.")


def _save(name: str) -> None:
    try:
        runs.save_upload(name)
        st.toast(f"{escape(name)} is kept on this server, where all users see it.", icon=":material/check:")
    except (ValueError, OSError) as error:
        st.session_state["model error"] = str(error)


def _remove(name: str) -> None:
    runs.remove_upload(name)
