"""The files of an export menu: the picture, the whole screen, the run. Each is made only when a user asks for it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from textwrap import wrap
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from core.trace import Trace
from dashboard.components.finding import sentence_part
from dashboard.figures import export
from dashboard.figures.figure import Figure
from dashboard.figures.plots import answers
from dashboard.figures.sheet import Heading, sheet
from dashboard.figures.standalone import stand_alone
from dashboard.figures.vega import Spec, has_dots
from dashboard.runs import checkpoints
from dashboard.screen.markdown import escape
from dashboard.screen.shaded import UNKNOWN
from dashboard.screen.shown import Picture, Shown
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


class BrowserState(NamedTuple):
    """The state of the browser.

    Attributes:
        values: values of the figures' parameters: the steps of the scrubbers, and the picked cell.
        along: parameter of the first scrubber; "" on a page without one.
        is_known: whether the browser has sent the steps; until then they are the first steps of the page.
        address: steps of the scrubbers by their names in the address.
    """

    values: dict[str, int]
    along: str
    is_known: bool
    address: Mapping[str, int] = MappingProxyType({})

    @property
    def when(self) -> str:
        """The step of the first scrubber, in words."""
        return f"{self.along} {self.values[self.along]}" if self.along else ""

    def sentences(self, lines: Sequence[Line]) -> list[str]:
        """The sentences at the steps of the scrubbers."""
        return [line.sentences[min(self.values.get(line.along, 1), len(line.sentences)) - 1] for line in lines]


def main_figures(shown: Shown, picture: Picture | None) -> dict[str, Figure]:
    """The figures of a picture; without one, the first figure, or each model's first one."""
    if picture:
        return {title: shown.figures[title] for title in picture.titles}
    model_figures = [record.figures for record in shown.by_model.values() if record.figures]
    return dict(next(iter(figures.items())) for figures in model_figures or [shown.figures])


def pictures(main: dict[str, Figure], heading: Heading, lines: Sequence[Line], state: BrowserState) -> dict[str, File]:
    """The main figures in every format."""
    dots = wrap(UNKNOWN, LINE_LENGTH) if any(map(has_dots, main.values())) else []
    heading = Heading(heading.title, [*state.sentences(lines), *heading.lines, *dots])
    return {
        label: (f"{state.when or 'figure'}.{suffix}", partial(_convert, convert, main, heading, state), mime)
        for label, (convert, suffix, mime) in PICTURES.items()
    }


def _convert(convert: Callable[[Spec], bytes], main: dict[str, Figure], heading: Heading, state: BrowserState) -> bytes:
    """The main figures in one file format."""
    return convert(sheet(main, heading, state.values))


def pages(shown: Shown, heading: Heading, lines: Sequence[Line], state: BrowserState) -> dict[str, File]:
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


def csv_maker(make: Callable[[], pd.DataFrame]) -> Callable[[], str]:
    """A function that makes the CSV of a table."""
    return lambda: to_csv(make())


def run_files(
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
