"""The export menu: the picture, the numbers and the run as files. Nothing is made before it is asked for."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import runs
from dashboard.figures import export
from dashboard.figures.figure import Figure, stand_alone
from dashboard.shared.markdown import escape
from dashboard.shared.shown import Shown

File = tuple[str, Callable[[], str | bytes], str]  # the end of its name, what makes it, its media type
Tables = dict[str, Callable[[], pd.DataFrame]]  # what makes each table, by title
PICTURES = {
    "SVG": (export.to_svg, "svg", "image/svg+xml"),
    "PDF": (export.to_pdf, "pdf", "application/pdf"),
    "PNG, 300 dpi": (export.to_png, "png", "image/png"),
}


def draw_export_menu(
    shown: Shown,
    title: str,
    traces: list[runs.Trace],
    sample: str | None,
    n_iters: int | None,
    settings: str = "",
    key: str = "export",
    letters: Sequence[str] = (),
) -> None:
    """Draw a menu of downloads.

    Args:
        shown: what the page drew. Its first figure, or each model's first one, is the main picture.
        title: of the page.
        traces: of the models that stand side by side.
        sample: Python that evaluates to what the models read, below lines that import what it needs; None if there is
            none, as for uploaded pictures: then there is no notebook.
        n_iters: iterations that were run; None for a network without routing.
        settings: of the main picture, as Python hands them to ``trace.plot``.
        key: of the menu, where a page has more than one.
        letters: one for each trace, where two may be of one model and all tables are of both.
    """
    files = [_run_files(title, trace, sample, n_iters, settings) for trace in traces]
    if letters:
        names = [f"{letter}, {trace.model}" for letter, trace in zip(letters, traces, strict=True)]
        of_both = [(" and ".join(letters), shown.tables, {})] if shown.tables else []
        of_each = [(name, {}, of_run) for name, of_run in zip(names, files, strict=True)]
        draw_menu(shown, [*of_both, *of_each], key, title)
        return
    tables = [shown.tables_of(trace, traces) for trace in traces]
    draw_menu(shown, list(zip([trace.model for trace in traces], tables, files, strict=True)), key)


def draw_menu(
    shown: Shown,
    runs_shown: Sequence[tuple[str, Tables, dict[str, File]]],
    key: str = "export",
    picture: str | None = None,
) -> None:
    """Draw a menu of downloads.

    Args:
        shown: what the page drew. Its first figure, or each model's first one, is the main picture.
        runs_shown: of each run its name, its tables by title, and its other files by their labels.
        key: of the menu, where a page has more than one.
        picture: the name of the picture's files; that of the first run unless given.
    """
    menu = st.popover("Export", icon=":material/download:", type="tertiary", key=key, on_change="rerun")
    if not menu.open:
        return
    with menu:
        main = _main_figures(shown)
        step = _choose_step(next(iter(main.values())), key)
        pictures = {label: _picture(main, step, *how) for label, how in PICTURES.items()}
        pages = {"HTML": ("figures.html", lambda: stand_alone(shown.all_figures()), "text/html")}
        for title, figure in shown.in_space.items():
            pages[f"HTML, {title}"] = (f"{title}.html", partial(figure.to_html, include_plotlyjs=True), "text/html")
        _draw_buttons(
            "The picture; as HTML, with a slider, and whatever else is on screen",
            picture or runs_shown[0][0],
            pictures | pages,
            key,
        )
        for name, tables, files in runs_shown:
            numbers = {f"CSV, {title}": (f"{title}.csv", _csv(make), "text/csv") for title, make in tables.items()}
            _draw_buttons(f"The numbers of {name}", name, numbers | files, key)


def _main_figures(shown: Shown) -> dict[str, Figure]:
    of_models = [record.figures for record in shown.by_model.values() if record.figures]
    firsts = [next(iter(figures.items())) for figures in of_models or [shown.figures]]
    return dict(firsts)


def _choose_step(figure: Figure, key: str) -> int:
    """The step that a picture on paper shows; 1 where it shows none."""
    if figure.steps is None:
        return 1
    name, n = figure.steps
    first = n if name != "view" else 1
    return int(st.number_input(f"{name.capitalize()} in SVG, PDF and PNG", 1, n, first, key=f"{key} step"))


def _picture(figures: dict[str, Figure], step: int, convert: Callable, suffix: str, mime: str) -> File:
    return (f"{step}.{suffix}", lambda: convert(figures, step), mime)


def _csv(make: Callable[[], pd.DataFrame]) -> Callable[[], str]:
    return lambda: make().to_csv(index=False)


def _run_files(
    title: str, trace: runs.Trace, sample: str | None, n_iters: int | None, settings: str
) -> dict[str, File]:
    """The run itself: as JSON, as a NumPy archive, and as a notebook that repeats it."""
    files: dict[str, File] = {
        "JSON": ("trace.json", trace.to_json, "application/json"),
        "npz": ("trace.npz", trace.to_npz, "application/octet-stream"),
    }
    if sample is not None:
        heading = f"{title}: {trace.model}"
        notebook = partial(export.to_notebook, heading, trace.model, sample, n_iters, settings, trace.edits)
        files["Notebook"] = ("notebook.ipynb", notebook, "application/x-ipynb+json")
    return files


def _draw_buttons(caption: str, model: str, files: dict[str, Any], key: str) -> None:
    st.caption(escape(caption))
    with st.container(horizontal=True, gap="small"):
        for label, (ending, make, mime) in files.items():
            name = f"{model} {ending}"
            st.download_button(label, make, name, mime, key=f"{key} {name}", on_click="ignore")
