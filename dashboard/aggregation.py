"""What the Routing page shows of many trainings: whether routing helps, and how often it should go round."""

import pandas as pd
import streamlit as st

from dashboard import runs, widgets
from dashboard.figures import windows as figures
from dashboard.figures.figure import Figure

NAMES = {
    "max": "max pooling",
    "mean": "average pooling",
    "attentive": "self-attention",
    "standard": "standard DR-AGG",
    "reversed": "reversed DR-AGG",
}
CORPORA = {"sst5": "SST-5", "sst2": "SST-2", "imdb": "IMDB"}


def measured() -> tuple[dict[str, Figure], dict[str, pd.DataFrame]]:
    """Draws the shipped sweeps, where there are any; figures and tables by title."""
    st.header("Does routing help, measured")
    drawn, tables = {}, {}
    if (table := runs.swept("aggregation")) is None:
        to_come("aggregation")
    else:
        named = table.assign(
            texts=table["corpus"].map(CORPORA), aggregation=table["aggregation"].map(NAMES).astype(str)
        )
        widgets.means(named, ["texts", "aggregation"])
        sizes = ", ".join(
            f"{CORPORA[c]} {n:,}" for c, n in table.groupby("corpus", sort=False)["trained_on"].first().items()
        )
        st.caption(
            f"Test accuracy under one BiLSTM and one head, {table['d'].iloc[0]} components a direction and a capsule "
            f"instead of the paper's 200; trained on whole sentences and reviews ({sizes}). The paper's IMDB has ten "
            "classes, and its self-attention and routing go sentence by sentence there: ours take all words at once. "
            f"A training a seed. Made by `{command('aggregation')}`."
        )
        tables["table 3"] = table
    if (table := runs.swept("iterations")) is None:
        to_come("iterations")
    else:
        counts = {int(n): f"{n} capsule{'s' if n > 1 else ''}" for n in sorted(table["n_capsules"].unique())}
        curves = figures.error_curves(table, "n_capsules", counts, "n_iters", "iterations", "linear")
        drawn["SST-2 by iterations and capsules"] = curves
        widgets.charts(drawn, columns=2)
        best = 1 - table.groupby(["n_capsules", "n_iters"])["test"].mean()
        said = ", ".join(f"{counts[n]}: {best[n].idxmin()}" for n in counts)
        st.caption(
            f"Standard DR-AGG. The paper's accuracy is highest at 3 iterations for each of these counts of capsules; "
            f"here at, for {said}. Lines are means over seeds, bars go from the best seed to the worst. Made by "
            f"`{command('iterations')}`."
        )
        tables["figure 2"] = table
    return drawn, tables


def command(sweep: str) -> str:
    return f"python -m core.sweep {sweep} --data DIR"


def to_come(sweep: str) -> None:
    st.caption(f"It is shown once the networks are trained: `{command(sweep)}`.")
