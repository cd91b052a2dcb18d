"""The tab Does it hold: whether the words that a picture ranks highest are those that the answer rests on."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.faithfulness import area
from dashboard import runs
from dashboard.figures.faithfulness import BAND, curves_against_random
from dashboard.shared.inputs import choose_option
from dashboard.shared.markdown import escape
from dashboard.shared.outputs import stop_on_error
from dashboard.shared.shown import Shown

WAYS = {
    "masked": "Masked: the word takes part in nothing more; what was read around it still carries it.",
    "removed": "Removed: the text is read without the word.",
}
NAMES = {
    "coupling": "coupling to the capsule that takes most",
    "contribution": "contribution to the features, by their coupling",
    "D_use": "D_use through both routings",
    "attention": "mean attention",
    "evidence": "evidence of its position",
}


def draw_does_it_hold(shown: Shown, name: str, device: str, text: str) -> None:
    """This text's curves, one sentence on them, and what was measured over the test split."""
    way = choose_option(list(WAYS), "Words are", "deleted")
    st.caption(WAYS[way])
    with stop_on_error():
        found = runs.curves_of_text(name, device, text, way)
    own = next(iter(found.scores))
    answer = escape(runs.about(name).classes[found.answer])
    st.markdown(_sentence(found, own))
    counts = next(iter(found.curves.values())).counts
    titled = {NAMES.get(key, key): curves for key, curves in found.curves.items()}
    charts = {
        "Deleting words, highest first": curves_against_random(
            counts, {key: c.deletion for key, c in titled.items()}, found.deletion, "words deleted", answer
        ),
        "Giving words, highest first": curves_against_random(
            np.append(counts[1:], len(found.words)),
            {key: c.insertion for key, c in titled.items()},
            found.insertion,
            "words given",
            answer,
        ),
    }
    shown.draw_charts(charts, columns=2)
    st.caption(
        f"Grey: the middle {BAND[1] - BAND[0]}% of {len(found.deletion)} random orders. A faithful ranking falls below "
        "it on the left and rises above it on the right. A text with words missing is unlike any that the network was "
        "trained on."
    )
    shown.add_table("rankings", lambda: pd.DataFrame({"word": found.words, **found.scores}))
    _draw_split(name, way, own)


def _sentence(found: Any, own: str) -> str:
    """How this text's own ranking compares with random orders."""
    p = found.curves[own]
    areas = np.array([area(draw, p.counts) for draw in found.deletion])
    sooner = float((areas > area(p.deletion, p.counts)).mean())
    if sooner >= 0.95:
        how = f"changes the answer sooner than {sooner:.0%} of {len(areas)} random orders do"
    else:
        how = f"changes the answer no sooner than deleting random ones: sooner than {sooner:.0%} of {len(areas)} orders"
    return f"In this text, deleting the words that the picture ranks highest {how}."


def _draw_split(name: str, way: str, own: str) -> None:
    st.header("Over the test split")
    measured = runs.evidence_of(name)
    if measured is None or way not in measured["rankings"]:
        st.caption(f"Not measured for {escape(name)} yet. `python -m core evidence {name}` measures it.")
        return
    rankings = measured["rankings"][way]
    st.markdown(split_sentence(rankings, own))
    table = pd.DataFrame([{"ranking": NAMES.get(key, key), **_figures(row)} for key, row in rankings.items()])
    st.dataframe(table, hide_index=True, height="content")
    st.caption(
        f"{escape(measured['sample'])}, with 95% bootstrap intervals. AOPC: how far the answer's probability falls "
        "without the first 1, 5, 10, 20 and 50% of the words, on the mean; high is good. Sufficiency: how far it is "
        "below the whole text's with these alone; low is good. Tau: Kendall's, with the order by drop-one."
    )


def _figures(row: dict[str, Any]) -> dict[str, str]:
    sufficiency = [share["mean"] for share in row["sufficiency"] if share]
    return {
        "AOPC": _written(row["aopc"]),
        "sufficiency": f"{np.mean(sufficiency):.3f}" if sufficiency else "",
        "area, deletion": _written(row["deletion"]),
        "area, insertion": _written(row["insertion"]),
        "tau": _written(row["tau"]),
    }


def _written(figure: dict[str, Any] | None) -> str:
    if figure is None:
        return ""
    low, high = figure["interval"]
    return f"{figure['mean']:.3f} ({low:.3f} to {high:.3f})"


def split_sentence(rankings: dict[str, dict[str, Any]], own: str) -> str:
    """How a ranking compares with random orders over a split."""
    ours, random = rankings[own]["aopc"], rankings["random"]["aopc"]
    if ours["interval"][0] > random["interval"][1]:
        how = f"changes the answer more than deleting random ones: AOPC {ours['mean']:.3f}, random {random['mean']:.3f}"
    elif ours["interval"][1] < random["interval"][0]:
        how = f"changes the answer less than deleting random ones: AOPC {ours['mean']:.3f}, random {random['mean']:.3f}"
    else:
        how = f"changes the answer as much as deleting random ones, within chance: AOPC {ours['mean']:.3f}"
    return f"Deleting the words that this picture ranks highest {how}."
