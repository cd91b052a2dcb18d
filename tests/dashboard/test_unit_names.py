"""Names of units next to their numbers, wherever a sentence or a table names a unit."""

from dataclasses import replace

import pytest

from core.measured.evidence.badge import NO_BETTER, badge_of
from dashboard.runs.evidence import evidence_of
from dashboard.screen import unit_link
from dashboard.screen.markdown import escape
from dashboard.screen.unit_link import GIVEN, name_unit
from tests.dashboard.app import component, open_app, shown_as_markdown

NAMED = "dragg-sst2"  # its capsule 4 is named "negations", and capsule 2 has no name
MARKUP = "<b>b</b> **x**"


def test_a_unit_has_its_name_only_if_its_rule_holds():
    assert name_unit(NAMED, 4, "capsule") == "capsule 4 · negations"
    assert name_unit(NAMED, 2, "capsule") == "capsule 2"
    assert name_unit("em-sst5", 22, "part") == "part 22 · blame"
    assert name_unit(NAMED, 99, "capsule") == "capsule 99"


def test_a_unit_of_another_kind_or_network_has_its_number_only():
    assert name_unit(NAMED, 4, "sentence capsule") == "sentence capsule 4"
    assert name_unit("dragg-imdb", 4, "capsule") == "capsule 4"


def test_a_name_carries_the_verdict_on_the_picture(monkeypatch):
    badge = replace(badge_of(evidence_of(NAMED)), verdict=NO_BETTER.format(unit="word"), share=None)
    monkeypatch.setattr(unit_link, "badge_of", lambda evidence: badge)
    assert name_unit(NAMED, 4, "capsule") == "capsule 4 · negations (picture: no better than random words)"
    assert name_unit(NAMED, 2, "capsule") == "capsule 2"


def opened(page, name, **picked):
    """The page of a network."""
    app = open_app(page)
    app.query_params |= {"checkpoint": name, **picked}
    app.run()
    assert not app.exception
    return app


def test_the_finding_and_the_offers_name_a_capsule():
    app = opened("routing", NAMED, capsule="4")
    assert "apsule 4 · negations" in component(app, "finding")[0]["sentences"][-1]
    app = opened("routing", NAMED, capsule="4", inspect="Change it")
    assert f"**{escape('Capsule 4 · negations')}**" in shown_as_markdown(app)


@pytest.mark.parametrize(
    ("page", "name", "picked", "begins"),
    [
        ("kmeans", "cccaps-ag", {"feature": "9"}, "Feature capsule 9 · Sports answers gets more from"),
        ("agt", "agt-sst5", {}, "Layer 9 · praise looks mostly at"),
    ],
)
def test_findings_of_other_networks_name_their_units(page, name, picked, begins):
    app = opened(page, name, **picked)
    assert any(sentence.startswith(begins) for sentence in component(app, "finding")[0]["sentences"])


def test_the_users_name_goes_first_and_stays_text():
    app = open_app("routing")
    app.session_state[GIVEN] = {NAMED: {4: MARKUP}}
    app.query_params |= {"checkpoint": NAMED, "capsule": "4", "inspect": "Change it"}
    app.run()
    assert not app.exception
    assert f"**{escape(f'Capsule 4 · {MARKUP}')}**" in shown_as_markdown(app)
    assert not any("<b>" in text.replace("\\", "!") for text in shown_as_markdown(app))
    assert MARKUP in component(app, "finding")[0]["sentences"][-1]


def test_the_test_of_a_picture_names_the_deciding_capsule(monkeypatch):
    monkeypatch.setattr("dashboard.screen.does_it_hold.deciding_capsule", lambda *_: 3)
    app = opened("routing", NAMED, inspect="Test it")
    assert any(escape("capsule 4 · negations") in text for text in shown_as_markdown(app))
