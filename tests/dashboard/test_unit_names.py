"""Names of units next to their numbers, wherever a sentence or a table names a unit."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from core.measured.evidence.badge import NO_BETTER, badge_of
from core.measured.evidence.record import Estimate
from core.networks.base import network_of
from dashboard.components import story as stories
from dashboard.pages.drnn.components import N_NAMED
from dashboard.pages.drnn.texts import COMPONENTS_WITHOUT_EDITS
from dashboard.pages.models.evidence import accuracy_table
from dashboard.pages.start import picture
from dashboard.runs import checkpoints, loaded
from dashboard.runs.evidence import evidence_of
from dashboard.runs.stories import NETWORK
from dashboard.runs.unit_texts import deciding_units
from dashboard.runs.units import meaning_of, units_of
from dashboard.screen import unit_link
from dashboard.screen.evidence import describe_capsules
from dashboard.screen.markdown import escape
from dashboard.screen.unit_link import GIVEN, OPENS, name_rows, name_unit
from tests.dashboard.app import component, main_picture, open_app, shown_as_markdown, tables, type_text

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


def links(app):
    """The labels of the links to units."""
    return [link.proto.label for link in app.get("page_link") if "%26unit%3D" in link.proto.query_string]


def test_a_window_of_drnn_names_the_components_that_it_wins():
    text = "The president said talks with the rebels would go on."
    app = open_app("drnn")
    app.query_params |= {"checkpoint": "drnn-ag", "word": "7"}
    type_text(app, text)
    assert not app.exception
    checkpoint = loaded.load("drnn-ag", checkpoints.about("drnn-ag").version, "cpu")
    run, units = network_of(checkpoint).unit_run(checkpoint, text), units_of("drnn-ag")
    wins = [number for number in units.numbers if run.taken[number - 1, 6] > 0]
    moved = np.abs(run.without - run.probabilities)[:, run.probabilities.argmax()]
    wins.sort(key=lambda number: -moved[number - 1])
    assert deciding_units(units, "cpu", text, 6) == wins
    assert len(wins) > N_NAMED
    assert links(app) == [escape(meaning_of("drnn-ag", number)) for number in wins[:N_NAMED]]


def test_an_edited_run_of_drnn_names_no_components():
    app = opened("drnn", "drnn-ag", word="7", edit="drop:2")
    assert links(app) == []
    assert COMPONENTS_WITHOUT_EDITS in shown_as_markdown(app)


def test_the_finding_on_a_picture_names_its_part():
    app = open_app("smallnorb")
    app.session_state[GIVEN] = {"em-smallnorb": {3: MARKUP}}
    app.query_params |= {"checkpoint": "em-smallnorb", "part": "3"}
    app.run()
    assert not app.exception
    assert f"Part 3 · {MARKUP}" in component(app, "finding")[-1]["sentences"][-1]
    app.query_params["inspect"] = "Change it"
    app.run()
    assert f"**{escape(f'Part 3 · {MARKUP}')}**" in shown_as_markdown(app)


def test_tables_have_the_name_next_to_the_number():
    table = pd.DataFrame({"word": ["a", "b", "c"], "capsule": [4, 2, 9], "c_ij": [0.5, 0.2, 0.3]})
    named = name_rows(table, NAMED)
    assert named.columns.tolist() == ["word", "capsule", "capsule name", "c_ij"]
    assert named["capsule name"].tolist() == ["negations", "", ""]
    assert table.columns.tolist() == ["word", "capsule", "c_ij"]
    assert name_rows(table.assign(capsule=["x", "y", "z"]), NAMED).columns.tolist() == table.columns.tolist()
    assert name_rows(table, "em-sst5").columns.tolist() == table.columns.tolist()  # its units are parts
    assert name_rows(table.rename(columns={"capsule": "feature"}), "cccaps-ag").columns[2] == "feature name"


@pytest.mark.parametrize(
    ("page", "name", "column", "number", "is_called"),
    [("routing", NAMED, "capsule", 4, "negations"), ("agt", "agt-sst5", "layer", 9, "praise")],
)
def test_the_tables_of_a_page_name_its_units(page, name, column, number, is_called):
    app = open_app(page)
    app.query_params["checkpoint"] = name
    named = [table for table in tables(app.run()).values() if f"{column} name" in table]
    assert named
    for table in named:
        assert set(table.loc[table[column] == number, f"{column} name"]) == {is_called}


def test_evidence_speaks_of_capsules_by_name():
    app = open_app("evidence")
    app.query_params |= {"checkpoint": NAMED, "measure": "Remove a capsule"}
    app.run()
    assert not app.exception
    assert "without capsule 4 · negations" in main_picture(app)[0]["label"].tolist()
    evidence = evidence_of(NAMED)
    assert "without capsule 4 · negations" in accuracy_table(NAMED, evidence)["the network"].tolist()
    needed = [
        replace(one, without=replace(one.without, change=Estimate(-0.1, -0.2, -0.05, 9))) for one in evidence.capsules
    ]
    assert describe_capsules(replace(evidence, capsules=tuple(needed[:4])), NAMED).endswith(
        "Accuracy falls without capsule 1 · long texts or capsule 2 or capsule 3 or capsule 4 · negations."
    )


def test_the_capsules_of_start_open_their_units(monkeypatch):
    app = open_app("start")
    app.session_state[GIVEN] = {NETWORK: {3: MARKUP}}
    app.run()
    (story,) = component(app, "story")
    assert [link["label"] for link in story["capsules"]] == [
        "capsule 1",
        "capsule 2",
        f"capsule 3 · {MARKUP}",
        "capsule 4",
        "capsule 5",
    ]
    assert story["capsules"][2]["address"] == f"units?open=checkpoint%3D{NETWORK}%26unit%3D3"
    assert story["capsules"][0]["says"] == f"{meaning_of(NETWORK, 1)}. {OPENS}"
    assert not any("<b>" in text for text in shown_as_markdown(app))
    opened = []
    monkeypatch.setattr(
        picture.st, "switch_page", lambda page, query_params: opened.append((page.parent.name, query_params))
    )
    monkeypatch.setattr(picture, "story", lambda *_: 2)
    app.run()
    assert opened == [("units", {"open": f"checkpoint={NETWORK}&unit=3"})]


@pytest.mark.parametrize("sent", [None, -1, 5, "3", 2.5, [1], {"a": 1}])
def test_a_click_that_names_no_capsule_opens_nothing(monkeypatch, sent):
    monkeypatch.setattr(stories, "_story", lambda **_: SimpleNamespace(capsule=sent))
    telling = stories.Telling(np.ones((1, 1, 1)), np.ones((1, 1)), ["x"])
    cut = stories.Cut(0, "cut", "back", telling, "", "")
    assert stories.story("key", [("a", 0)], telling, cut, [stories.CapsuleLink("capsule 1")], ["x"], "") is None


def test_the_capsules_of_start_have_numbers_if_nothing_is_measured(monkeypatch):
    monkeypatch.setattr(checkpoints, "measured", lambda *_: None)
    (story,) = component(open_app("start").run(), "story")
    assert story["capsules"][2] == {"label": "capsule 3", "says": "", "address": ""}
