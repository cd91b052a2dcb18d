"""The formula of a page with the numbers of the picked cell, one line of the calculation after the other."""

from collections.abc import Sequence

import streamlit as st

from core.sentences.words import quote
from core.trace import Trace
from core.worked import WorkedStep, path_of
from dashboard.runs.worked import work
from dashboard.screen.glossary import GLOSSARY, draw_terms
from dashboard.screen.outputs import go_on_after_error


def draw_formula_with_numbers(trace: Trace, cell: Sequence[int], step: int, device: str, text: str) -> None:
    """Draw each step of one iteration (or layer, or window) with its values, up to the number in the picture.

    Args:
        trace: trace of the run.
        cell: indices of the cell, as in ``core.worked.work``.
        step: step that is worked out at first, from 1; a user can choose another one.
        device: device of the network.
        text: text as typed.
    """
    chosen, about = st.columns([1, 3], vertical_alignment="bottom")
    with chosen:
        key = f"worked {trace.model} {trace.n_steps} {step}"  # another run begins at its own step
        t = int(st.number_input(trace.along.capitalize(), 1, trace.n_steps, min(step, trace.n_steps), key=key))
    with go_on_after_error():
        steps = work(trace, device, text, cell, t)
        if not steps:
            st.caption("The numbers of this network's formula are not kept.")
            return
        about.text(_title(trace, cell, next((worked.path for worked in steps if worked.is_share), "")))
        draw_steps(steps, f"{key} {tuple(cell)} {t}")
        known = dict.fromkeys(worked.term for worked in steps if worked.term in GLOSSARY)
        if known:
            draw_terms(*known, lead="Words used here:", key="terms of the formula")


@st.fragment
def draw_steps(steps: Sequence[WorkedStep], subject: str, one_by_one: bool = False) -> None:
    """Draw the steps of a calculation all at once, or one more at each click.

    Args:
        steps: steps in their order.
        subject: name of the calculation; for another one, the steps begin again.
        one_by_one: whether they come one by one until the user wants them all.
    """
    n, state = len(steps), st.session_state
    if state.get("steps of") != subject:
        state["steps of"], state["steps shown"] = subject, 1
    row = st.container(horizontal=True, vertical_alignment="center")
    if not row.toggle("One step at a time", one_by_one, key=f"stepwise {one_by_one}"):
        for step in steps:
            _draw_step(step)
        return
    shown = min(max(int(state["steps shown"]), 1), n)

    def show(k: int) -> None:
        state["steps shown"] = k

    row.button("Back", disabled=shown == 1, icon=":material/arrow_back:", on_click=show, args=(shown - 1,))
    forth = {"type": "primary", "on_click": show, "args": (shown + 1,)}
    row.button("Next", disabled=shown == n, icon=":material/arrow_forward:", **forth)
    row.markdown(f"Step {shown} of {n}")
    for step in steps[:shown]:
        _draw_step(step)


def draw_path(trace: Trace, cell: Sequence[int], step: int) -> None:
    """Draw the line of Python that reads a cell's number from the trace, with a button that copies it.

    Arguments as in ``core.worked.work``.
    """
    if path := path_of(trace, cell, step):
        st.code(path, language="python", wrap_lines=True)


def _title(trace: Trace, cell: Sequence[int], path: str) -> str:
    """The names of the cell's input and output, with the letters that the formulas have for them, if they do."""
    letters = ("i", "j") if ".coupling[" in path else ("n", "")
    named = zip(letters, cell, trace.cells.names.items(), strict=False)
    return ", ".join(
        _name(unit, names[index]) + f" ({letter} = {index + 1})" * bool(letter)
        for letter, index, (unit, names) in named
    )


def _name(unit: str, name: str) -> str:
    """The name of one of the things of a cell. A class needs its noun."""
    return quote(name) if unit == "word" else f"class {name}" if unit == "class" else name


def _draw_step(step: WorkedStep) -> None:
    """Draw one equation with its explanation, and the line of Python that gives its result."""
    equation, source = st.columns([3, 2], vertical_alignment="center", gap="medium")
    with equation:
        st.latex(step.latex)
    if step.path:
        equation.caption(step.says)
        source.code(step.path, language="python", wrap_lines=True)
    else:
        source.markdown(step.says)
