"""The menu that adds a user's checkpoint: uploaded, checked, used in this session and, on a private server, saved."""

from functools import partial

import streamlit as st

from dashboard.jobs import saved
from dashboard.pages.models.texts import PUBLIC, SAVED, ZIP
from dashboard.runs.files import is_made_here, packer
from dashboard.screen.markdown import escape, escape_error
from dashboard.sessions.models import add_upload, session_models, uploaded

MAX_MEGABYTES = 128  # largest size of an archive


def draw_adding() -> None:
    """Draw a menu that takes an archive, explains what is wrong with it, and lists this session's checkpoints."""
    with st.popover("Add a model", icon=":material/add:", type="tertiary", key="add a model"):
        st.caption(ZIP)
        how = {"key": "model", "max_upload_size": MAX_MEGABYTES, "on_change": _add}
        st.file_uploader("Your model", **how)  # accepts any type, and explains what is wrong
        if st.session_state.get("model error"):
            st.error(escape_error(st.session_state["model error"]), icon=":material/error:")
        for name in uploaded():
            _draw_uploaded(name)
        st.caption(escape(SAVED.format(folder=saved.folder())) if saved.may_save() else PUBLIC)


def _add() -> None:
    """Read the uploaded archive, and choose its checkpoint."""
    file = st.session_state.model
    st.session_state["model error"] = ""
    if file is None:
        return
    try:
        st.query_params["checkpoint"] = add_upload(file, file.name)
    except (ValueError, OSError) as error:
        st.session_state["model error"] = str(error)


def _draw_uploaded(name: str) -> None:
    """Draw the name of an uploaded checkpoint, and the buttons for it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(name, width="stretch")
        if is_made_here(name):
            file = {"data": packer(name), "file_name": f"{name}.zip", "mime": "application/zip"}
            help = "The archive that can be uploaded here again."
            st.download_button("Download", key=f"download {name}", on_click="ignore", help=help, **file)
        if saved.may_save():
            help = f"Keep it in {escape(str(saved.folder()))}, where all users of this server see it."
            st.button("Save", on_click=partial(_save, name), key=f"save {name}", help=help)
        remove = {"on_click": partial(session_models().remove, name), "help": "Delete it from this session."}
        st.button("Remove", key=f"remove {name}", **remove)


def _save(name: str) -> None:
    """Save a checkpoint for all users of this server."""
    try:
        folder = saved.save_upload(name)
        st.toast(escape(f"Saved as {folder}. All users of this server see it."), icon=":material/check:")
    except (ValueError, OSError) as error:
        st.session_state["model error"] = str(error)
