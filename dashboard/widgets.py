"""Inputs and outputs that every page shares. Widgets with ``bind`` keep their state in the address."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd
import streamlit as st

from dashboard import runs
from dashboard.figures.figure import Figure
from dashboard.theme import shorten

LONGEST_PASTE = 1_000_000  # characters
IN_ADDRESS = {"bind": "query-params"}


class Cell(NamedTuple):
    """A word and an output capsule, each from 0."""

    word: int
    capsule: int


def device() -> str:
    """The device that models run on, chosen by itself and switchable in the sidebar."""
    names = runs.devices()
    help = "A GPU is taken where there is one, the CPU otherwise."
    return st.sidebar.selectbox("Device", list(names), format_func=names.get, key="device", help=help)


def checkpoint(kind: str, first: str) -> str:
    """One of the checkpoints of a kind of network, chosen in the sidebar."""
    names = sorted(runs.models(kind), key=lambda name: name != first)
    name = st.sidebar.selectbox("Checkpoint", names, key="checkpoint", **IN_ADDRESS)
    about = runs.about(name)
    metrics = about["metrics"]
    st.sidebar.caption(
        f"{about['config']['task'].capitalize()}. Test accuracy {metrics['test']['accuracy']:.1%}, "
        f"the paper's {metrics['paper']['accuracy']:.1%}. {metrics['parameters']:,} parameters."
    )
    return name


def largest_count() -> int:
    """How many iterations are shown; every run has them all."""
    return st.sidebar.slider("Largest iteration count", 1, runs.MOST_ITERATIONS, 3, key="iterations", **IN_ADDRESS)


def beside(twin: str | None) -> list[str]:
    """The model of the other routing, where the user wants it beside the chosen one."""
    help = "The same sentence through the model trained with the other routing."
    if twin is None:
        help = "No model was trained on these classes with the other routing."
    on = st.sidebar.toggle(
        "Standard beside reversed", key="beside", disabled=twin is None, help=help, **IN_ADDRESS
    )  # fmt: skip
    return [twin] if on and twin else []


def text_input(presets: dict[str, str]) -> str:
    """A text to type or paste. Examples fill it in; the address holds it only when the user asks."""

    def fill_in() -> None:
        if st.session_state.example:
            st.session_state.text = presets[st.session_state.example]

    first = next(iter(presets))
    st.pills("Examples", list(presets), key="example", default=first, on_change=fill_in, **IN_ADDRESS)
    if "text" not in st.session_state:
        st.session_state.text = st.query_params.get("text", presets[st.session_state.example or first])
    text = st.text_area(
        "Your sentence",
        key="text",
        height=80,
        max_chars=LONGEST_PASTE,
        persist_state="session",
        help="Ctrl+Enter or a click elsewhere runs it.",
    )
    return text or ""


def share_link(text: str) -> None:
    """Puts the text in the address, when asked."""
    if st.button(
        "Put this text in the link", icon=":material/link:", help="Without it the link holds all but the text."
    ):
        st.query_params["text"] = text
        st.caption("The page's address now holds the text: copy it from the browser.")


def traced(name: str, device: str, text: str) -> runs.Trace:
    """The run of a text, or one sentence on why there is none."""
    try:
        trace = runs.run(name, device, text)
    except ValueError as error:
        st.info(str(error), icon=":material/info:")
        st.stop()
    for notice in trace.notices:
        st.warning(notice, icon=":material/warning:")
    return trace


def side_by_side(traces: list[runs.Trace]) -> Iterator[runs.Trace]:
    """Each trace in turn, what is drawn meanwhile standing in its column."""
    for column, trace in zip(st.columns(len(traces), gap="large"), traces, strict=True):
        with column:
            yield trace


def verdict(trace: runs.Trace) -> None:
    """Which model answered what, and on which device."""
    probabilities = trace.probabilities[-1]
    best = int(probabilities.argmax())
    said = f"**{trace.model}** says **{trace.classes[best]}** ({probabilities[best]:.1%})"
    st.markdown(f"{said}, on {trace.device}. Iterations: {trace.n_iters}.")


def cell(tokens: list[str], n_capsules: int) -> Cell:
    """The word and capsule whose history is shown: typed here, or clicked in the heat map."""
    limits = {"word": len(tokens), "capsule": n_capsules}
    for name, most in limits.items():
        if st.session_state.get(name, 1) > most:  # the text before was longer
            st.session_state[name] = 1
    word, capsule, shown = st.columns([1, 1, 2], vertical_alignment="bottom")
    i = word.number_input("Word", 1, limits["word"], key="word", **IN_ADDRESS)
    j = capsule.number_input("Capsule", 1, limits["capsule"], key="capsule", **IN_ADDRESS)
    shown.text(f"“{shorten(tokens[i - 1])}”")
    return Cell(i - 1, j - 1)


def heatmap(figure: Figure, key: str, alt_text: str) -> None:
    """A heat map at its own width; a clicked cell becomes the one whose history is shown."""

    def pick() -> None:
        chosen = st.session_state[key].selection["cell"]
        if chosen:
            st.session_state.word, st.session_state.capsule = chosen[0]["i"] + 1, chosen[0]["j"] + 1

    st.vega_lite_chart(*figure, key=key, width="content", alt=alt_text, on_select=pick, selection_mode="cell")


def charts(titled: dict[str, Figure], columns: int) -> None:
    """Small charts in rows of so many, each under its title."""
    for k, (title, figure) in enumerate(titled.items()):
        if k % columns == 0:
            row = st.columns(columns)
        row[k % columns].markdown(f"**{title}**")
        row[k % columns].vega_lite_chart(*figure, alt=title)


def downloads(trace: runs.Trace, table: pd.DataFrame, figure: Figure) -> None:
    """The numbers as a table, as CSV and as JSON, and the figure as a page that stands alone."""
    with st.expander("The numbers"):
        st.dataframe(table, hide_index=True, height=320)
    files = {
        "CSV": (lambda: table.to_csv(index=False), "csv", "text/csv"),
        "JSON": (trace.to_json, "json", "application/json"),
        "Figure": (figure.to_html, "html", "text/html"),
    }
    with st.container(horizontal=True):
        for label, (content, ending, mime) in files.items():
            st.download_button(
                label, content, f"{trace.model}.{ending}", mime, key=f"{trace.model}.{ending}", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip


def explained(formula: str, source: str, not_shown: str) -> None:
    """The paper's formula behind an expander, and what the picture does not show."""
    st.caption(f"**What this does not show.** {not_shown}")
    with st.expander("The formula"):
        st.latex(formula)
        st.caption(source)
