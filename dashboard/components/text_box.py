"""The box for the user's own text, with a Run button and examples."""

from collections.abc import Callable, Sequence

import streamlit as st

from dashboard.components.component import Component, as_key

_text_box = Component("text_box", follows=False)
SHORT = 28  # characters of an example on its chip


def text_box(
    key: str, text: str, is_own: bool, examples: Sequence[str], on_run: Callable[[str], None], longest: int
) -> None:
    """Draw the box. The button, Ctrl+Enter or an example runs a text; typing alone sends nothing yet.

    Args:
        key: key of the component.
        text: text in the box until the user changes it.
        is_own: whether the user ran the text; the tab keeps such a text, and runs it again when it is reloaded.
        examples: texts to offer, by their first words.
        on_run: function to call with the text to run.
        longest: largest number of characters.
    """

    def run() -> None:
        if isinstance(typed := st.session_state[as_key(key)].text, str):  # a browser may send anything
            on_run(typed[:longest])

    chips = [{"text": example, "label": first_words(example)} for example in examples]
    data = {"text": text, "isOwn": is_own, "examples": chips, "longest": longest}
    _text_box(key=key, data=data, on_text_change=run)


def first_words(text: str, longest: int = SHORT) -> str:
    """The first words of a text, and an ellipsis if there are more."""
    if len(text) <= longest:
        return text
    words = text[: longest + 1].rpartition(" ")[0] or text[:longest]
    return words.rstrip(" ,.;:") + " …"
