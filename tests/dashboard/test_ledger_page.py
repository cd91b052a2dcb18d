"""The Ledger page without a browser."""

import re
from textwrap import wrap

import pandas as pd
import pytest

from core import ledger
from core.analysis.verdict import Verdict
from core.ledger.words import interval_of
from dashboard.figures.ledger import verdicts
from dashboard.pages.ledger.claims import COLUMNS, ROW, in_words
from dashboard.pages.ledger.texts import MEANINGS, VERDICTS
from dashboard.runs.ledger import claims
from tests.dashboard.app import download_labels, open_app, open_tab, shown_as_markdown, titles
from tests.sweeps import save_sweep


@pytest.fixture
def app():
    return open_app("ledger")


def table(app) -> pd.DataFrame:
    """The table of claims on the screen."""
    (shown,) = [table.value for table in app.dataframe]
    return shown


def test_every_claim_has_a_row_and_the_sentence_counts_the_verdicts(app):
    app.run()
    assert not app.exception
    rows = ledger.read()
    assert sorted(table(app)["claim"]) == sorted(rows["claim"])
    findings = rows[rows["kind"] == "finding"]
    n = findings["verdict"].value_counts()
    (sentence,) = [text for text in shown_as_markdown(app) if text.startswith("**We tested ")]
    assert f"We tested {len(findings) - n['not measured']} of {len(findings)} published findings: " in sentence
    numbers = re.findall(r"\d+", sentence)[2:6]
    counts = dict(zip(("reproduced", "does not hold", "inconclusive", "other conditions"), numbers, strict=True))
    assert counts == {verdict: str(n[verdict]) for verdict in counts}
    assert "All 5 published numbers of parameters, counted apart, agree with ours." in sentence
    first = table(app).head(int(n["reproduced"]))  # the findings that the sentence counts stand above the other claims
    assert set(first["kind"]) == {"finding"}
    assert set(first["verdict"]) == {"reproduced"}
    assert titles(app) == ["Findings of each paper by verdict"]
    measured = (table(app)["verdict"] != "not measured").tolist()
    assert measured == sorted(measured, reverse=True)


def test_every_cell_has_room_for_its_text(app):
    letter, line, room = 6.4, 20, 16  # pixels: width of a letter, height of a line, and what lies around a text
    app.run()
    for name, (_, width) in COLUMNS.items():
        lines = table(app)[name].map(lambda text, wide=width: len(wrap(text, int((wide - room) / letter))))
        assert lines.max() * line <= ROW, name


@pytest.mark.parametrize("verdict", [verdict for verdict in VERDICTS if verdict != "does not hold"])
def test_one_paper_and_one_verdict_can_be_chosen(app, verdict):
    app.query_params |= {"paper": "CCCaps", "judgement": verdict}
    app.run()
    assert set(table(app)["paper"]) == {"k-means routing (CCCaps)"}
    assert set(table(app)["verdict"]) == {verdict}
    assert any(MEANINGS[Verdict(verdict)] in text for text in shown_as_markdown(app))


def test_numbers_of_parameters_are_counted_apart_from_findings(app):
    app.query_params["judgement"] = "reproduced"
    sentences = shown_as_markdown(app.run())
    assert any(text.startswith("**11 findings and 5 numbers of parameters: reproduced.") for text in sentences)


def test_a_choice_without_claims_gives_one_sentence(app, no_sweeps):
    app.query_params |= {"paper": "CCCaps", "judgement": "does not hold"}
    for tab in ("Table", "In words"):
        open_tab(app, tab)
        assert not app.exception
        assert any("No claim matches these choices" in text for text in shown_as_markdown(app))


def test_without_measured_tables_their_claims_are_not_measured(app, no_sweeps):
    app.query_params["paper"] = "DR-AGG"
    app.run()
    rows = table(app)[table(app)["command"].str.contains("core.sweep")]
    assert len(rows) > 10
    assert set(rows["verdict"]) == {"not measured"}
    assert set(rows["here"]) == {"not measured yet"}
    assert rows["the paper's"].str.contains("%|points").sum() == len(rows) - 2  # figure 2 has no number


def test_every_claim_has_a_sentence(app):
    open_tab(app, "In words")
    assert not app.exception
    shown = "\n".join(shown_as_markdown(app))
    assert shown.count("- **") == len(ledger.CLAIMS)
    present = set(ledger.read()["verdict"])
    assert all((meaning in shown) == (verdict in present) for verdict, meaning in MEANINGS.items())


def test_each_verdict_is_defined(app):
    open_tab(app, "Definitions")
    shown = "\n".join(shown_as_markdown(app))
    assert all(f"- **{verdict.capitalize()}**: {meaning}" in shown for verdict, meaning in MEANINGS.items())


def test_what_is_on_screen_is_exported(app):
    assert {"SVG", "PNG, 300 dpi", "CSV, claims"} <= set(download_labels(app))


def test_a_new_table_is_read_at_once(no_sweeps):
    before = claims()
    row = {"corpus": "sst5", "aggregation": "max", "seed": 0, "glove": True, "equal_epochs": 0}
    row |= {"test": 0.48, "tested_on": 2210}
    save_sweep("aggregation", pd.DataFrame([row]))
    assert (claims()["verdict"] != before["verdict"]).sum() == 1


@pytest.mark.parametrize("nonsense", ["<b>", "", "all ", "²"])
def test_nonsense_in_the_address_gives_the_first_choice(app, nonsense):
    app.query_params |= {"paper": nonsense, "judgement": nonsense}
    app.run()
    assert not app.exception
    assert len(table(app)) == len(ledger.CLAIMS)


def test_the_sentence_of_a_claim_has_its_numbers_and_note():
    row = {
        **{"paper": "DRNN", "place": "table 5", "claim": "DRNN makes fewer errors", "the paper's": "+0.77 points"},
        **{"here": "+1.24 points", "from": 0.24, "to": 2.24, "verdict": "reproduced", "note": "unpaired"},
    }
    assert in_words(pd.Series(row)) == (
        "**DRNN makes fewer errors** (Wang 2018, table 5; the paper\\: +0.77 points). Here\\: +1.24 points, 95% "
        "interval +0.24 to +2.24. Reproduced (unpaired)."
    )
    with_worst = row | {"here": "+1.24 points; -3.10 points at worst"}
    assert "+1.24 points, 95% interval +0.24 to +2.24; -3.10 points at worst." in in_words(pd.Series(with_worst))
    other_conditions = row | {"verdict": "other conditions", "note": "fewer texts"}
    assert in_words(pd.Series(other_conditions)).endswith("Other conditions\\: fewer texts.")
    row = row | {"here": "no <b> is read here", "from": None, "to": None, "verdict": "not measured", "the paper's": ""}
    assert in_words(pd.Series(row)).endswith("(Wang 2018, table 5). No \\<b\\> is read here.")
    assert interval_of({"from": 48.2, "to": 52.44, "here": "50.3%"}) == "48.2 to 52.4"


def test_the_chosen_bar_stands_out():
    counts = pd.DataFrame({"paper": ["AGT"], "verdict": ["reproduced"], "claims": [2]})
    for chosen, test in (
        (("AGT", "reproduced"), "datum.paper == 'AGT' && datum.verdict == 'reproduced'"),
        (("all", "all"), "true"),
    ):
        figure = verdicts(counts, {"AGT": "Attention by layer (AGT)"}, list(VERDICTS), *chosen)
        assert figure.spec["layer"][0]["encoding"]["opacity"]["condition"]["test"] == test
