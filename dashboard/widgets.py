"""Inputs and outputs that every page shares. Widgets with ``bind`` keep their state in the address."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import quote_plus

import pandas as pd
import streamlit as st

from dashboard import runs
from dashboard.figures.figure import Figure, stand_alone
from dashboard.theme import shorten

LONGEST_PASTE = 1_000_000  # characters
LONGEST_LINK = 8_000  # characters of an address that browsers and servers take
LONGEST_SHOWN = 60  # characters of a chosen word or sentence
IN_ADDRESS = {"bind": "query-params"}
WHOLE = {"min_value": 1.0, "step": 1.0, "format": "%.0f", **IN_ADDRESS}  # as integers, ?word=inf would be an error


class Cell(NamedTuple):
    """A word and an output capsule, each from 0."""

    word: int
    capsule: int


def plain(text: str) -> str:
    """The text with Markdown's signs escaped: names of files and checkpoints are shown, not rendered.

    Addresses become links whatever is escaped in them, so an invisible sign parts them.
    """
    parted = re.sub(r"(?<=www)(?=\.)|(?<=:)(?=//)|(?=@)", "\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]<>#|~:$&])", r"\\\1", parted)


def device() -> str:
    """The device that models run on, chosen by itself and switchable in the sidebar."""
    names = runs.devices()
    help = "A GPU is taken where there is one, the CPU otherwise."
    return st.sidebar.selectbox("Device", list(names), format_func=names.get, key="device", help=help)


def checkpoint(*kinds: str, first: str) -> str:
    """One of the checkpoints of these kinds of networks, chosen in the sidebar."""
    names = sorted((name for kind in kinds for name in runs.models(kind)), key=lambda name: name != first)
    name = st.sidebar.selectbox("Checkpoint", names, key="checkpoint", **IN_ADDRESS)
    if name is None:
        st.error("There is no checkpoint that this page could show.", icon=":material/error:")
        st.stop()
    about = runs.about(name)
    task, metrics = about["config"]["task"], about["metrics"]
    accuracy, paper = metrics["test"]["accuracy"], metrics["paper"]
    source = f" ({plain(str(paper['source']))})" if "source" in paper else ""
    measured = "Test accuracy not measured here" if accuracy is None else f"Test accuracy {accuracy:.1%}"
    beside = f", the paper's {paper['accuracy']:.1%}{source}" if paper["accuracy"] is not None else ""
    st.sidebar.caption(
        f"{plain(task[:1].upper() + task[1:])}. {measured}{beside}. {metrics['parameters']:,} parameters."
    )
    for sentence in runs.left_out():
        st.sidebar.warning(plain(sentence), icon=":material/warning:")
    return name


def largest_count(own: int) -> int:
    """How many iterations are shown, the model's own count unless changed."""
    own = min(own, runs.LARGEST_COUNT)
    return st.sidebar.slider("Largest iteration count", 1, runs.LARGEST_COUNT, own, key="iterations", **IN_ADDRESS)


def beside(twin: str | None, label: str = "Standard beside reversed") -> list[str]:
    """The model of the other routing, where the user wants it beside the chosen one."""
    help = "The same sentence through the model trained with the other routing."
    if twin is None:
        help = "No model was trained on these classes with the other routing."
    on = st.sidebar.toggle(label, key="beside", disabled=twin is None, help=help, **IN_ADDRESS)
    return [twin] if on and twin else []


def text_input(presets: dict[str, str], key: str = "example") -> str:
    """A text to type or paste. Examples fill it in; the address holds it only when the user asks.

    It goes along from page to page: ``typed`` outlives the widget, which each page has its own of. An example does not
    go along: where there are others, it gives way to one of them.

    Args:
        key: tells these examples from others of the same page.
    """
    state = st.session_state

    def fill_in() -> None:
        if state[key]:
            state.typed, state.typed_by_user = presets[state[key]], False

    def keep() -> None:
        state.typed, state.typed_by_user = state.text, True

    first = next(iter(presets))
    st.pills("Examples", list(presets), key=key, default=first, on_change=fill_in, **IN_ADDRESS)
    if "typed" not in state:
        state.typed = st.query_params.get("text")
        state.typed_by_user = state.typed is not None
    if not state.typed_by_user and state.typed not in presets.values():
        state.typed = presets[state[key] or first]
    state.text = state.typed
    help = "Ctrl+Enter or a click elsewhere runs it."
    text = st.text_area("Your text", key="text", height=80, max_chars=LONGEST_PASTE, on_change=keep, help=help)
    if st.query_params.get("text") not in (None, text):
        del st.query_params["text"]  # the link was to another text
    return text or ""


def share_link(text: str) -> None:
    """Puts the text in the address, when asked."""
    help = "Without it the link holds all but the text."
    if st.button("Put this text in the link", icon=":material/link:", help=help):
        if len(quote_plus(text)) > LONGEST_LINK:
            st.warning("This text is too long for a link.", icon=":material/warning:")
        else:
            st.query_params["text"] = text
            st.caption("The page's address now holds the text: copy it from the browser.")


def traces(names: list[str], device: str, text: str, n_iters: int | None = None) -> list[runs.Trace]:
    """The runs of a text through models, or one sentence on why there is none. n_iters: as ``runs.run`` takes it."""
    with or_one_sentence():
        found = [runs.run(name, device, text, n_iters) for name in names]
    notices(notice for trace in found for notice in trace.notices)
    return found


@contextmanager
def or_one_sentence() -> Iterator[None]:
    """What fails in here is told in one sentence, and the page ends there."""
    try:
        yield
    except ValueError as error:
        st.info(plain(str(error)), icon=":material/info:")
        st.stop()
    except (RuntimeError, OSError) as error:
        said = str(error).splitlines() or [type(error).__name__]
        st.error(plain(f"This model could not run: {said[0]}"), icon=":material/error:")
        st.stop()


def notices(sentences: Iterable[str]) -> None:
    """Each sentence once."""
    for sentence in dict.fromkeys(sentences):
        st.warning(plain(sentence), icon=":material/warning:")


def side_by_side(traces: list[runs.Trace]) -> Iterator[runs.Trace]:
    """Each trace in turn, what is drawn meanwhile standing in its column; an only one has the whole width."""
    if len(traces) == 1:
        yield traces[0]
        return
    for column, trace in zip(st.columns(len(traces), gap="large"), traces, strict=True):
        with column:
            yield trace


def verdict(trace: runs.Trace) -> None:
    """Which model answered what, and on which device."""
    probabilities = trace.probabilities[-1]
    best = int(probabilities.argmax())
    said = f"**{plain(trace.model)}** says **{plain(trace.classes[best])}** ({probabilities[best]:.1%})"
    st.markdown(f"{said}, on {trace.device}. {'Iterations' if trace.layers else 'Layers'}: {trace.n_iters}.")


def cell(tokens: list[str], n_capsules: int, unit: str = "word") -> Cell:
    """The word, or other unit, and capsule whose history is shown: typed here, or clicked in the heat map."""
    word, capsule, shown = st.columns([1, 1, 2], vertical_alignment="bottom")
    with word:
        i = one_of(len(tokens), unit.capitalize(), unit)
    with capsule:
        j = one_of(n_capsules, "Capsule", "capsule")
    shown.text(f"“{shorten(tokens[i], LONGEST_SHOWN)}”")
    return Cell(i, j)


def one_of(n: int, label: str, key: str) -> int:
    """One of n things, from 0; shown, and kept in the address, from 1."""
    if st.session_state.get(key, 1) > n:  # the text before was longer
        st.session_state[key] = 1.0
    return int(st.number_input(label, max_value=float(n), key=key, **WHOLE)) - 1


def leading_one_of(n: int, label: str, key: str, first: int, of: str) -> int:
    """The same, where ``first`` leads until another is chosen, and leads again when what it is ``of`` is another."""
    before = st.session_state.get(f"{key} of")
    st.session_state[f"{key} of"] = of
    if before not in (None, of) or not (key in st.session_state or key in st.query_params):
        st.session_state[key] = first + 1.0
    chosen = st.number_input(label, max_value=float(n), value=None, key=key, **WHOLE)  # so that any is in the address
    return int(chosen or first + 1) - 1


def choice(options: list[str], label: str, key: str) -> str:
    """One of a few, the first unless another is chosen."""
    chosen = st.segmented_control(label, options, default=options[0], key=key, required=True, **IN_ADDRESS)
    return chosen or options[0]


def pick(options: list[str], label: str, key: str, first: str) -> str:
    """One of many, ``first`` unless another is chosen."""
    return st.selectbox(label, options, options.index(first), key=key, **IN_ADDRESS) or first


def turn(cell: Cell | int) -> int:
    """How often another cell, or part, was picked."""
    if st.session_state.get("cell") != cell:
        st.session_state.cell, st.session_state.turn = cell, st.session_state.get("turn", 0) + 1
    return st.session_state.turn


def heatmap(figure: Figure, key: str, alt_text: str, picks: dict[str, str] | None = None) -> None:
    """A heat map at its own width. picks: which input takes a clicked cell's column ("i") and row ("j")."""

    def pick() -> None:
        chosen = st.session_state[key].selection["cell"]
        for index, name in picks.items() if chosen else ():
            st.session_state[name] = chosen[0][index] + 1.0

    select = {"on_select": pick, "selection_mode": "cell"} if picks else {}
    st.vega_lite_chart(*figure, key=key, width="content", alt=alt_text, **select)


def charts(titled: dict[str, Figure], columns: int) -> None:
    """Small charts in rows of so many, each under its title."""
    for k, (title, figure) in enumerate(titled.items()):
        if k % columns == 0:
            row = st.columns(columns)
        row[k % columns].markdown(f"**{title}**")
        row[k % columns].vega_lite_chart(*figure, alt=title)


def downloads(trace: runs.Trace, make_tables: Callable[[], dict[str, pd.DataFrame]], titled: dict[str, Figure]) -> None:
    """The numbers as tables, as CSV and as JSON, and the figures as one page that stands alone.

    They are behind an expander, and nothing is made before it is opened.
    """
    numbers = st.expander("Numbers and downloads", key=f"numbers-{trace.model}", on_change="rerun")
    if not numbers.open:
        return
    tables = make_tables()
    files = {f"CSV, {title}": (_csv(table), f"{title}.csv", "text/csv") for title, table in tables.items()}
    files["JSON"] = (trace.to_json, "trace.json", "application/json")
    files["Figures"] = (lambda: stand_alone(titled), "figures.html", "text/html")
    with numbers:
        with st.container(horizontal=True):
            for label, (content, ending, mime) in files.items():
                name = f"{trace.model} {ending}"
                st.download_button(label, content, name, mime, key=name, on_click="ignore", icon=":material/download:")
        for title, table in tables.items():
            st.caption(title)
            st.dataframe(table, hide_index=True, height=280)


def _csv(table: pd.DataFrame) -> Callable[[], str]:
    return lambda: table.to_csv(index=False)


def explained(formula: str, source: str, not_shown: str) -> None:
    """The paper's formula behind an expander, and what the picture does not show."""
    st.caption(f"**What this does not show.** {not_shown}")
    with st.expander("The formula"):
        st.latex(formula)
        st.caption(source)
