"""The claims of the papers: their numbers by verdict, a table, and sentences."""

import pandas as pd
import streamlit as st

from core.analysis.verdict import Verdict
from core.ledger.claim import COUNT, FINDING
from core.ledger.words import count, details, interval_of
from core.sentences.words import listed
from dashboard.figures.ledger import verdicts
from dashboard.pages.ledger.texts import MEANINGS, NAMES, NONE, PLURALS, VERDICTS
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown, draw_figure

ALL = "all"
COLUMNS = {  # title and width of each column of the table
    "claim": ("claim", 240),
    "verdict": ("verdict", 115),
    "kind": ("kind", 100),
    "the paper's": ("the paper", 90),
    "here": ("here", 430),
    "interval": ("95% interval", 105),
    "note": ("note", 400),
    "paper": ("paper", 150),
    "place": ("place", 110),
    "command": ("command", 480),
}
ROW = 72  # pixels, height of three lines: with these widths, no text of a claim has more


def summarize(claims: pd.DataFrame, verdict: str) -> str:
    """A sentence on the number of claims with each verdict or, if one verdict is chosen, on its meaning."""
    if verdict == ALL:
        return count(claims)
    n_counts = int((claims["kind"] == COUNT).sum())
    numbered = ((len(claims) - n_counts, "finding"), (n_counts, "number of parameters"))
    kinds = [f"{n} {name if n == 1 else PLURALS[name]}" for n, name in numbered if n or name == "finding"]
    return f"{listed(kinds)}: {verdict}. {MEANINGS[Verdict(verdict)]}"


def choose(claims: pd.DataFrame, paper: str, verdict: str) -> pd.DataFrame:
    """The claims of a paper with a verdict, in the order of the verdicts, findings before numbers of parameters.

    Paper and verdict can be ``ALL``.
    """
    has_paper = (claims["paper"] == paper) | (paper == ALL)
    chosen = claims[has_paper & ((claims["verdict"] == verdict) | (verdict == ALL))]
    order = {"verdict": VERDICTS.index, "kind": (FINDING, COUNT).index}
    return chosen.sort_values(list(order), key=lambda column: column.map(order[column.name]), kind="stable")


def draw_picture(shown: Shown, claims: pd.DataFrame, paper: str, verdict: str) -> None:
    """Draw the number of each paper's claims with each verdict. A click picks a paper and a verdict."""

    def pick() -> None:
        picked = st.session_state.verdicts.selection["cell"]
        if picked and picked[0].get("verdict") in VERDICTS:
            st.session_state.paper, st.session_state.judgement = picked[0]["paper"], picked[0]["verdict"]

    findings = claims[claims["kind"] == FINDING]  # as in the sentence above: a count of parameters is no finding
    counts = findings.groupby(["paper", "verdict"], sort=False).size().rename("claims").reset_index()
    figure = verdicts(counts, NAMES, list(VERDICTS), paper, verdict)
    title = "Findings of each paper by verdict"
    shown.figures[title] = figure
    draw_figure(figure, key="verdicts", alt=title, on_select=pick, selection_mode="cell")


def draw_table(claims: pd.DataFrame) -> None:
    """Draw one row per claim; the selected one is shown in words, with its command."""
    if claims.empty:
        st.caption(NONE)
        return
    intervals = [interval_of(row) for row in claims.to_dict("records")]
    table = claims.assign(interval=intervals, paper=claims["paper"].map(NAMES))[list(COLUMNS)]
    opened = st.container()
    event = st.dataframe(
        table, hide_index=True, height="content" if len(table) < 8 else 640, row_height=ROW, key="claims",
        on_select="rerun", selection_mode="single-row",
        alt="The claims",
        column_config={name: st.column_config.TextColumn(title, width=w) for name, (title, w) in COLUMNS.items()},
    )  # fmt: skip
    if event.selection.rows and event.selection.rows[0] < len(claims):
        row = claims.iloc[event.selection.rows[0]]
        opened.markdown(in_words(row))
        if row["command"]:
            opened.code(row["command"], language="sh")
    else:
        opened.caption("Select a claim to read it in full and to copy the command that measures it.")


def draw_words(claims: pd.DataFrame) -> None:
    """Draw the claims in words, grouped by verdict."""
    if claims.empty:
        st.caption(NONE)
    for verdict in VERDICTS:
        rows = claims[claims["verdict"] == verdict]
        if len(rows):
            st.subheader(f"{verdict.capitalize()}: {len(rows)}")
            st.caption(MEANINGS[Verdict(verdict)])
            st.markdown("\n".join(f"- {in_words(row)}" for _, row in rows.iterrows()))


def in_words(row: pd.Series) -> str:
    """A claim and our measurement, as sentences in Markdown."""
    return f"**{escape(row['claim'])}** {escape(details(row))}"
