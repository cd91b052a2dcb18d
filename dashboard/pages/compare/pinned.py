"""The table of pinned runs: shown on either side, named and noted, reopened, saved to a file and read from one."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard.pages.compare.report import draw_report
from dashboard.pages.compare.sides import POSITIONS, show_pin
from dashboard.pages.compare.texts import NO_PINS, NOT_HERE, PICTURES, WEIGHTS
from dashboard.runs import checkpoints
from dashboard.screen.address import link_to
from dashboard.screen.links import page_file
from dashboard.screen.markdown import escape
from dashboard.screen.pins import MAX_NAME, MAX_NOTE, MAX_PINS, Pin, address_of, from_json, keep, pins, to_json
from dashboard.sessions.uploads import read_upload

MAX_MEGABYTES = 5  # largest size of a file of pinned runs
SHORT = 80  # characters of a text in the table
SHOW = {letter: f"Show {position.lower()}" for letter, position in POSITIONS.items()}  # labels of buttons


def draw_pinned(device: str) -> None:
    """Draw the table of pinned runs, with editable names and notes, and buttons for a run and for all runs.

    Args:
        device: device of the runs in a report.
    """
    kept = pins()
    if not kept:
        st.caption(NO_PINS)
    else:
        if not all(pin.text for pin in kept):
            st.caption(PICTURES)
        _draw_table()
        _draw_actions()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        how = {"key": "pins file", "max_upload_size": MAX_MEGABYTES, "on_change": _read, "width": 420}
        st.file_uploader("Load a file of pinned runs", **how)  # accepts any type, and explains what is wrong
        make = {"data": lambda: to_json(kept), "file_name": "pinned runs.json", "mime": "application/json"}
        label, icon = "Save all to a file", ":material/download:"
        st.download_button(label, icon=icon, disabled=not kept, on_click="ignore", **make)
        draw_report(device)
    if error := st.session_state.get("pins error"):
        st.error(escape(error), icon=":material/error:")


def _draw_table() -> None:
    kept = pins()
    config = st.column_config
    buttons = {
        letter: config.ButtonColumn(
            POSITIONS[letter].lower(), width="small", key=f"show {letter}", on_click=_show, args=(letter,)
        )
        for letter in SHOW
    }
    st.data_editor(
        pd.DataFrame([_row(pin) for pin in kept]), hide_index=True, key=_table_key(), on_change=_rename,
        height="content", disabled=["model", "step", "edits", "weights", "text"], alt="Pinned runs",
        column_config={
            **buttons,
            "name": config.TextColumn("name", max_chars=MAX_NAME, required=True, width="medium"),
            "note": config.TextColumn("note", max_chars=MAX_NOTE, width="medium"),
            "weights": config.TextColumn("weights", help="Whether the weights are those of the pinned run."),
        },
    )  # fmt: skip


def _row(pin: Pin) -> dict[str, object]:
    """A row of the table. Runs of pictures have no buttons."""
    title = checkpoints.title(pin.model) if pin.model in checkpoints.known() else pin.model
    buttons = {letter: label if pin.text else "" for letter, label in SHOW.items()}
    settings = {"step": pin.step, "edits": " ".join(pin.edits), "weights": pin.state}
    text = " ".join(pin.text.split())[:SHORT]
    return {**buttons, "name": pin.name, "text": text, "note": pin.note, "model": title, **settings}


def _show(letter: str) -> None:
    """Show the run of the clicked row on a side."""
    row = st.session_state[f"show {letter}"].row
    if row in range(len(pins())) and pins()[row].text:  # a browser can send any row
        show_pin(letter, pins()[row])


def _table_key() -> str:
    """The key of the table. It changes with the list of runs, so that the table shows the new list."""
    return f"pins {st.session_state.get('pins changed', 0)} {len(pins())}"


def _rename() -> None:
    """Keep the names and notes that the user has edited in the table."""
    kept = pins()
    for row, cells in st.session_state[_table_key()]["edited_rows"].items():
        texts = {name: value or "" for name, value in cells.items() if name in ("name", "note")}
        kept[row] = replace(kept[row], **texts)
    keep(kept)


def _draw_actions() -> None:
    kept = pins()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        number = st.selectbox("Run", range(len(kept)), format_func=lambda k: kept[k].name, key="pinned run", width=420)
        chosen = kept[number or 0]
        is_missing = chosen.state == "not here"
        query = link_to(address_of(number or 0))
        link = {"icon": ":material/arrow_forward:", "disabled": is_missing, "query_params": query}
        st.page_link(page_file(chosen.page), label="Open in its page", **link)
        st.button("Remove", icon=":material/delete:", key="remove pinned", on_click=_remove)
    if chosen.state == "changed":
        st.warning(escape(WEIGHTS.format(model=chosen.model, name=chosen.name)), icon=":material/warning:")
    elif is_missing:
        st.warning(escape(NOT_HERE.format(model=chosen.model)), icon=":material/warning:")


def _remove() -> None:
    """Remove the chosen run."""
    kept, number = pins(), st.session_state["pinned run"]
    keep([pin for k, pin in enumerate(kept) if k != number])
    st.session_state["pins changed"] = st.session_state.get("pins changed", 0) + 1


def _read() -> None:
    """Add the runs of the uploaded file, or keep the reason why that is impossible."""
    file = st.session_state["pins file"]
    st.session_state["pins error"] = ""
    if file is None:
        return
    try:
        together = [*pins(), *from_json(read_upload(file, MAX_MEGABYTES))]
        if len(together) > MAX_PINS:
            raise ValueError(
                f"With this file {len(together)} runs would be pinned, more than {MAX_PINS}. Remove some first."
            )
        keep(together)
    except ValueError as error:
        st.session_state["pins error"] = str(error)
    st.session_state["pins changed"] = st.session_state.get("pins changed", 0) + 1
