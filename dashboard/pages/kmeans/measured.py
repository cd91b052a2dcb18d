"""Measured trainings: accuracy by embedding, routing and loss; and the numbers of parameters."""

import pandas as pd
import streamlit as st

from core import ledger
from core.ledger import cccaps
from core.ledger.claim import sweep_command
from core.sentences.words import listed
from dashboard.runs.pytorch import table_7
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import (
    draw_claims,
    draw_means,
    draw_own_training,
    draw_summary,
    means,
    note_on_seeds,
    sweep_section,
)

CORPUS = {"ag_news": "AG's News", "dbpedia": "DBpedia"}
PAPERS_SIZE = {"ag_news": 120_000, "dbpedia": 560_000}  # training texts in the paper


@sweep_section("capsules", "How much embedding, routing and loss help")
def draw_trainings(shown: Shown, table: pd.DataFrame) -> None:
    """Draw the paper's tables 4 to 6 with our numbers."""
    st.header("How much each component helps")
    shown.add_table("tables 4 to 6", lambda: table)
    draw_means(table.assign(corpus=table["corpus"].map(CORPUS)), ["corpus", "embedding", "routing", "loss"])
    draw_claims(shown, ledger.read(cccaps.PAPER, "sweeps/capsules.parquet"))
    trained_on = table.groupby("corpus")["trained_on"].first()
    sizes = [
        f"{trained_on[key]:,} texts of {name} (in the paper, {PAPERS_SIZE[key]:,})"
        for key, name in CORPUS.items()
        if key in trained_on
    ]
    held_out = "For DBpedia, the test texts were held out, too. " if "dbpedia" in trained_on else ""
    st.caption(
        f"We measured test accuracy after training on {' and '.join(sizes)}. So compare differences with the paper's, "
        "not levels. There is one training for each seed. We keep the weights that do best on texts held out from "
        f"training. {held_out}CC is compositional coding of words, CWC is its weighted form, and a plain network has a "
        "vector for each word. Networks without routing end in a linear layer. Their focal loss uses class "
        "probabilities, and their margin loss uses scores. The paper gives no intervals. "
        f"Made by `{sweep_command('capsules')}`."
    )


@sweep_section("sharpness", "Accuracy by the sharpness of the shares")
def draw_sharpness(shown: Shown, table: pd.DataFrame) -> None:
    """Draw the accuracy of k-means routing by the factor K in its softmax."""
    st.header("Do sharper shares help?")
    shown.add_table("sharpness", lambda: table)
    learned = table[table["sharpness"] == "learned"]
    summary = means(table.assign(corpus=table["corpus"].map(CORPUS), K=table["sharpness"]), ["corpus", "K"])
    draw_summary(summary.drop(columns=["paper", "paper in interval"]))  # the paper has no such networks
    found = f"Trained as a parameter, K ends between {learned['K'].min():.1f} and {learned['K'].max():.1f}. "
    best = listed([f"{_best_sharpness(rows)} on {CORPUS[str(corpus)]}" for corpus, rows in table.groupby("corpus")])
    st.markdown(
        f"The table has accuracy on the test split. The dev split is answered best with K = {best}. "
        f"{found * bool(len(learned))}"
    )
    st.caption(
        "The paper derives shares as a softmax of K times the cosine (equation 10). Algorithm 1 leaves K out, "
        "so it is 1. The networks are as in table 5, trained and tested on the same "
        f"texts as above. {note_on_seeds(table)} Made by `{sweep_command('sharpness')}`."
    )


def _best_sharpness(rows: pd.DataFrame) -> str:
    """The sharpness with the highest mean accuracy on the dev split; a learned one with its mean value."""
    best = str(rows.groupby("sharpness")["dev"].mean().idxmax())
    if best != "learned":
        return best
    return f"{rows.loc[rows['sharpness'] == best, 'K'].mean():.1f} (learned)"


def draw_parameters(shown: Shown) -> None:
    """Draw the paper's table 7: millions of parameters of six networks on eight datasets."""
    cells = table_7()
    shown.add_table("table 7", lambda: cells)
    st.header("How many parameters the networks have, in millions")
    names = {"plain": "plain", "cc": "CC", "cwc": "CWC", "none": "linear", "kmeans": "capsules"}
    named = cells.replace({"embedding": names, "routing": names})
    wide = named.pivot(index=["embedding", "routing"], columns="dataset", values="here")
    st.dataframe(wide.reindex(columns=cells["dataset"].unique()).reset_index(), hide_index=True, height="content")
    st.caption(
        "The networks and datasets are those of the paper's table 7. We counted the parameters of our "
        f"networks with the paper's vocabularies: {cells['agree'].sum()} of {len(cells)} numbers equal the paper's."
    )


def draw_measured(shown: Shown, name: str) -> None:
    """Draw the measured trainings and the parameters. name: name of the page's network."""
    draw_own_training(name)
    draw_trainings(shown)
    draw_sharpness(shown)
    draw_parameters(shown)
