"""The export menu: the picture, the numbers and the run as files, each made only when a user asks for it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from textwrap import wrap
from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.trace import Trace
from dashboard.components.finding import sentence_part
from dashboard.components.scrubber import scrubbed
from dashboard.figures import export
from dashboard.figures.figure import Figure
from dashboard.figures.plots import answers, text_of
from dashboard.figures.sheet import Heading, sheet
from dashboard.figures.standalone import stand_alone
from dashboard.figures.vega import Spec, has_dots
from dashboard.screen.markdown import escape
from dashboard.screen.shaded import UNKNOWN
from dashboard.screen.shown import Shown
from dashboard.screen.spreadsheet import to_csv

File = tuple[str, Callable[[], str | bytes], str]  # end of the name, function that makes the content, media type
Tables = dict[str, Callable[[], pd.DataFrame]]  # functions that make tables, by title
Files = Callable[[Mapping[str, int]], dict[str, File]]  # function from the scrubbers' steps to files by label
PICTURES = {
    "SVG": (export.to_svg, "svg", "image/svg+xml"),
    "PDF": (export.to_pdf, "pdf", "application/pdf"),
    "PNG, 300 dpi": (export.to_png, "png", "image/png"),
}
LINE = 90  # characters per line below a title
MAX_LINES = 6  # lines of the text below a title
TEXT = "Write the text under the title"


class Said(NamedTuple):
    """A line below the title.

    Attributes:
        along: parameter of the scrubber that it follows.
        sentences: one sentence per step, or a single one.
    """

    along: str
    sentences: Sequence[str]


def said_of(trace: Trace) -> Said:
    """The line with a network's answer at each step."""
    return Said(trace.along, answers(trace))


def begin_with(name: str, line: Said) -> Said:
    """The line after the name of its run."""
    return line._replace(sentences=[f"{name}: {sentence}" for sentence in line.sentences])


def draw_export_menu(
    shown: Shown,
    title: str,
    traces: list[Trace],
    sample: str | None,
    n_iters: int | None,
    settings: str = "",
    key: str = "export",
    letters: Sequence[str] = (),
    said: Sequence[Said] = (),
) -> None:
    """Draw a menu of downloads.

    Args:
        shown: record of the page. Its first figure, or each model's first figure, is the main picture.
        title: title of the page.
        traces: traces of the models that are side by side.
        sample: Python whose last line evaluates to the sample, after imports; None if there is none, as for uploaded
            pictures: then there is no notebook.
        n_iters: number of iterations; None for a network without routing.
        settings: settings of the main picture, as Python arguments of ``trace.plot``.
        key: key of the menu, if a page has more than one.
        letters: one letter per trace, if two traces can be of one model and all tables are of both.
        said: lines below the title; the answers of the traces if empty.
    """
    files = [partial(_run_files, title, trace, sample, n_iters, settings) for trace in traces]
    said = said or [said_of(trace) for trace in traces]
    if letters:
        names = [f"{letter}, {trace.model}" for letter, trace in zip(letters, traces, strict=True)]
        said = [begin_with(letter, line) for letter, line in zip(letters, said, strict=True)]
        text = "\n".join(f"{letter}: {text_of(trace)}" for letter, trace in zip(letters, traces, strict=True))
        of_both = [(" and ".join(letters), shown.tables, no_files)] if shown.tables else []
        of_each = [(name, {}, of_run) for name, of_run in zip(names, files, strict=True)]
        draw_menu(shown, title, [*of_both, *of_each], key, title, said, text)
        return
    names = [f"{trace.model}, edited" if trace.edits else trace.model for trace in traces]
    tables = [shown.tables_of(trace, traces) for trace in traces]
    draw_menu(shown, title, list(zip(names, tables, files, strict=True)), key, None, said, text_of(traces[0]))


def draw_menu(
    shown: Shown,
    title: str,
    runs_shown: Sequence[tuple[str, Tables, Files]],
    key: str = "export",
    picture: str | None = None,
    said: Sequence[Said] = (),
    text: str = "",
) -> None:
    """Draw a menu of downloads.

    Args:
        shown: record of the page. Its first figure, or each model's first figure, is the main picture.
        title: title above the picture.
        runs_shown: name, tables, and function for other files of each run.
        key: key of the menu, if a page has more than one.
        picture: name of the picture's files; the first run's name if None.
        said: lines below the title.
        text: text of the run, which a user can add below the title.
    """
    menu = st.popover("Export", icon=":material/download:", type="tertiary", key=key, on_change="rerun")
    if not menu.open:
        return
    with menu:
        now = _ask_browser(shown, key)
        heading = Heading(title, _choose_text(text, key))
        draw = partial(_draw_buttons, key=key, disabled=not now.is_told)
        caption = f"The figure at {now.when} (HTML keeps the slider)" if now.when else "The figure"
        figures = _pictures(shown, heading, said, now) | _pages(shown, heading, said, now)
        draw(caption, picture or runs_shown[0][0], figures)
        for name, tables, make_files in runs_shown:
            numbers = {f"CSV, {table}": (f"{table}.csv", _csv(make), "text/csv") for table, make in tables.items()}
            draw(f"The numbers of {name}", name, numbers | make_files(now.values))


class Now(NamedTuple):
    """The state of the browser.

    Attributes:
        values: values of the figures' parameters: the steps of the scrubbers, and the picked cell.
        along: parameter of the first scrubber; "" on a page without one.
        is_told: whether the browser has sent the steps; until then they are the first steps of the page.
    """

    values: dict[str, int]
    along: str
    is_told: bool

    @property
    def when(self) -> str:
        """The step of the first scrubber, in words."""
        return f"{self.along} {self.values[self.along]}" if self.along else ""

    def lines(self, said: Sequence[Said]) -> list[str]:
        """The sentences at the steps of the scrubbers."""
        return [line.sentences[min(self.values.get(line.along, 1), len(line.sentences)) - 1] for line in said]


def _ask_browser(shown: Shown, key: str) -> Now:
    sliders = {slider.data["param"]: slider.data for slider in shown.sliders}
    told = {param: scrubbed(f"{key} {param}", param, data["start"]) for param, data in sliders.items()}
    signals = {name: value for data in sliders.values() for name, value in data["signals"].items()}
    steps = {param: min(told[param] or data["start"], data["n"]) for param, data in sliders.items()}
    return Now(signals | steps, next(iter(sliders), ""), None not in told.values())


def _choose_text(text: str, key: str) -> list[str]:
    """The text in lines if the user wants it."""
    if not text or not st.checkbox(TEXT, key=f"{key} text"):
        return []
    return [line for each in text.splitlines() for line in wrap(each, LINE, max_lines=MAX_LINES, placeholder=" …")]


def _pictures(shown: Shown, heading: Heading, said: Sequence[Said], now: Now) -> dict[str, File]:
    """The main figures in every format."""
    of_models = [record.figures for record in shown.by_model.values() if record.figures]
    main = dict(next(iter(figures.items())) for figures in of_models or [shown.figures])
    dots = wrap(UNKNOWN, LINE) if any(map(has_dots, main.values())) else []
    heading = Heading(heading.title, [*now.lines(said), *heading.lines, *dots])
    return {
        label: (f"{now.when or 'figure'}.{suffix}", partial(_convert, convert, main, heading, now), mime)
        for label, (convert, suffix, mime) in PICTURES.items()
    }


def _convert(convert: Callable[[Spec], bytes], main: dict[str, Figure], heading: Heading, now: Now) -> bytes:
    return convert(sheet(main, heading, now.values))


def _pages(shown: Shown, heading: Heading, said: Sequence[Said], now: Now) -> dict[str, File]:
    """The whole screen as a web page, and one page per figure in space."""
    pages = {"HTML": ("figures.html", partial(_page, shown, heading, said, now), "text/html")}
    for name, figure in shown.in_space.items():
        pages[f"HTML, {name}"] = (f"{name}.html", partial(figure.to_html, include_plotlyjs=True), "text/html")
    return pages


def _page(shown: Shown, heading: Heading, said: Sequence[Said], now: Now) -> str:
    sliders = [part._replace(data=part.data | {"start": now.values[part.data["param"]]}) for part in shown.sliders]
    of_runs = [run.parts for run in (shown, *shown.by_model.values()) if run.parts]
    above = [sentence_part(line.sentences, line.along) for line in said]
    figures = shown.all_figures()
    marked = any(map(has_dots, figures.values())) or any(part.data.get("unknown") for run in of_runs for part in run)
    heading = Heading(heading.title, heading.lines + [UNKNOWN] * marked)
    return stand_alone(heading, figures, sliders, of_runs, now.values, above)


def no_files(now: Mapping[str, int]) -> dict[str, File]:
    """No files, for anything that is not a run."""
    return {}


def _csv(make: Callable[[], pd.DataFrame]) -> Callable[[], str]:
    return lambda: to_csv(make())


def _run_files(
    title: str, trace: Trace, sample: str | None, n_iters: int | None, settings: str, now: Mapping[str, int]
) -> dict[str, File]:
    """The run as JSON, as a NumPy archive, and as a notebook that repeats it."""
    files: dict[str, File] = {
        "JSON": ("trace.json", trace.to_json, "application/json"),
        "npz": ("trace.npz", trace.to_npz, "application/octet-stream"),
    }
    if sample is not None:
        heading = f"{title}: {trace.model}"
        step = f"step={now[trace.along]}" if trace.along in now else ""
        settings = ", ".join(filter(None, (settings, step)))
        notebook = partial(export.to_notebook, heading, trace.model, sample, n_iters, settings, trace.edits)
        files["Notebook"] = ("notebook.ipynb", notebook, "application/x-ipynb+json")
    return files


def _draw_buttons(caption: str, name: str, files: Mapping[str, File], key: str, disabled: bool) -> None:
    st.caption(escape(caption))
    with st.container(horizontal=True, gap="small"):
        for label, (ending, make, mime) in files.items():
            file = export.file_name(name, ending)
            how = {"key": f"{key} {file}", "on_click": "ignore", "disabled": disabled}
            st.download_button(label, make, file, mime, **how)
