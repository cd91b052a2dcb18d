"""The section Test it: curves that show whether the answer depends on the words that a picture ranks highest."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.faithfulness import DROP_ONE, TextCurves
from core.measured.evidence.badge import badge_of
from core.measured.evidence.record import Ranking, opened_on
from core.sentences.words import capital
from dashboard.figures.faithfulness import BAND, curves_against_random
from dashboard.figures.vega import STATED
from dashboard.runs import checkpoints
from dashboard.runs.deciding import deciding_capsule
from dashboard.runs.evidence import curves_of_sample, evidence_of, evidence_to_show
from dashboard.runs.texts import run
from dashboard.screen import evidence as words
from dashboard.screen.evidence import NAMES
from dashboard.screen.inputs import choose_option
from dashboard.screen.markdown import escape
from dashboard.screen.measuring import how_to_measure
from dashboard.screen.outputs import go_on_after_error
from dashboard.screen.shown import Shown
from dashboard.screen.unit_link import name_unit
from dashboard.screen.waits import run_with_bar

WAYS = {
    "masked": "Masked: the network has already read the {unit} when it is hidden. Its neighbours may carry some of it.",
    "removed": "Removed: the network reads the text without the {unit}.",
}
PLACE_WAYS = {
    "masked": "Masked: what the network detected at the place is hidden from routing.",
    "removed": "Removed: the pixels nearest to the place get the mean grey of their picture.",
}
OWN = "the picture's ranking"
# Rankings to compare with the picture's, and their names.
COMPARED = {"integrated gradients": "integrated gradients", DROP_ONE: "each one alone"}
SEEN = "seen ways"  # key, in the session state, of a subject and its curves for the ways that were looked at
EXACTLY = "exactly"  # key, in the session state, of the subject for which all curves are computed exactly


def describe_way(way: str, unit: str) -> str:
    """A sentence on what it means to delete units in this way, "masked" or "removed"."""
    return PLACE_WAYS[way] if unit == "place" else WAYS[way].format(unit=unit)


def draw_does_it_hold(shown: Shown, name: str, device: str, sample: str | np.ndarray) -> None:
    """Draw a verdict on the picture of a text or a pair of pictures, its curves, and the evidence of the split."""
    record = checkpoints.record_of(name)
    unit = record.ranked_unit
    said = st.container()  # at the top, because the inspector scrolls
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="does it hold"):
        way = choose_option(list(WAYS), f"Deleted {unit}s are", "deleted")
    subject = name, sample if isinstance(sample, str) else sample.tobytes()
    exactly = st.session_state.get(EXACTLY) == subject
    with go_on_after_error():  # a text of one word has no order, but the rest of the page works
        result = run_with_bar(
            f"Deleting {unit}s",
            (subject, way, exactly),
            lambda progress: curves_of_sample(name, device, sample, way, exactly, progress),
        )
        if result is not None:
            answer = checkpoints.about(name).classes[result.answer]
            _draw_curves(shown, result, f"|v| of {answer}" if record.has_lengths else f"P({answer})")
            ranked = f"The picture ranks {unit}s by their {_ranking_of(result, name, device, sample)}."
            st.caption(f"{sentence_on_text(result)} {ranked} {describe_way(way, unit)}")
            _draw_thinned(result, subject)
            seen = _all_ways((*subject, checkpoints.about(name).version), way, result)
            verdict = words.reconcile(seen, badge_of(evidence_of(name)))
            said.markdown(f"**{verdict}**")
        elif exactly:
            st.button("Back to fewer points", on_click=_set_exactly, key="fewer points")
    _draw_split(shown, name, way)


def _all_ways(subject: tuple, way: str, result: TextCurves) -> dict[str, TextCurves]:
    """The curves for each way to delete that the user has looked at: to run the other one would take as long again.

    Args:
        subject: name, sample and version of the weights.
        way, result: way that is on screen, and its curves.
    """
    seen = st.session_state.get(SEEN)
    if seen is None or seen[0] != subject:
        seen = st.session_state[SEEN] = (subject, {})
    seen[1][way] = result
    return {way: seen[1][way] for way in WAYS if way in seen[1]}


def _ranking_of(result: TextCurves, name: str, device: str, sample: str | np.ndarray) -> str:
    """The picture's ranking in words, with the number of the deciding capsule."""
    own = opened_on(result.scores)
    if own != "deciding coupling" or not isinstance(sample, str):
        return NAMES.get(own, own)
    trace = run(name, device, sample, checkpoints.about(name).model["n_iters"])
    capsule = deciding_capsule(trace, device, sample)
    return NAMES[own] if capsule is None else escape(f"{NAMES[own]}, {name_unit(name, capsule + 1, 'capsule')}")


def _draw_curves(shown: Shown, result: TextCurves, answer: str) -> None:
    """Draw the curves of deleting and of giving. answer: title of their vertical axis."""
    own = opened_on(result.scores)
    named = {own: OWN, **COMPARED}
    drawn = {name: result.curves[key] for key, name in named.items() if key in result.curves}
    counts = result.curves[own].counts
    thinned = [f"{len(counts)} of {len(result.parts)} points"] if result.is_thinned else []
    if result.is_grouped:
        thinned.append(f"each one alone: {result.groups} groups")
    note = f" ({', '.join(thinned)})" if thinned else ""
    deletion = curves_against_random(
        counts,
        {key: c.deletion for key, c in drawn.items()},
        result.deletion,
        f"{result.unit}s deleted{note}",
        answer,
    )
    insertion = curves_against_random(
        np.append(counts[1:], len(result.parts)),
        {key: c.insertion for key, c in drawn.items()},
        result.insertion,
        f"{result.unit}s added back{note}",
        answer,
    )
    charts = {
        f"Deleting {result.unit}s, most important first": deletion,
        f"Adding {result.unit}s back, most important first": insertion,
    }
    st.caption(f"Grey band: {BAND[1] - BAND[0]}% of {len(result.deletion)} random orders.")
    shown.draw_charts(charts, columns=1)
    samples = "pictures" if result.unit == "place" else "texts"
    st.caption(
        f"If the picture shows what matters, its curve falls below the band when {result.unit}s are deleted, and rises "
        f"above the band when they are added back. At its end, nearly all {result.unit}s are gone in any order. "
        f"Caution: {samples} with missing {result.unit}s differ from the training data."
    )
    shown.add_table("rankings", lambda: pd.DataFrame({result.unit: result.parts, **result.scores}))


def _draw_thinned(result: TextCurves, subject: tuple) -> None:
    """Say which curves were thinned, next to a button that computes them exactly; draw nothing if none was."""
    counts, n, unit = result.curves[DROP_ONE].counts, len(result.parts), result.unit
    thinned = [f"{len(counts)} of {n} points on each curve"] if result.is_thinned else []
    if result.is_grouped:
        thinned.append(f"instead of each {unit} alone, {result.groups} groups of neighbours are deleted")
    if thinned:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"Thinned, as there are {n} {unit}s: {'; '.join(thinned)}.", width="content")
            help = f"Computes every point, and deletes each {unit} by itself. A bar shows how long this takes."
            st.button("Exactly", on_click=_set_exactly, args=(subject,), key="run exactly", help=help)


def _set_exactly(subject: tuple | None = None) -> None:
    """Compute all curves of this subject exactly from now on; of no subject if None."""
    st.session_state[EXACTLY] = subject


def sentence_on_text(result: TextCurves) -> str:
    """A sentence that compares the picture's ranking of this text with random orders."""
    own = opened_on(result.scores)
    n, n_beaten, n_back = len(result.deletion), result.n_beaten(own), result.n_beaten_back(own)
    orders = f"all {n} random orders" if n_beaten == n else f"{n_beaten} of {n} random orders"
    needed = math.ceil(words.SURE * n)
    chance = "" if words.holds_in(result) else f" This may be chance: to rule that out, it takes {needed} of {n}."
    return (
        f"{words.where(result.unit)}, deleting {result.unit}s in the picture's order lowers the prediction faster than "
        f"{orders} (on average over all deletions).{chance} Adding them back in this order raises it faster than "
        f"{n_back} of {n}."
    )


def _draw_split(shown: Shown, name: str, way: str) -> None:
    """Draw the evidence over the test split in sentences, or name the command that measures it."""
    st.markdown("**Over the test split**")
    evidence = evidence_to_show(name)
    if evidence is None:
        st.caption(f"Nobody has measured this network yet. {how_to_measure(name)}")
        return
    st.markdown("\n".join(f"- {escape(sentence)}" for sentence in words.sentences(evidence, way)))
    sample = escape(capital(evidence.sample))
    if evidence.is_stated:
        sample += f": {STATED}"
    st.caption(f"{sample}. {words.ABOUT} {words.two_questions(evidence.unit)}")
    rankings = evidence.rankings[way].items()
    shown.add_table("rankings, test split", lambda: pd.DataFrame([_figures(key, row) for key, row in rankings]))


def _figures(name: str, ranking: Ranking) -> dict[str, str | float | None]:
    """The figures of a ranking and the ends of their intervals, as a row of a table."""
    figures = {"AOPC": ranking.aopc, "deletion": ranking.deletion, "insertion": ranking.insertion, "tau": ranking.tau}
    numbers: dict[str, str | float | None] = {"ranking": name}
    for title, figure in figures.items():
        numbers |= {title: figure and figure.mean, f"{title}, from": figure and figure.low}
        numbers |= {f"{title}, to": figure and figure.high}
    return numbers | {"mean sufficiency": ranking.mean_sufficiency}
