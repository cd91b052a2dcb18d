"""The kept result of a network's test split: what the page shows before anything was run."""

import streamlit as st
from numpy import ndarray

from core.datasets import corpus_of
from core.sentences.confusion import describe_confusion
from dashboard.figures.corpus import certainties, confusion
from dashboard.pages.corpus.texts import BY, HELD_OUT, JOINED, KEPT, NOT_KEPT, START, STORED
from dashboard.runs import checkpoints
from dashboard.runs.sources import has_test_split, is_joined
from dashboard.screen.markdown import escape
from dashboard.screen.shown import draw_figure


def draw_kept(names: list[str]) -> None:
    """Draw the kept results of these networks, or say that there is none."""
    for name in names:
        kept = checkpoints.measured("split", name)
        if kept is None or kept["counts"].shape != (len(checkpoints.about(name).classes),) * 2:
            st.caption(escape(NOT_KEPT.format(title=checkpoints.title(name))))
        else:
            _draw(name, kept)


def _draw(name: str, kept: dict[str, ndarray]) -> None:
    """Draw a kept result with the figures that a user's file has, too."""
    about = checkpoints.about(name)
    classes = list(about.classes)
    st.markdown(f"**{escape(checkpoints.title(name))}** · {escape(describe_confusion(kept['counts'], classes))}")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        alt = "How many texts of each class have each prediction"
        draw_figure(confusion(kept["counts"], classes, classes, picks=False), key=f"kept matrix {name}", alt=alt)
    with right:
        alt = "How many texts have each probability of the predicted class"
        draw_figure(certainties(kept["certainties"], picks=False), key=f"kept certainties {name}", alt=alt)
    corpus, limit = corpus_of(about.corpus), int(kept["limit"][0])
    stored = STORED.format(start=START if has_test_split(name) else "") if corpus else HELD_OUT
    command = BY.format(name=name, limit=f" --limit {limit}" if limit else "")
    by = command if corpus else ""  # a network that learned from a user's file was measured as it was trained
    joined = f" {JOINED}" if corpus and is_joined(corpus) else ""
    st.caption(f"{stored} {KEPT.format(data=escape(str(kept['data'])), by=by)}{joined}")
