"""The evidence of one checkpoint, in sentences and tables."""

import pandas as pd
import streamlit as st

from core.measured.evidence.record import Estimate, Evidence
from core.sentences.words import capital
from dashboard.figures.vega import STATED
from dashboard.pages.models.texts import MEASURED, NO_EVIDENCE
from dashboard.runs.evidence import evidence_to_show
from dashboard.screen.does_it_hold import WAYS, describe_way
from dashboard.screen.evidence import NAMES, RANDOM, TRAINED, sentences
from dashboard.screen.inputs import choose_option
from dashboard.screen.links import page_file
from dashboard.screen.markdown import escape
from dashboard.screen.measuring import how_to_measure
from dashboard.screen.unit_link import name_unit

AS_TRAINED = "as trained"


def draw_evidence(name: str) -> None:
    """Draw the evidence in sentences and in two tables, or say which command measures it."""
    evidence = evidence_to_show(name)
    if evidence is None:
        st.markdown(NO_EVIDENCE.format(how=how_to_measure(name)))
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        way = choose_option(list(WAYS), f"{evidence.unit.capitalize()}s are", "deleted")
        st.page_link(page_file("evidence"), label="The scorecard of all routings", icon=":material/arrow_forward:")
    st.caption(describe_way(way, evidence.unit))
    if evidence.is_stated:
        st.markdown(f"**{capital(STATED)}:**")
    st.markdown("\n".join(f"- {escape(sentence)}" for sentence in sentences(evidence, way, name)))
    st.dataframe(ranking_table(evidence, way), hide_index=True, height="content", alt="Rankings")
    if evidence.couplings:
        st.dataframe(accuracy_table(name, evidence), hide_index=True, height="content", alt="Accuracies")
    by = "According to the archive, measured by" if evidence.is_stated else "Measured by"
    st.caption(MEASURED.format(samples=evidence.samples, by=by).replace("\n", " "))
    st.code(evidence.command, language=None, wrap_lines=True)


def ranking_table(evidence: Evidence, way: str) -> pd.DataFrame:
    """One row per ranking, with the effects of deleting and giving words in its order, and Kendall's tau."""
    rows = [
        {
            f"{evidence.unit}s ranked by": NAMES.get(name, name),
            "deleting them costs, points": points(ranking.aopc),
            "more than random ones, points": "" if name == RANDOM else points(ranking.over_random, "+"),
            "adding them back gives, points": points(ranking.insertion),
            "rank agreement, Kendall's τ": number(ranking.tau) if ranking.tau else "",
        }
        for name, ranking in evidence.rankings[way].items()
    ]
    return pd.DataFrame(rows)


def accuracy_table(name: str, evidence: Evidence) -> pd.DataFrame:
    """One row per change of the routing, with the accuracy and its difference."""
    couplings = {f"couplings: {how}": result for how, result in evidence.couplings.items() if how != TRAINED}
    iterations = {f"iterations: {t}": result for t, result in enumerate(evidence.iterations, 1)}
    capsules = {
        f"without {name_unit(name, j, 'capsule')}": capsule.without for j, capsule in enumerate(evidence.capsules, 1)
    }
    rows = [
        {
            "the network": network,
            "accuracy, %": points(result.accuracy),
            "difference, points": "" if network == AS_TRAINED else points(result.change, "+"),
            "within chance": "yes" if result.change.is_within_chance and network != AS_TRAINED else "",
        }
        for network, result in ({AS_TRAINED: evidence.couplings[TRAINED]} | couplings | iterations | capsules).items()
    ]
    return pd.DataFrame(rows)


def points(figure: Estimate, sign: str = "") -> str:
    """A share and its interval as text, in percentage points."""
    return number(Estimate(100 * figure.mean, 100 * figure.low, 100 * figure.high, figure.n), f"{sign}.1f")


def number(figure: Estimate, form: str = ".2f") -> str:
    """A figure and its interval as text."""
    return f"{figure.mean:{form}} ({figure.low:{form}} to {figure.high:{form}})"
