"""All checkpoints in a picture, in a sentence and in a table."""

import pandas as pd
import streamlit as st

from core.analysis.verdict import Verdict
from core.datasets import corpus_of
from core.manifest import Manifest
from core.scores import Metrics
from dashboard.figures.models import accuracies
from dashboard.figures.vega import STATED
from dashboard.jobs.published import PUBLISHED, RENDERED, trained_on
from dashboard.pages.models.texts import AGAINST, ALSO_STATED, MARKS
from dashboard.runs import checkpoints
from dashboard.runs.files import size_of
from dashboard.screen.shown import draw_figure

MEGA = 1e6
NUMBERS = ("ours", "low", "high", "paper", "stated", "stated_low", "stated_high")  # columns that may lack numbers
SIZES = ("parameters", "megabytes")  # columns
PERCENT = {"ours": "ours", "low": "95% interval, from", "high": "to", "paper": "the paper's", "stated": STATED}
MAX_CORPUS = 40  # characters of the name of an unknown corpus


def _texts(about: Manifest) -> str:
    """The texts that a network was trained on and their classes, in a few words."""
    corpus = corpus_of(about.corpus)
    return about.title.partition(" · ")[2] if corpus else about.corpus[:MAX_CORPUS]


def table_of_all() -> pd.DataFrame:
    """One row per checkpoint, grouped by texts."""
    rows, titles = [], checkpoints.titles()
    for name, about in checkpoints.known().items():
        test, paper = about.metrics.test, about.metrics.paper
        low, high = test.interval or (None, None)
        numbers = {"ours": test.accuracy, "low": low, "high": high, "paper": paper.accuracy}
        numbers |= dict(zip(("stated", "stated_low", "stated_high"), _stated(about.metrics), strict=True))
        sizes = {"parameters": about.metrics.parameters, "megabytes": size_of(name) / MEGA}
        compared = {
            "verdict": about.metrics.verdict,
            "differs": about.metrics.paper.differs,
            "rendered": about.kind == PUBLISHED.kind and trained_on(name) == RENDERED,
        }
        named = {"name": name, "title": titles[name], "texts": _texts(about)}
        rows.append(named | numbers | sizes | compared)
    table = pd.DataFrame(rows)
    for column in NUMBERS:
        table[column] = table[column].astype(float)
    return table.sort_values(["texts", "name"], key=lambda column: column.str.casefold(), ignore_index=True)


def _stated(metrics: Metrics) -> tuple[float | None, float | None, float | None]:
    """The accuracy that only an archive states, and its interval; None if it was measured here."""
    if metrics.stated is None or metrics.test.accuracy is not None:
        return None, None, None
    return metrics.stated.test.accuracy, *(metrics.stated.test.interval or (None, None))


def summarize() -> str:
    """Sentences on how many networks there are, and how many of them learned under other conditions.

    Networks that were trained on rendered toys are not compared with the paper's network, which learned from
    photographs.
    """
    table = table_of_all()
    compared = table[~table["rendered"]].dropna(subset=["ours", "paper"])
    n_others = int((compared["verdict"] == Verdict.OTHER_CONDITIONS).sum())
    return (
        f"There are {len(table)} networks here. For {len(compared)} of them, the papers report an accuracy on the same "
        f"test split. We trained {f'all {n_others}' if n_others == len(compared) else n_others} of these under "
        "conditions that differ from the paper's."
    )


def draw_accuracies(chosen: str) -> None:
    """Draw the accuracy of every checkpoint next to its paper's accuracy. A click chooses a checkpoint."""

    def pick() -> None:
        picked = st.session_state.accuracies.selection["cell"]
        if picked and picked[0].get("name") in checkpoints.known():
            st.query_params["checkpoint"] = picked[0]["name"]

    figure = accuracies(table_of_all().drop(columns=["verdict", "differs", "rendered"]), chosen)
    alt = "Test accuracy of every checkpoint with its interval, beside its paper's"
    is_stated = ALSO_STATED if figure.data["stated"].null_count < len(figure.data) else ""
    st.caption(MARKS.format(stated=is_stated))
    draw_figure(figure, key="accuracies", alt=alt, on_select=pick, selection_mode="cell")


def draw_table() -> None:
    """Draw the numbers of all checkpoints."""
    config = st.column_config
    table = table_of_all()
    percent = {name: config.NumberColumn(title, format="%.1f%%") for name, title in PERCENT.items()}
    table = table.assign(**{name: 100 * table[name] for name in PERCENT})
    stated = ["stated"] if table["stated"].notna().any() else []
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_order=["title", "ours", "low", "high", *stated, "paper", "verdict", "differs", *SIZES, "name"],
        placeholder="–",
        column_config={
            "title": config.TextColumn("network", width="large"),
            "name": "folder",
            "verdict": config.TextColumn("the paper's number is", help=AGAINST),
            "differs": config.TextColumn("what differs most"),
            "parameters": config.NumberColumn(format="localized"),
            "megabytes": config.NumberColumn("weights, MB", format="%.1f"),
            **percent,
        },
    )
