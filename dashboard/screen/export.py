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
from dashboard.runs import checkpoints
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
LINE_LENGTH = 90  # characters per line below a title
MAX_LINES = 6  # lines of the text below a title
TEXT = "Write the text under the title"


class Line(NamedTuple):
    """A line below the title, which may change with the steps of a scrubber.

    Attributes:
        along: parameter of the scrubber that it follows.
        sentences: one sentence per step, or a single one.
    """

    along: str
    sentences: Sequence[str]


def answer_line(trace: Trace) -> Line:
    """The line with a network's answer at each step."""
    return Line(trace.along, answers(trace))


def prefix_line(name: str, line: Line) -> Line:
    """The line with the name of its run before each sentence."""
    return line._replace(sentences=[f"{name}: {sentence}" for sentence in line.sentences])


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
    """
    files = [partial(_run_files, title, trace, sample, n_iters, settings) for trace in traces]
    lines = lines or [answer_line(trace) for trace in traces]
    if names:
        lines = [prefix_line(name, line) for name, line in zip(names, lines, strict=True)]
        text = "\n".join(f"{name}: {text_of(trace)}" for name, trace in zip(names, traces, strict=True))
        shared = [(" and ".join(names), shown.tables, no_files)] if shown.tables else []
        titled = [f"{name}, {trace.model}" for name, trace in zip(names, traces, strict=True)]
        single = [(one, {}, make_files) for one, make_files in zip(titled, files, strict=True)]
        draw_menu(shown, title, [*shared, *single], key, title, lines, text)
        return
    models = [f"{trace.model}, edited" if trace.edits else trace.model for trace in traces]
    tables = [shown.tables_of(trace, traces) for trace in traces]
    above = " and ".join(dict.fromkeys(checkpoints.title(trace.model) for trace in traces))
    draw_menu(shown, above, list(zip(models, tables, files, strict=True)), key, None, lines, text_of(traces[0]))


def draw_menu(
    shown: Shown,
    title: str,
    runs_shown: Sequence[tuple[str, Tables, Files]],
    key: str = "export",
    picture: str | None = None,
    lines: Sequence[Line] = (),
    text: str = "",
) -> None:
    """Draw a menu of downloads for runs, or for anything else that has figures and tables.

    Args:
        shown: record of the page. Its first figure, or each model's first figure, is the main picture.
        title: title above the picture.
        runs_shown: name, tables, and function for other files of each run.
        key: key of the menu, if a page has more than one.
        picture: name of the picture's files; the first run's name if None.
        lines: lines below the title.
        text: text of the run, which a user can add below the title.
    """
    menu = st.popover("Export", icon=":material/download:", type="tertiary", key=key, on_change="rerun")
    if not menu.open:
        return
    with menu:
        state = _ask_browser(shown, key)
        heading = Heading(title, _choose_text(text, key))
        draw = partial(_draw_buttons, key=key, disabled=not state.is_known)
        caption = f"The figure at {state.when} (HTML keeps the slider)" if state.when else "The figure"
        figures = _pictures(shown, heading, lines, state) | _pages(shown, heading, lines, state)
        draw(caption, picture or runs_shown[0][0], figures)
        for name, tables, make_files in runs_shown:
            numbers = {f"CSV, {table}": (f"{table}.csv", _csv(make), "text/csv") for table, make in tables.items()}
            draw(f"The numbers of {name}", name, numbers | make_files(state.values))


class BrowserState(NamedTuple):
    """The state of the browser.

    Attributes:
        values: values of the figures' parameters: the steps of the scrubbers, and the picked cell.
        along: parameter of the first scrubber; "" on a page without one.
        is_known: whether the browser has sent the steps; until then they are the first steps of the page.
    """

    values: dict[str, int]
    along: str
    is_known: bool

    @property
    def when(self) -> str:
        """The step of the first scrubber, in words."""
        return f"{self.along} {self.values[self.along]}" if self.along else ""

    def sentences(self, lines: Sequence[Line]) -> list[str]:
        """The sentences at the steps of the scrubbers."""
        return [line.sentences[min(self.values.get(line.along, 1), len(line.sentences)) - 1] for line in lines]


def _ask_browser(shown: Shown, key: str) -> BrowserState:
    """Ask the browser for the steps of the scrubbers."""
    sliders = {slider.data["param"]: slider.data for slider in shown.sliders}
    values = {param: scrubbed(f"{key} {param}", param, data["start"]) for param, data in sliders.items()}
    signals = {name: value for data in sliders.values() for name, value in data["signals"].items()}
    steps = {param: min(values[param] or data["start"], data["n"]) for param, data in sliders.items()}
    return BrowserState(signals | steps, next(iter(sliders), ""), None not in values.values())


def _choose_text(text: str, key: str) -> list[str]:
    """The text in lines if the user wants it."""
    if not text or not st.checkbox(TEXT, key=f"{key} text"):
        return []
    lines = []
    for paragraph in text.splitlines():
        lines += wrap(paragraph, LINE_LENGTH, max_lines=MAX_LINES, placeholder=" …")
    return lines


def _pictures(shown: Shown, heading: Heading, lines: Sequence[Line], state: BrowserState) -> dict[str, File]:
    """The main figures in every format."""
    model_figures = [record.figures for record in shown.by_model.values() if record.figures]
    main = dict(next(iter(figures.items())) for figures in model_figures or [shown.figures])
    dots = wrap(UNKNOWN, LINE_LENGTH) if any(map(has_dots, main.values())) else []
    heading = Heading(heading.title, [*state.sentences(lines), *heading.lines, *dots])
    return {
        label: (f"{state.when or 'figure'}.{suffix}", partial(_convert, convert, main, heading, state), mime)
        for label, (convert, suffix, mime) in PICTURES.items()
    }


def _convert(convert: Callable[[Spec], bytes], main: dict[str, Figure], heading: Heading, state: BrowserState) -> bytes:
    """The main figures in one file format."""
    return convert(sheet(main, heading, state.values))


def _pages(shown: Shown, heading: Heading, lines: Sequence[Line], state: BrowserState) -> dict[str, File]:
    """The whole screen as a web page, and one page per three-dimensional figure."""
    pages = {"HTML": ("figures.html", partial(_page, shown, heading, lines, state), "text/html")}
    for name, figure in shown.in_space.items():
        pages[f"HTML, {name}"] = (f"{name}.html", partial(figure.to_html, include_plotlyjs=True), "text/html")
    return pages


def _page(shown: Shown, heading: Heading, lines: Sequence[Line], state: BrowserState) -> str:
    """The screen as a web page that works without a server."""
    sliders = [part._replace(data=part.data | {"start": state.values[part.data["param"]]}) for part in shown.sliders]
    run_parts = [run.parts for run in (shown, *shown.by_model.values()) if run.parts]
    above = [sentence_part(line.sentences, line.along) for line in lines]
    figures = shown.all_figures()
    marked = any(map(has_dots, figures.values())) or any(part.data.get("unknown") for run in run_parts for part in run)
    heading = Heading(heading.title, heading.lines + [UNKNOWN] * marked)
    return stand_alone(heading, figures, sliders, run_parts, state.values, above)


def no_files(steps: Mapping[str, int]) -> dict[str, File]:
    """No files: an export of something other than a run has only pictures and tables."""
    return {}


def _csv(make: Callable[[], pd.DataFrame]) -> Callable[[], str]:
    """A function that makes the CSV of a table."""
    return lambda: to_csv(make())


def _run_files(
    title: str, trace: Trace, sample: str | None, n_iters: int | None, settings: str, steps: Mapping[str, int]
) -> dict[str, File]:
    """The run as JSON, as a NumPy archive, and as a notebook that repeats it."""
    files: dict[str, File] = {
        "JSON": ("trace.json", trace.to_json, "application/json"),
        "npz": ("trace.npz", trace.to_npz, "application/octet-stream"),
    }
    if sample is not None:
        heading = f"{title}: {escape(checkpoints.title(trace.model))}"
        step = f"step={steps[trace.along]}" if trace.along in steps else ""
        settings = ", ".join(filter(None, (settings, step)))
        notebook = partial(export.to_notebook, heading, trace.model, sample, n_iters, settings, trace.edits)
        files["Notebook"] = ("notebook.ipynb", notebook, "application/x-ipynb+json")
    return files


def _draw_buttons(caption: str, name: str, files: Mapping[str, File], key: str, disabled: bool) -> None:
    st.caption(escape(caption))
    with st.container(horizontal=True, gap="small"):
        for label, (ending, make, mime) in files.items():
            file = export.file_name(name, ending)
            options = {"key": f"{key} {file}", "on_click": "ignore", "disabled": disabled}
            st.download_button(label, make, file, mime, **options)
