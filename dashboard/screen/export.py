"""The export menu: the picture, the numbers and the run as files, each made only when a user asks for it."""

from collections.abc import Mapping, Sequence
from functools import partial
from textwrap import wrap

import streamlit as st

from core.trace import Trace
from dashboard.components.scrubber import scrubbed
from dashboard.figures import export
from dashboard.figures.plots import text_of
from dashboard.figures.sheet import Heading
from dashboard.runs import checkpoints
from dashboard.screen.citation import cite
from dashboard.screen.cite import citation_files, draw_texts
from dashboard.screen.export_files import (
    LINE_LENGTH,
    BrowserState,
    File,
    Files,
    Line,
    Tables,
    answer_line,
    csv_maker,
    main_figures,
    no_files,
    pages,
    pictures,
    prefix_line,
    run_files,
)
from dashboard.screen.markdown import escape
from dashboard.screen.proof import TEXT, WHY, ExportedRun, sealed
from dashboard.screen.shown import Picture, Shown

MAX_LINES = 6  # lines of the text below a title


def draw_export_menu(
    shown: Shown,
    title: str,
    traces: list[Trace],
    sample: str | None,
    n_iters: int | None,
    settings: str = "",
    key: str = "export",
    names: Sequence[str] = (),
    lines: Sequence[Line] = (),
    texts: Sequence[str] = (),
    not_shown: str = "",
) -> None:
    """Draw a menu of downloads for the traces on a page.

    Args:
        shown: record of the page. Its first figure, or each model's first figure, is the main picture.
        title: title of the page, for a notebook. Above the picture are the titles of the networks.
        traces: traces of the models that are side by side.
        sample: Python whose last line evaluates to the sample, after imports; None if there is none, as for uploaded
            pictures: then there is no notebook.
        n_iters: number of iterations; None for a network without routing.
        settings: settings of the main picture, as Python arguments of ``trace.plot``.
        key: key of the menu, if a page has more than one.
        names: name of each trace, if both traces may be of one model and every table is about both.
        lines: lines below the title; the answers of the traces if empty.
        texts: text of each trace as typed; none for pictures.
        not_shown: sentences in Markdown on what the picture does not show.
    """
    entries = ("text A", "text B") if names else ("text",) * len(traces)
    cuts = [shown.of(trace).cuts for trace in traces]
    exported = [ExportedRun(*run) for run in zip(traces, texts or [""] * len(traces), entries, cuts, strict=True)]
    files = [partial(run_files, title, trace, sample, n_iters, settings) for trace in traces]
    lines = lines or [answer_line(trace) for trace in traces]
    if names:
        lines = [prefix_line(name, line) for name, line in zip(names, lines, strict=True)]
        text = "\n".join(f"{name}: {text_of(trace)}" for name, trace in zip(names, traces, strict=True))
        shared = [(" and ".join(names), shown.tables, no_files)] if shown.tables else []
        titled = [f"{name}, {trace.model}" for name, trace in zip(names, traces, strict=True)]
        single = [(one, {}, make_files) for one, make_files in zip(titled, files, strict=True)]
        draw_menu(shown, title, [*shared, *single], key, title, lines, text, exported, not_shown)
        return
    models = [f"{trace.model}, edited" if trace.edits else trace.model for trace in traces]
    tables = [shown.tables_of(trace, traces) for trace in traces]
    above = " and ".join(dict.fromkeys(checkpoints.title(trace.model) for trace in traces))
    shown_runs = list(zip(models, tables, files, strict=True))
    draw_menu(shown, above, shown_runs, key, None, lines, text_of(traces[0]), exported, not_shown)


def draw_menu(
    shown: Shown,
    title: str,
    runs_shown: Sequence[tuple[str, Tables, Files]],
    key: str = "export",
    picture: str | None = None,
    lines: Sequence[Line] = (),
    text: str = "",
    exported: Sequence[ExportedRun] = (),
    not_shown: str = "",
    network: str = "",
) -> None:
    """Draw a menu of downloads for runs, or for anything else that has figures and tables.

    Args:
        shown: record of the page. The user chooses one of its pictures. If it has none, its first figure, or each
            model's first figure, is the main picture.
        title: title above the picture.
        runs_shown: name, tables, and function for other files of each run.
        key: key of the menu, if a page has more than one.
        picture: name of the picture's files; the first run's name if None.
        lines: lines below the title.
        text: text of the run, which a user can add below the title.
        exported: runs that the picture shows; none if it shows something else.
        not_shown: as in ``draw_export_menu``.
        network: name of the network that a picture without runs is about; "" for none.
    """
    menu = st.popover("Export", icon=":material/download:", type="tertiary", key=key, on_change="rerun")
    if not menu.open:
        return
    with menu:
        state = _ask_browser(shown, key)
        heading = Heading(title, _choose_text(text, key))
        proved = partial(sealed, title=title, exported=exported, with_text=bool(heading.lines), steps=state.values)
        draw = partial(_draw_buttons, key=key, disabled=not state.is_known)
        caption = f"The figure at {state.when} (HTML keeps the slider)" if state.when else "The figure"
        chosen = _choose_picture(shown, key)
        main = main_figures(shown, chosen)
        figures = pictures(main, heading, lines, state) | pages(shown, heading, lines, state)
        picture = picture or runs_shown[0][0]
        draw(caption, picture, proved(figures))
        for name, tables, make_files in runs_shown:
            numbers = {f"CSV, {table}": (f"{table}.csv", csv_maker(make), "text/csv") for table, make in tables.items()}
            draw(f"The numbers of {name}", name, numbers | proved(make_files(state.values)))
        above = next(iter(shown.all_figures() if shown.by_model else main), title)
        name = export.file_name(picture, state.when or "figure")
        says = chosen.says if chosen else ""
        citation = cite(above, exported, state, bool(heading.lines), not_shown, name, network, says)
        draw("Cite it: figure, caption, methods, BibTeX", picture, citation_files(citation, proved(figures)))
        draw_texts(citation, key)


def _ask_browser(shown: Shown, key: str) -> BrowserState:
    """Ask the browser for the steps of the scrubbers."""
    sliders = {slider.data["param"]: slider.data for slider in shown.sliders}
    values = {param: scrubbed(f"{key} {param}", param, data["start"]) for param, data in sliders.items()}
    signals = {name: value for data in sliders.values() for name, value in data["signals"].items()}
    steps = {param: min(values[param] or data["start"], data["n"]) for param, data in sliders.items()}
    address = {data["address"]: steps[param] for param, data in sliders.items()}
    return BrowserState(signals | steps, next(iter(sliders), ""), None not in values.values(), address)


def _choose_picture(shown: Shown, key: str) -> Picture | None:
    """Let the user choose a picture; None if there is nothing to choose from."""
    names = list(shown.pictures)
    if not names:
        return None
    chosen = st.segmented_control("Picture", names, default=names[0], required=True, key=f"{key} picture")
    return shown.pictures[chosen if chosen in names else names[0]]


def _choose_text(text: str, key: str) -> list[str]:
    """The text in lines if the user wants it."""
    if not text or not st.checkbox(TEXT, key=f"{key} text", help=WHY):
        return []
    lines = []
    for paragraph in text.splitlines():
        lines += wrap(paragraph, LINE_LENGTH, max_lines=MAX_LINES, placeholder=" …")
    return lines


def _draw_buttons(caption: str, name: str, files: Mapping[str, File], key: str, disabled: bool) -> None:
    st.caption(escape(caption))
    with st.container(horizontal=True, gap="small"):
        for label, (ending, make, mime) in files.items():
            file = export.file_name(name, ending)
            options = {"key": f"{key} {file}", "on_click": "ignore", "disabled": disabled}
            st.download_button(label, make, file, mime, **options)
