"""The finished rows: a summary, pictures that filter them, and a table that opens them."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st
from numpy import ndarray

from core.sentences.confusion import confusion, describe_classes, describe_confusion
from dashboard.jobs.corpus import CorpusRun
from dashboard.pages.corpus.filters import COLUMNS, choose_rows, clear, codes, keys, pick_bin, pick_cell
from dashboard.pages.corpus.texts import AS_TYPED, HELP, LAST, OTHER
from dashboard.runs import checkpoints
from dashboard.screen.links import draw_page_link
from dashboard.screen.markdown import escape, escape_error
from dashboard.screen.pins import ROW_LINK
from dashboard.screen.spreadsheet import to_csv
from dashboard.screen.waits import in_words

REFRESH = 1.0  # seconds
FIRST_SHOWN = 2000  # rows to show while every refresh sends them again
SHORT, MAX_CELL = 160, 2000  # characters of a text in the table, and of the selected row's text


def draw_results(run: CorpusRun) -> None:
    """Draw the finished rows, and refresh them every second during the run."""
    st.fragment(_draw, run_every=REFRESH if run.runs else None)(run, run.runs)


def _draw(run: CorpusRun, ran: bool) -> None:
    """Draw everything once. ran: whether the run was going on when the page was drawn."""
    if ran and not run.runs:
        st.rerun()  # to update the buttons
    rows = run.results()
    n = len(run.source.rows)
    if run.runs:
        st.progress(run.share, f"{len(rows):,} of {n:,} texts, {run.place or _pace(run)}")
    elif run.failed:
        st.error(escape_error(f"The run stopped early: {run.failed}"), icon=":material/error:")
    elif len(rows) < n:
        st.caption(f"Cancelled: {len(rows):,} of {n:,} texts were run.")
    else:
        st.caption(LAST)
    _draw_sentences(run, rows)
    names = COLUMNS[: len(run.names)]
    *matrices, histogram = st.columns([3, *[3] * (len(names) - 1), 2], gap="medium")
    picks = []
    for place, column, title in zip(matrices, names, run.titles, strict=True):
        with place:
            if len(names) > 1:
                st.caption(escape(title))
            picks.append(pick_cell(run, rows, column))
    with histogram:
        if len(names) > 1:
            st.caption(escape(run.titles[0]))
        picks.append(pick_bin(run, rows))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        mask = np.logical_and.reduce([choose_rows(run, rows), *(pick.rows for pick in picks)])
        chosen = rows.filter(pa.array(mask))
        if picked := " and ".join(pick.name for pick in picks if pick.name):
            help = "Show the texts of all cells and bars again."
            st.button(f"Only {escape(picked)}", icon=":material/close:", on_click=clear, key="clear", help=help)
        sentence = f"{len(chosen):,} of {len(rows):,} rows. Select a row to open its text."
        if run.runs and len(chosen) > FIRST_SHOWN:
            sentence += f" Until the run ends, the first {FIRST_SHOWN:,} are shown."
        st.caption(sentence)
        make = {"data": lambda: _to_csv(chosen), "file_name": "my texts.csv", "mime": "text/csv", "on_click": "ignore"}
        st.download_button("CSV", icon=":material/download:", type="tertiary", **make)
    _draw_table(run, rows, chosen.slice(0, FIRST_SHOWN) if run.runs else chosen)


def _pace(run: CorpusRun) -> str:
    """The rate of a run and the time that is left, in words."""
    if run.pace is None:
        return "starting"
    rate, left = run.pace
    return f"{rate:,.0f} a second, {in_words(left)}" if rate >= 1 else in_words(left)


def _draw_sentences(run: CorpusRun, rows: pa.Table) -> None:
    """Say what each network answers, and which rows are not counted."""
    truth = codes(rows["truth"], run.classes, OTHER)
    for column, title in zip(COLUMNS, run.titles, strict=False):
        sentence = sentence_on(run, rows, truth, column)
        st.markdown(f"**{escape(title)}** on {escape(run.source.title)}: {escape(sentence)}")
    notes = [AS_TYPED] if run.source.is_joined else []
    if (first := run.source.counted_from) is not None:
        notes.append(f"The labels are numbers from {first} on: {first} is {escape(run.classes[0])}.")
    if n_other := int((truth == len(run.classes)).sum()):
        are = "it is" if n_other == 1 else "they are"
        notes.append(f"{_rows(n_other, 'has', 'have')} a label that is not a class of this model; {are} not counted.")
    if n_refused := int(pc.sum(pc.is_valid(rows["error"])).as_py() or 0):
        notes.append(f"{_rows(n_refused, 'could', 'could')} not be read.")
    if notes:
        st.caption(" ".join(notes))


def sentence_on(run: CorpusRun, rows: pa.Table, truth: ndarray, column: str = "class") -> str:
    """Say what a network answers, and for the second one how often it agrees with the first.

    Args:
        run: run of the texts.
        rows: finished rows.
        truth: index of each row's true class.
        column: column of the network's predictions.
    """
    classes, given = run.classes, codes(rows[column], run.classes)
    if column == COLUMNS[1] and not (given >= 0).any():
        return "no answer yet." if run.runs else "no answer."
    known = (given >= 0) & (truth >= 0) & (truth < len(classes))
    if known.any():
        sentence = describe_confusion(confusion(truth[known], given[known], len(classes), len(classes)), classes)
    else:
        sentence = describe_classes(np.bincount(given[given >= 0], minlength=len(classes)), classes)
    if column == COLUMNS[0]:
        return sentence
    same = pc.drop_null(pc.equal(rows[COLUMNS[0]], rows[column]))
    return f"{sentence} It agrees with the first model on {pc.mean(same).as_py():.1%} of {len(same):,} texts."


def _rows(n: int, singular: str, plural: str) -> str:
    """A number of rows as the subject of a verb."""
    return f"1 row {singular}" if n == 1 else f"{n:,} rows {plural}"


def _draw_table(run: CorpusRun, rows: pa.Table, chosen: pa.Table) -> None:
    """Draw the chosen rows, and above them the text of the selected row."""
    short = pc.utf8_slice_codeunits(chosen["text"], 0, SHORT)
    view = chosen.set_column(chosen.column_names.index("text"), "text", short)
    names = ["number", "class", "truth", "second", "certainty", "entropy", "settled_at", "text", "notice", "error"]
    view = view.select([name for name in names if rows[name].null_count < len(rows) or name in ("number", "text")])
    opened = st.container()
    key = " ".join(["rows", run.folder.name, *(str(st.session_state.get(name)) for name in ("show", *keys()))])
    event = st.dataframe(
        view, hide_index=True, height=330, column_config=_columns(run), on_select="rerun",
        selection_mode="single-row", key=key, alt="The chosen rows",
    )  # fmt: skip
    if event.selection.rows and event.selection.rows[0] < len(chosen):
        number = chosen["number"][event.selection.rows[0]].as_py()
        with opened:
            _offer_to_open(run.names[0], run.source.to_run[number - 1].as_py())


def _offer_to_open(name: str, text: str | None) -> None:
    """Draw the whole text, and a link that opens it in the page of a checkpoint."""
    if text is None:
        return
    st.session_state["opened row"] = text
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.text(text[:MAX_CELL])
        if name not in checkpoints.known():  # the user has removed it
            return
        draw_page_link(name, "Open in its page", **{ROW_LINK: "1"})


def _to_csv(rows: pa.Table) -> str:
    return to_csv(rows.to_pandas(types_mapper=pd.ArrowDtype))  # keeps whole numbers in columns with missing values


def _columns(run: CorpusRun) -> dict:
    """The configuration of the columns."""
    config = st.column_config
    names = {"class": "predicted", "truth": "true class", "second": "second model"}
    return {
        "number": config.NumberColumn("row", width=60),
        **{name: config.TextColumn(title, width=130) for name, title in names.items()},
        "certainty": config.ProgressColumn(
            "probability", format="percent", min_value=0, max_value=1, help=HELP["certainty"]
        ),
        "entropy": config.NumberColumn("entropy, bits", format="%.2f", help=HELP["entropy"]),
        "settled_at": config.NumberColumn("same answer from", help=HELP["settled_at"]),
        "text": config.TextColumn("text", width="large"),
    }
