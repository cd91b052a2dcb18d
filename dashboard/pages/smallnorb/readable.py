"""Measurements: accuracy on changed pictures, the paper's claims, and R2 of directions predicted from poses."""

import re

import pandas as pd
import streamlit as st

from core.analysis import poses
from core.analysis.readout import ALL, summarize
from core.measured import store
from dashboard.figures.readable import by_category, by_training
from dashboard.jobs import published
from dashboard.pages.smallnorb.unseen import draw_unseen
from dashboard.pages.smallnorb.views import TURNS
from dashboard.runs import checkpoints, ledger
from dashboard.runs import pictures as picture_runs
from dashboard.screen.inputs import choose_option
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import draw_claims

NO_NETWORK = "none"  # network of the rows with pixels as features
METHODS = tuple(poses.METHODS)
ABOUT_AUTHORS = f"{published.NAME} is the author's network: it learned from photographs, but reads rendered toys here."
HOW_MEASURED = "python -m core.measured readout NAME --data DIR"
HOW_CHANGED = "python -m core.measured changes NAME --data DIR"


def choose_method(name: str) -> str:
    """Let the user choose the prediction method, if there are measurements."""
    if _summary(name) is None:
        return METHODS[0]
    return choose_option(list(METHODS), "Predict the view by", "method")


def draw_measured(shown: Shown, name: str, method: str) -> None:
    """Draw accuracy on changed pictures, the paper's claims, R2 of directions, and accuracy on unseen directions.

    Args:
        shown: record of the page.
        name: name of the checkpoint.
        method: one of ``METHODS``.
    """
    left, right = st.columns([2, 3], gap="large")
    with left:
        _draw_changes(shown, name)
    with right:
        claims = ledger.claims()
        pose_claims = claims[claims["file"] == f"{name}/poses.npz"]
        if len(pose_claims):
            st.markdown("**What the paper claims about poses**")
            draw_claims(shown, pose_claims)
    st.markdown("**What a pose says about the view**")
    _draw_readable(shown, name, method)
    st.markdown("**Unseen directions**")
    draw_unseen(shown)


def _draw_changes(shown: Shown, name: str) -> None:
    """Draw the accuracy on pictures that are changed like people's own pictures, or the command that measures it."""
    st.markdown("**Accuracy on changed pictures**")
    measured = checkpoints.measured("changes", name)
    if measured is None:
        st.caption(f"Not measured yet: `{HOW_CHANGED}`.")
        return
    n = int(measured["n"][0])
    table = pd.DataFrame({"pictures": measured["change"], "accuracy": measured["accuracy"]})
    shares = {"pictures": table["pictures"].map(escape), "accuracy": table["accuracy"].map("{:.1%}".format)}
    st.table(table.assign(**shares), hide_index=True)
    data = escape(str(measured["data"]).partition(", ")[2])
    st.caption(f"Measured on {n:,} test pairs, {data}. Made by `{HOW_CHANGED}`.")
    shown.add_table("accuracy on changed pictures", lambda: table)


def _draw_readable(shown: Shown, name: str, method: str) -> None:
    """Draw R2 of the directions, or the command that measures it.

    Args:
        shown: record of the page.
        name: name of the checkpoint.
        method: one of ``METHODS``.
    """
    summary = _summary(name)
    if summary is None:
        st.caption(f"What a pose says about the view appears here once it has been measured: `{HOW_MEASURED}`.")
        return
    results = summary[summary["method"] == method]
    st.markdown(_describe_readable(results, name))
    note = ABOUT_AUTHORS if published.NAME in set(summary["network"]) else ""
    st.caption(
        "R² says how well we can predict the direction that a new toy is seen from: 1 is perfect, 0 is no better than "
        "the mean direction. We predict it from the 4 × 4 pose of the true class, from the mean of the last "
        "convolution, or from the pictures, shrunk to 12 × 12 pixels. Bars are 95% intervals over the toys, 5 per "
        "category. R² for azimuth is the mean over its sine and cosine. The pictures: "
        f"{escape(str(checkpoints.measured('readout', name)['data']))}. {note}"
    )
    sources = results.assign(source=[_source_name(name, *pair) for pair in results[["network", "features"]].values])
    sources = sources[sources["source"] != ""]
    charts = {
        f"R² for {turn}": by_category(sources[sources["direction"] == turn], [*picture_runs.CATEGORIES, ALL])
        for turn in TURNS
    }
    along = _along_training(results, name)
    if len(along):
        charts["R² from the pose, during training"] = by_training(along)
    shown.draw_charts(charts, columns=2)
    if any(along["training"]):
        trainings = " and ".join(sorted(set(along["training"]) - {""}))
        st.caption(
            f"R² during training comes from another training ({trainings}), not from that of the shipped network."
        )
    if len(along):
        st.markdown(_describe_training(along))


def _describe_readable(results: pd.DataFrame, name: str) -> str:
    """A sentence on R2 of each direction from each kind of features, over all categories."""
    rows = results[results["category"] == ALL]
    others = [n for n in rows["network"].unique() if n not in (name, NO_NETWORK) and not _is_training_state(name, n)]
    sources = (
        (name, "poses", "this network's pose"),
        *((other, "poses", f"that of {escape(other)}") for other in others),
        (name, "last convolution", "the last convolution"),
        (NO_NETWORK, "pixels", "the pixels"),
    )
    phrases = []
    for turn in TURNS:
        of_turn = rows[rows["direction"] == turn].set_index(["network", "features"])["r2"]
        r2 = [f"{of_turn[key]:.2f} from {source}" for *pair, source in sources if (key := tuple(pair)) in of_turn.index]
        if r2:
            phrases.append(f"R² for {turn}: {', '.join(r2)}.")
    return " ".join(phrases)


def _describe_training(along: pd.DataFrame) -> str:
    """A sentence on R2 of each direction from the pose, early in a training and at its end."""
    phrases = []
    for direction, rows in along.groupby("direction", sort=False):
        first, last = (rows.loc[share] for share in (rows["share"].idxmin(), rows["share"].idxmax()))
        phrases.append(f"from {first['r2']:.2f} to {last['r2']:.2f} for the {direction}")
    return f"Between {first['share']:.0%} and {last['share']:.0%} of the training, R² changes {' and '.join(phrases)}."


def describe_poses(name: str) -> str:
    """A sentence on R2 of the direction from this network's poses by linear regression; "" if it was not measured.

    It also names the best network that has larger R2 for both directions, if any.
    """
    summary = _summary(name)
    if summary is None:
        return ""
    rows = summary[(summary["method"] == METHODS[0]) & (summary["features"] == "poses") & (summary["category"] == ALL)]
    r2 = rows.pivot(index="network", columns="direction", values="r2")[list(TURNS)]

    def values(network: str) -> str:
        return " and ".join(f"{r2.loc[network, turn]:.2f} for the {turn}" for turn in TURNS)

    sentence = "A linear readout predicts the view of the test toys from the poses. For this network, its R² is "
    sentence += f"{values(name)} (1 is perfect, 0 is no better than the mean)"
    better = r2[(r2 > r2.loc[name]).all(axis=1)]
    if better.empty:
        return f"{sentence}."
    best = better.mean(axis=1).idxmax()
    return f"{sentence}. For {best}, it is {values(best)}."


def add_table(shown: Shown, name: str) -> None:
    """Record the table of R², if it was measured for this checkpoint."""
    summary = _summary(name)
    if summary is not None:
        shown.add_table("R²", lambda: summary)


def _summary(name: str) -> pd.DataFrame | None:
    """The measured R2 of a checkpoint, as from ``core.analysis.readout.summarize``; None if there is none."""
    measured = checkpoints.measured("readout", name)
    if measured is None:
        return None
    return summarize(pd.DataFrame({column: measured[column] for column in store.ARRAYS["readout"]}))


def _source_name(name: str, network: str, features: str) -> str:
    """The name of the features; "" for a network that was not trained to the end."""
    if features == "pixels":
        return "pixels"
    if network == name:
        return {"poses": "pose", "last convolution": "last convolution"}[features]
    return f"pose, {network}" if features == "poses" and not _is_training_state(name, network) else ""


def _pattern(name: str) -> str:
    """A pattern for names of states in a training of the network, with the groups "share" and "training".

    "training" is empty for the training of the shipped network.
    """
    return rf"^{re.escape(name)}(?P<training>(?:-short)?(?:-\d+-epochs)?)-(?P<share>1|0\.\d+)$"


def _is_training_state(name: str, network: str) -> bool:
    """Whether a measured network is a state in the training of the network with this name."""
    return re.match(_pattern(name), network) is not None


def _along_training(summary: pd.DataFrame, name: str) -> pd.DataFrame:
    """R² of each direction from the pose, over all categories, for states in a training: columns share and training."""
    rows = summary[(summary["features"] == "poses") & (summary["category"] == ALL)]
    states = rows["network"].str.extract(_pattern(name)).dropna().astype({"share": float})
    states["training"] = states["training"].str.replace("-", " ").str.strip()
    return rows.join(states, how="inner")
