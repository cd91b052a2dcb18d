"""For a class: scenes to open, a quiz, and a handout to print."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dashboard.pages.lab.experiments import EXPERIMENTS
from dashboard.pages.lab.inputs import open_scene
from dashboard.pages.lab.quiz import draw_quiz
from dashboard.pages.lab.texts import CLOUDS, TEXT

PRESETS: list[tuple[str, dict[str, Any]]] = [  # question, and the page's inputs by key
    ("What does each routing do with the roof?", {}),
    ("Two parts fit a house. Which routing is sure?", {"start": "Two parts of a house"}),
    (
        "When does standard routing sort eight parts?",
        EXPERIMENTS["3 · Two in one"].settings | {"experiment": "3 · Two in one"},
    ),
    ("Which part does EM take from the house?", {"only": ["EM"]}),
    ("Whose shares sum to 1: a part's, or a whole's?", {"start": "House", "only": ["Standard", "Reversed"]}),
    ("Which routing loses a noisy house first?", {"start": "House", "noise": 0.6}),
    ("Who takes outliers: clouds, or a spare capsule?", {"scene": CLOUDS, "outliers": 0.3, "spare": 1.0}),
    ("Why does k-means stay soft?", {"scene": CLOUDS, "only": ["k-means"]}),
    ("What changes in k-means with K = 10?", {"scene": CLOUDS, "sharpness": 10.0, "only": ["k-means"]}),
    ("Which words of a sentence agree, and on what?", {"scene": TEXT}),
]


def draw_for_class(handout: Callable[[], str]) -> None:
    """Draw the scenes, the quiz and the handout. handout: function that makes its HTML."""
    scenes, quiz = st.columns(2, gap="large")
    with scenes:
        st.subheader("Scenes")
        st.markdown("Each opens above. Share copies a link to what is on screen.")
        for k, (question, settings) in enumerate(PRESETS):
            opens = {"on_click": open_scene, "args": (settings,), "type": "tertiary", "icon": ":material/science:"}
            st.button(question, key=f"preset {k}", **opens)
        st.subheader("Handout")
        st.markdown("The scene on screen, an empty table of iterations, and the answers on a page of their own.")
        save = {"icon": ":material/print:", "mime": "text/html", "on_click": "ignore"}
        st.download_button("Handout to print", handout, "lab-handout.html", **save)
    with quiz:
        st.subheader("Quiz")
        draw_quiz()
