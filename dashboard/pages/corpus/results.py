"""The finished rows: a summary, pictures that filter them, and a table that opens them."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st
from numpy import ndarray

from core.sentences.confusion import confusion, describe_classes, describe_confusion, describe_network
from dashboard.figures.corpus import N_BINS, certainties
from dashboard.figures.corpus import confusion as confusion_figure
from dashboard.jobs.corpus import CorpusRun
from dashboard.pages.corpus.texts import HELP
from dashboard.runs import checkpoints
from dashboard.screen.links import draw_page_link
from dashboard.screen.markdown import escape, escape_error
from dashboard.screen.pins import ROW_LINK
from dashboard.screen.shown import draw_figure
from dashboard.screen.spreadsheet import to_csv

REFRESH = 1.0  # seconds
FIRST_SHOWN = 2000  # rows to show while every refresh sends them again
OTHER = "another label"  # row of labels that are not a class of the checkpoint
FILTERS = ("confusion", "certainties")  # charts that filter the rows
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
        state = run.place or "running"
        st.progress(run.share, f"{len(rows):,} of {n:,} texts, {state}")
    elif run.failed:
        st.error(escape_error(f"The run stopped early: {run.failed}"), icon=":material/error:")
    elif len(rows) < n:
        st.caption(f"Cancelled: {len(rows):,} of {n:,} texts were run.")
    given = _codes(rows["class"], run.classes)  # the class of each row
    st.markdown(escape(_finding(run, rows, given)))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        in_cell, cell = _pick_cell(run, rows, given)
    with right:
        in_bin, bin_name = _pick_bin(rows, given)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        mask = in_cell & in_bin & _choose_rows(run, rows)
        chosen = rows.filter(pa.array(mask))
        if picked := " and ".join(filter(None, (cell, bin_name))):
            help = "Show the texts of all cells and bars again."
            st.button(f"Only {escape(picked)}", icon=":material/close:", on_click=_clear, key="clear", help=help)
        sentence = f"{len(chosen):,} of {len(rows):,} rows. Select a row to open its text."
        if run.runs and len(chosen) > FIRST_SHOWN:
            sentence += f" Until the run ends, the first {FIRST_SHOWN:,} are shown."
        st.caption(sentence)
        make = {"data": lambda: _to_csv(chosen), "file_name": "corpus.csv", "mime": "text/csv", "on_click": "ignore"}
        st.download_button("CSV", icon=":material/download:", type="tertiary", **make)
    _draw_table(run, rows, chosen.slice(0, FIRST_SHOWN) if run.runs else chosen)


def _finding(run: CorpusRun, rows: pa.Table, given: ndarray) -> str:
    """Sentences on the answers of the checkpoints. given: index of each row's class."""
    classes = run.classes
    truth = _codes(rows["truth"], classes, OTHER)
    known = (given >= 0) & (truth >= 0) & (truth < len(classes))
    if known.any():
        sentence = describe_confusion(confusion(truth[known], given[known], len(classes), len(classes)), classes)
    else:
        sentence = describe_classes(np.bincount(given[given >= 0], minlength=len(classes)), classes)
    sentence = f"{run.names[0]} on {run.source.title}: {sentence}"
    if n_other := int((truth == len(classes)).sum()):
        are = "is" if n_other == 1 else "are"
        sentence += f" {_rows_have(n_other)} a label that is no class of {run.names[0]}, and {are} not counted."
    if n_refused := int((given < 0).sum()):
        sentence += f" {_rows_have(n_refused)} an error instead of a class."
    if len(run.names) > 1:
        sentence += f" {sentence_on_second(run, rows, truth)}"
    return sentence


def _rows_have(n: int) -> str:
    return "1 row has" if n == 1 else f"{n:,} rows have"


def sentence_on_second(run: CorpusRun, rows: pa.Table, truth: ndarray) -> str:
    """A sentence on how often the second checkpoint gives the same class, and how often it is right."""
    name, second = run.names[1], _codes(rows["second"], run.classes)
    same = pc.drop_null(pc.equal(rows["class"], rows["second"]))
    if not len(same):
        return f"{name} has not answered yet." if run.runs else f"{name} has not answered."
    sentence = f"{name} gives the same class to {pc.mean(same).as_py():.1%} of {len(same):,}."
    known = (second >= 0) & (truth >= 0) & (truth < len(run.classes))
    if not known.any():
        return sentence
    return f"{sentence} {describe_network(int((second == truth)[known].sum()), int(known.sum()))}"


def _key(chart: str) -> str:
    """The key of a chart. It changes when the picks are cleared."""
    return f"{chart} {st.session_state.get('cleared', 0)}"


def _clear() -> None:
    """Clear the picks in the charts."""
    st.session_state.cleared = st.session_state.get("cleared", 0) + 1


def _pick_cell(run: CorpusRun, rows: pa.Table, given: ndarray) -> tuple[ndarray, str]:
    """Draw the confusion matrix, and return a mask of the rows in the picked cell, and its name.

    If no cell is picked, the mask has all rows, and the name is "".
    """
    classes = list(run.classes)
    truth = _codes(rows["truth"], classes, OTHER) if run.source.has_truth else np.zeros(len(rows), int)
    truths = [*classes, OTHER] if run.source.has_truth and (truth == len(classes)).any() else classes
    truths = truths if run.source.has_truth else ["all texts"]
    known = (given >= 0) & (truth >= 0)
    counts = confusion(truth[known], given[known], len(truths), len(classes))
    figure = confusion_figure(counts, truths, classes)
    alt = "How many texts of each class were given each class: click a cell to see its texts"
    key = _key("confusion")
    picked = _picked(draw_figure(figure, on_select="rerun", selection_mode="cell", key=key, alt=alt))
    if not picked or picked["truth"] not in truths or picked["class"] not in classes:
        return np.ones(len(rows), bool), ""
    true_class = f"{picked['truth']} " if run.source.has_truth else ""
    mask = (truth == truths.index(picked["truth"])) & (given == classes.index(picked["class"]))
    return mask, f"{true_class}classified as {picked['class']}"


def _pick_bin(rows: pa.Table, given: ndarray) -> tuple[ndarray, str]:
    """Draw the histogram of certainty, and return a mask of the rows in the picked bin, and its name.

    If no bin is picked, the mask has all rows, and the name is "".
    """
    certainty = pc.fill_null(rows["certainty"], 0).to_numpy()
    bins = np.minimum((certainty * N_BINS).astype(int), N_BINS - 1)
    figure = certainties(np.bincount(bins[given >= 0], minlength=N_BINS))
    alt = "How many texts were given their class with each certainty: click a bar to see its texts"
    key = _key("certainties")
    picked = _picked(draw_figure(figure, on_select="rerun", selection_mode="cell", key=key, alt=alt))
    if not picked:
        return np.ones(len(rows), bool), ""
    low, high = picked["bin"] / N_BINS, (picked["bin"] + 1) / N_BINS
    return (bins == picked["bin"]) & (given >= 0), f"{low:.0%} to {high:.0%} certain"


def _picked(event: dict) -> dict:
    """The fields of the picked mark; empty if none is picked."""
    marks = event.get("selection", {}).get("cell") or [{}]
    return marks[0]


def _choose_rows(run: CorpusRun, rows: pa.Table) -> ndarray:
    """Let the user choose right rows, wrong rows, and so on, and return a mask of them."""
    everything = np.ones(len(rows), bool)
    truth = pc.if_else(pc.is_in(rows["truth"], pa.array(run.classes)), rows["truth"], None)
    right = pc.equal(rows["class"], truth)
    same = pc.equal(rows["class"], rows["second"])
    masks = {
        "All": everything,
        "Wrong": _true_or_false(pc.invert(right)),
        "Right": _true_or_false(right),
        "Models disagree": _true_or_false(pc.invert(same)),
        "Errors": _true_or_false(pc.is_valid(rows["error"])),
    }
    options = [name for name, mask in masks.items() if mask.any() or name == st.session_state.get("show")] or ["All"]
    how = {"key": "show", "required": True, "label_visibility": "collapsed"}
    shown = st.segmented_control("Show", options, default="All", **how)
    return masks.get(shown or "All", everything)


def _draw_table(run: CorpusRun, rows: pa.Table, chosen: pa.Table) -> None:
    """Draw the chosen rows, and above them the text of the selected row."""
    short = pc.utf8_slice_codeunits(chosen["text"], 0, SHORT)
    view = chosen.set_column(chosen.column_names.index("text"), "text", short)
    names = ["number", "class", "truth", "second", "certainty", "entropy", "settled_at", "text", "notice", "error"]
    view = view.select([name for name in names if rows[name].null_count < len(rows) or name in ("number", "text")])
    opened = st.container()
    filters = ("show", *map(_key, FILTERS))
    key = " ".join(["rows", run.folder.name, *(str(st.session_state.get(name)) for name in filters)])
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
        draw_page_link(name, "Open in the page of {name}", **{ROW_LINK: "1"})


def _to_csv(rows: pa.Table) -> str:
    return to_csv(rows.to_pandas(types_mapper=pd.ArrowDtype))  # keeps whole numbers in columns with missing values


def _columns(run: CorpusRun) -> dict:
    """The configuration of the columns."""
    config = st.column_config
    names = {"class": "class given", "truth": "true class", "second": f"by {run.names[-1]}"}
    return {
        "number": config.NumberColumn("row", width=60),
        **{name: config.TextColumn(title, width=130) for name, title in names.items()},
        "certainty": config.ProgressColumn(
            "certainty", format="percent", min_value=0, max_value=1, help=HELP["certainty"]
        ),
        "entropy": config.NumberColumn("entropy, bits", format="%.2f", help=HELP["entropy"]),
        "settled_at": config.NumberColumn("settled at", help=HELP["settled_at"]),
        "text": config.TextColumn("text", width="large"),
    }


def _codes(names: pa.ChunkedArray, classes: list[str] | tuple[str, ...], other: str = "") -> ndarray:
    """The index of each name's class; -1 for null. Another name gets -1, or the next index if ``other`` is a class."""
    codes = pc.fill_null(pc.index_in(names, pa.array(classes)), -1).to_numpy()
    if not other:
        return codes
    return np.where((codes < 0) & pc.is_valid(names).to_numpy(), len(classes), codes)


def _true_or_false(mask: pa.ChunkedArray) -> ndarray:
    """The mask with False instead of null."""
    return pc.fill_null(mask, False).to_numpy()
