"""The tab Does it hold: curves that show whether the answer depends on the words that a picture ranks highest."""

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.faithfulness import DROP_ONE, TextCurves, area
from core.measured.evidence.record import Ranking
from dashboard.figures.faithfulness import BAND, curves_against_random
from dashboard.figures.vega import STATED
from dashboard.runs import checkpoints
from dashboard.runs.evidence import curves_of_sample, evidence_to_show
from dashboard.screen import evidence as words
from dashboard.screen.evidence import NAMES
from dashboard.screen.inputs import choose_option
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import go_on_after_error
from dashboard.screen.shown import Shown
from dashboard.screen.waits import run_with_bar

WAYS = {
    "masked": "Masked: the {unit} takes part in nothing more; what was read around it still carries it.",
    "removed": "Removed: the text is read without the {unit}.",
}
OF_PLACE = {
    "masked": "Masked: what is detected at the place takes part in nothing more.",
    "removed": "Removed: the pixels nearest to the place have the mean grey of their picture.",
}
OWN = "the picture's ranking"
BESIDE = ("integrated gradients", DROP_ONE)  # rankings to compare with that of the picture
EXACTLY = "exactly"  # key of the subject for which all curves are computed exactly
SURE = 0.95  # a ranking that beats a smaller share of random orders may do so by chance


def describe_way(way: str, unit: str) -> str:
    """A sentence on what it means to delete units in this way, "masked" or "removed"."""
    return OF_PLACE[way] if unit == "place" else WAYS[way].format(unit=unit)


def draw_does_it_hold(shown: Shown, name: str, device: str, sample: str | np.ndarray) -> None:
    """Draw the curves of a text or a pair of pictures, a sentence on them, and the evidence over the test split."""
    record = checkpoints.record_of(name)
    unit = record.ranked_unit
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="does it hold"):
        way = choose_option(list(WAYS), f"{unit.capitalize()}s are", "deleted")
        st.caption(describe_way(way, unit))
    subject = name, sample if isinstance(sample, str) else sample.tobytes()
    exactly = st.session_state.get(EXACTLY) == subject
    with go_on_after_error():  # a text of one word has no order, but the rest of the page works
        of_text = run_with_bar(
            f"Deleting {unit}s",
            (subject, way, exactly),
            lambda tell: curves_of_sample(name, device, sample, way, exactly, tell),
        )
        if of_text is not None:
            st.markdown(sentence_on_text(of_text))
            answer = checkpoints.about(name).classes[of_text.answer]
            _draw_curves(shown, of_text, f"|v| of {answer}" if record.has_lengths else f"P({answer})")
            _draw_thinned(of_text, subject)
        elif exactly:
            st.button("Back to fewer points", on_click=_set_exactly, key="fewer points")
    _draw_split(shown, name, way)


def _draw_curves(shown: Shown, of_text: TextCurves, answer: str) -> None:
    """Draw both curves. answer: title of their vertical axis."""
    own = next(iter(of_text.scores))
    drawn = {OWN if key == own else key: of_text.curves[key] for key in (own, *BESIDE) if key in of_text.curves}
    counts = of_text.curves[own].counts
    thinned = [f"{len(counts)} of {len(of_text.parts)} points"] * of_text.is_thinned
    thinned += [f"drop-one in {of_text.groups} groups"] * of_text.is_grouped
    note = f" ({', '.join(thinned)})" if thinned else ""
    deletion = curves_against_random(
        counts,
        {key: c.deletion for key, c in drawn.items()},
        of_text.deletion,
        f"{of_text.unit}s deleted{note}",
        answer,
    )
    insertion = curves_against_random(
        np.append(counts[1:], len(of_text.parts)),
        {key: c.insertion for key, c in drawn.items()},
        of_text.insertion,
        f"{of_text.unit}s given{note}",
        answer,
    )
    charts = {
        f"{does} {of_text.unit}s, highest first": figure
        for does, figure in (("Deleting", deletion), ("Giving", insertion))
    }
    shown.draw_charts(charts, columns=2)
    st.caption(
        f"The picture's ranking: {NAMES.get(own, own)}. Grey: the middle {BAND[1] - BAND[0]}% of "
        f"{len(of_text.deletion)} random orders. A faithful ranking falls below it on the left and rises above it on "
        f"the right. With {of_text.unit}s missing, the network reads something unlike anything it was trained on."
    )
    shown.add_table("rankings", lambda: pd.DataFrame({of_text.unit: of_text.parts, **of_text.scores}))


def _draw_thinned(of_text: TextCurves, subject: tuple) -> None:
    """Say which curves were thinned, next to a button that computes them exactly; draw nothing if none was."""
    counts, n, unit = of_text.curves[DROP_ONE].counts, len(of_text.parts), of_text.unit
    thinned = [f"{len(counts)} of {n} points on each curve"] * of_text.is_thinned
    if of_text.is_grouped:
        thinned.append(f"for drop-one, {unit}s are deleted in {of_text.groups} groups of neighbours")
    if thinned:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"Thinned, as there are {n} {unit}s: {'; '.join(thinned)}.", width="content")
            help = f"Every point, and each {unit} deleted by itself. A bar shows how long it takes."
            st.button("Exactly", on_click=_set_exactly, args=(subject,), key="run exactly", help=help)


def _set_exactly(subject: tuple | None = None) -> None:
    st.session_state[EXACTLY] = subject


def sentence_on_text(of_text: TextCurves) -> str:
    """A sentence that compares the picture's ranking of this text with random orders."""
    path = of_text.curves[next(iter(of_text.scores))]
    areas = np.array([area(draw, path.counts) for draw in of_text.deletion])
    sooner = float((areas > area(path.deletion, path.counts)).mean())
    where = "these pictures" if of_text.unit == "place" else "this text"
    chance = "" if sooner >= SURE else ", which may be chance"
    return (
        f"In {where}, deleting the {of_text.unit}s that the picture ranks highest lowers the answer sooner than "
        f"{sooner:.0%} of {len(areas)} random orders do{chance}."
    )


def _draw_split(shown: Shown, name: str, way: str) -> None:
    st.markdown("**Over the test split**")
    evidence = evidence_to_show(name)
    if evidence is None:
        st.caption(f"Not measured for {escape(name)} yet: `python -m core evidence {escape(name)} --data DIR` does it.")
        return
    st.markdown("\n".join(f"- {escape(sentence)}" for sentence in words.sentences(evidence, way)))
    sample = escape(evidence.sample[:1].upper() + evidence.sample[1:])
    sample += f": {STATED}" * evidence.is_stated
    st.caption(f"{sample}. Within chance: the 95% interval contains 0.")
    rankings = evidence.rankings[way].items()
    shown.add_table("rankings, test split", lambda: pd.DataFrame([_figures(key, row) for key, row in rankings]))


def _figures(name: str, ranking: Ranking) -> dict[str, str | float | None]:
    figures = {"AOPC": ranking.aopc, "deletion": ranking.deletion, "insertion": ranking.insertion, "tau": ranking.tau}
    numbers: dict[str, str | float | None] = {"ranking": name}
    for title, figure in figures.items():
        numbers |= {title: figure and figure.mean, f"{title}, from": figure and figure.low}
        numbers |= {f"{title}, to": figure and figure.high}
    return numbers | {"mean sufficiency": ranking.mean_sufficiency}
