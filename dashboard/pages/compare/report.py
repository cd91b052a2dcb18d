"""The report on all pinned runs: their names, notes, pictures and badges, as a web page and as a notebook."""

from typing import NamedTuple

import streamlit as st

from core.edits import Edit
from core.provenance.record import DrawnRun, Provenance
from core.provenance.seal import seal
from core.sentences.words import capital
from core.trace import Trace
from dashboard.figures.export import to_svg
from dashboard.figures.kinds import family_of
from dashboard.figures.plots import answers
from dashboard.figures.report import Entry, to_notebook, to_page
from dashboard.figures.sheet import Heading, sheet
from dashboard.pages.compare.texts import NOT_HERE, WEIGHTS
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.runs.edits import TextRun
from dashboard.screen.citation import describe_method, describe_trust
from dashboard.screen.export_files import File
from dashboard.screen.pins import Pin, pins
from dashboard.screen.proof import ExportedRun
from dashboard.whatif.edits import Unread, read_edit

TITLE = "Pinned runs"
KEY = "pins report"  # key, in the session state, of the report that was made last
MAX_RUNS = 50  # runs in a report
OF_PICTURES = "This is a run of pictures, which are not in the report. Open it in its page."
TOO_MANY = "{left} more runs are pinned, and a report has {most}."


class RepeatedRun(NamedTuple):
    """A pinned run that was made again, and what to say about it."""

    trace: Trace | None
    notes: list[str]


class Report(NamedTuple):
    """A report, and the runs that it is about."""

    about: list[Pin]
    page: bytes
    notebook: bytes


def draw_report(device: str) -> None:
    """Draw the button that makes a report, and the buttons that save it."""
    kept, state = pins(), st.session_state
    if st.button("Make a report", icon=":material/summarize:", key="make report", disabled=not kept):
        with st.spinner("Repeating the runs …"):
            state[KEY] = _make(list(kept), device)
    report: Report | None = state.get(KEY)
    if report is None or report.about != kept:
        return
    files: dict[str, File] = {
        "Report, HTML": ("pinned-runs.html", lambda: report.page, "text/html"),
        "Report, notebook": ("pinned-runs.ipynb", lambda: report.notebook, "application/x-ipynb+json"),
    }
    for label, (name, make, mime) in files.items():
        st.download_button(label, make, name, mime, icon=":material/download:", on_click="ignore", key=label)


def _make(kept: list[Pin], device: str) -> Report:
    """Repeat the runs, and report on them."""
    runs = [(pin, _repeat(pin, device)) for pin in kept[:MAX_RUNS]]
    entries = [_entry(pin, run) for pin, run in runs]
    if len(kept) > MAX_RUNS:
        entries.append(Entry("Other runs", [TOO_MANY.format(left=len(kept) - MAX_RUNS, most=MAX_RUNS)]))
    drawn = tuple(DrawnRun.of(run.trace, pin.text) for pin, run in runs if run.trace)
    record = Provenance(TITLE, {}, drawn)
    page, notebook = to_page(TITLE, entries), to_notebook(TITLE, entries)
    return Report(kept, seal(page, "report.html", record), seal(notebook, "report.ipynb", record))


def _repeat(pin: Pin, device: str) -> RepeatedRun:
    """Repeat a pinned run, with as many iterations as its page showed."""
    if pin.state == "not here":
        return RepeatedRun(None, [NOT_HERE.format(model=pin.model)])
    if not pin.text:
        return RepeatedRun(None, [OF_PICTURES])
    n_iters = iterations_of(pin)
    read = [read_edit(form) for form in pin.edits]
    try:
        edits = tuple(edit for edit in read if isinstance(edit, Edit))
        edited = TextRun(pin.model, device, pin.text, n_iters).edited(edits)
    except (ValueError, RuntimeError) as error:
        return RepeatedRun(None, [str(error).partition("\n")[0]])
    trace = edited.trace if n_iters is None else edited.trace.first(max(n_iters, pin.step or 1))
    refused = edited.refused | {edit: edit.reason for edit in read if isinstance(edit, Unread)}
    notes = [f"{edit} is not applied. {reason}" for edit, reason in refused.items()]
    changed = [WEIGHTS.format(model=pin.model, name=pin.name)] if pin.state == "changed" else []
    return RepeatedRun(trace, [*changed, *trace.notices, *notes])


def iterations_of(pin: Pin) -> int | None:
    """The number of iterations of a pinned run; None without routing.

    An address leaves out the page's default, which is the largest number on the page of k-means.
    """
    about = checkpoints.about(pin.model)
    if "n_iters" not in about.model:
        return None
    default = MAX_ITERATIONS if checkpoints.record_of(pin.model).has_lengths else about.model["n_iters"]
    wanted = pin.address.get("iterations", [""])[0]
    n_iters = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) <= 2 else default
    return min(max(1, n_iters, pin.step or 1), MAX_ITERATIONS)


def _entry(pin: Pin, run: RepeatedRun) -> Entry:
    """A run in the report."""
    trace, about = run.trace, list(filter(None, [pin.note, pin.text]))
    if trace is None:
        return Entry(pin.name, [*about, *run.notes])
    step = min(pin.step or trace.own_step, trace.n_steps)
    answer = answers(trace)[step - 1]
    said = [answer, *run.notes, describe_trust(pin.model), describe_method(ExportedRun(trace, pin.text))]
    return Entry(pin.name, [*about, *said], _picture(trace, step, answer, pin.text), _code(trace, pin.text, step))


def _picture(trace: Trace, step: int, answer: str, text: str) -> bytes:
    """The main picture of a run at a step, which proves itself."""
    title, family = checkpoints.title(trace.model), family_of(trace)
    quantity = capital(next(iter(family.plots)))
    drawn = sheet({quantity: family.draw_main(trace)}, Heading(title, [answer]), {trace.along: step})
    record = Provenance(title, {trace.along: step}, (DrawnRun.of(trace, text),))
    return seal(to_svg(drawn), "picture.svg", record)


def _code(trace: Trace, text: str, step: int) -> str:
    """Python that repeats a run and draws its main picture."""
    iterations = f", {trace.n_steps}" if trace.along == "iteration" else ""
    edits = f", edits={trace.edits!r}" if trace.edits else ""
    return f"trace = explain(zoo.load({trace.model!r}), {text!r}{iterations}{edits})\ntrace.plot(step={step})"
