"""Outputs that all pages share: runs of models, verdicts, notices and the formula."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.sentences.words import capital
from core.trace import Trace
from dashboard.runs import texts
from dashboard.runs.files import ModelFiles
from dashboard.screen.address import end_page
from dashboard.screen.markdown import escape, escape_error

T = TypeVar("T", bound=Trace)


def run_models(names: list[str], device: str, text: str, n_iters: int | None = None) -> list[Trace]:
    """Run a text through models; if one fails, end the page with one sentence.

    Args:
        names: names of the checkpoints.
        device: device of the models.
        text: text to run.
        n_iters: as in ``texts.run``.
    """
    with stop_on_error(), st.spinner("Reading the text …"):  # the first run loads the network
        traces = [texts.run(name, device, text, n_iters) for name in names]
    draw_notices(notice for trace in traces for notice in trace.notices)
    return traces


@contextmanager
def stop_on_error() -> Iterator[None]:
    """Show an error raised in this block as one sentence, and stop the page."""
    failed = True
    with go_on_after_error():
        yield
        failed = False
    if failed:
        end_page()


@contextmanager
def go_on_after_error() -> Iterator[None]:
    """Show an error raised in this block as one sentence, and continue after the block."""
    try:
        yield
    except ValueError as error:
        st.info(escape_error(error), icon=":material/info:")
    except (RuntimeError, OSError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        st.error(escape_error(f"This model could not run: {lines[0]}"), icon=":material/error:")


def draw_notices(sentences: Iterable[str]) -> None:
    """Draw each distinct sentence as a warning."""
    for sentence in dict.fromkeys(sentences):
        st.warning(escape(sentence), icon=":material/warning:")


def side_by_side(traces: list[T]) -> Iterator[T]:
    """Yield each trace, and draw into its column meanwhile. A single trace has the whole width."""
    if len(traces) == 1:
        yield traces[0]
        return
    for column, trace in zip(st.columns(len(traces), gap="large"), traces, strict=True):
        with column:
            yield trace


def iteration_notes(trace: Trace, trained: int) -> list[str]:
    """The line below the bars, for each iteration.

    Args:
        trace: trace of the run.
        trained: number of iterations in training.
    """
    return [_iteration_note(t, trained) for t in range(1, trace.n_steps + 1)]


def after_iterations(t: int) -> str:
    """A phrase for a number of iterations, such as "after 3 iterations"."""
    return f"after {t} iteration{'s' * (t != 1)}"


def _iteration_note(t: int, trained: int) -> str:
    """The line below the bars after iteration t."""
    after = capital(after_iterations(t))
    if t == trained:
        return f"{after}, as trained."
    return f"{after}; trained with {trained}." if t < trained else f"{after}, beyond training ({trained})."


def draw_numbers(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Draw a small table: names on the left, numbers on the right. Names may come from a user."""
    lines = [[escape(cell) for cell in row] for row in (titles, *rows)]
    marks = [":--", *["--:"] * (len(titles) - 1)]
    st.markdown("\n".join(f"| {' | '.join(cells)} |" for cells in (lines[0], marks, *lines[1:])))


def draw_formula(formula: str, source: str) -> None:
    """Draw the paper's formula and its source."""
    st.latex(formula)
    st.caption(source)


def draw_limits(place: DeltaGenerator, not_shown: str) -> None:
    """Say what the picture does not show."""
    place.markdown(f"**What it does not show.** {not_shown}")


def draw_card(files: ModelFiles) -> None:
    """Draw a checkpoint's card. If it is not shipped, it is shown as typed, so that it cannot fetch anything."""
    if not files.card:
        st.caption("This checkpoint has no card.")
    elif files.is_shipped:
        st.markdown(files.card.partition("\n# ")[2].partition("\n")[2])  # without front matter and title
    else:
        if files.is_from_archive:
            st.caption("This card comes from the archive. Nobody has checked what it states.")
        st.code(files.card, language=None, wrap_lines=True)
