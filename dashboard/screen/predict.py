"""Predict first: an outcome stays hidden until the user has said what it will be."""

from collections.abc import Sequence

import streamlit as st

from dashboard.screen.markdown import escape

ON, ANSWER = "predict first", "predicted"  # entries of the session
PARAM, YES = "predict", "on"  # entry of the address, and its value
HELP = (
    "Results stay hidden until you have said what you expect: in the Lab, which whole is chosen, or which routing "
    "shares most decisively; on the pages of networks, the answer after an edit. We do not ask for shares. A shared "
    "link keeps this."
)


def predicts() -> bool:
    """Whether the user wants to predict outcomes before they are shown, or the address says so until they choose."""
    return st.session_state.get(ON, st.query_params.get(PARAM) == YES) is True


def choose_predicting(key: str) -> None:
    """Draw the switch, which all pages share, and keep it in the address. key: key of this drawing of it."""

    def keep() -> None:
        st.session_state[ON] = st.session_state[key]

    st.session_state[key] = predicts()
    st.toggle("Predict first", key=key, on_change=keep, help=HELP)
    if predicts():
        st.query_params[PARAM] = YES
    else:
        st.query_params.pop(PARAM, None)


def answer_to(subject: str) -> str | None:
    """The answer that the user gave for this subject; None if they gave none."""
    kept = st.session_state.get(ANSWER)
    return kept[1] if isinstance(kept, tuple) and kept[0] == subject else None


def ask(question: str, options: Sequence[str], subject: str) -> None:
    """Ask what the outcome will be, unless the user has said it. They see it when they have answered.

    Args:
        question: question on the outcome.
        options: possible answers.
        subject: everything on which the outcome depends; another subject is asked again.
    """
    if answer_to(subject) is not None:
        return
    with st.container(border=True, key="prediction"):
        st.markdown(f"**{escape(question)}**")
        with st.container(horizontal=True, gap="small"):
            for k, option in enumerate(options):
                if st.button(escape(option), key=f"prediction {k}"):
                    st.session_state[ANSWER] = (subject, option)
                    st.rerun()


def compare_with_outcome(subject: str, outcome: str) -> None:
    """Say whether the user's prediction was right, if there was one."""
    answer = answer_to(subject)
    if answer is not None and predicts():
        is_right = answer == outcome
        icon = ":material/check:" if is_right else ":material/close:"
        said = f"You said: {answer}. " + ("That is right." if is_right else f"It is: {outcome}.")
        (st.success if is_right else st.info)(escape(said), icon=icon)
