"""The Evidence page without a browser."""

import json

import pytest

from core import manifest
from dashboard.pages.evidence.measures import MEASURES
from dashboard.pages.evidence.tables import dot_table, routings
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_of
from tests.core.measured.evidence.samples import EVIDENCE
from tests.dashboard.app import download_labels, open_app, open_tab, shown_as_markdown, titles


@pytest.fixture
def measured(add_model):
    """A tiny network with evidence; none of the shipped ones has any."""
    folder = add_model("dragg")
    (folder / "evidence.json").write_text(json.dumps(EVIDENCE | {"weights": checkpoints.about("tiny").sha256}))
    return "tiny"


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_a_picture_and_its_meaning(measure, measured):
    app = open_app("evidence")
    app.query_params["measure"] = measure
    app.run()
    assert not app.exception
    assert titles(app) == [f"{measure}: {MEASURES[measure].axis}, of every checkpoint"]
    assert MEASURES[measure].meaning.replace("\n", " ") in shown_as_markdown(app)
    dots = dot_table(MEASURES[measure], ["tiny"], "masked")
    assert len(dots)
    assert (dots["low"] <= dots["value"]).all()
    assert (dots["value"] <= dots["high"]).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_one_sentence(measure, measured):
    app = open_app("evidence")
    app.query_params["measure"] = measure
    sentences = [text for text in shown_as_markdown(open_tab(app, "In words")) if text.startswith("**tiny**")]
    assert len(sentences) == 1
    assert sentences[0].endswith(".")


def test_the_table_has_a_row_for_every_checkpoint(measured):
    app = open_app("evidence").run()
    (table,) = [table.value for table in app.dataframe]
    assert set(table["checkpoint"]) == set(routings())
    row = table.set_index("checkpoint").loc["tiny"]
    assert (row["routing"], row["samples"], row["Deleting"]) == ("dynamic", "100", "+10.0")
    assert row["Couplings"] == "+0.0, within chance"
    assert row["Capsules"] == "3: 1 dead, 1 needed"
    assert set(download_labels(app)) >= {"SVG", "HTML"}


def test_the_table_can_show_one_routing(measured):
    app = open_app("evidence")
    app.query_params["routing"] = "attention"
    (table,) = [table.value for table in app.run().dataframe]
    assert list(table["checkpoint"]) == ["agt-sst5"]


def test_unmeasured_checkpoints_are_named(measured):
    app = open_app("evidence").run()
    missing = [name for name in routings() if evidence_of(name) is None]
    assert not missing or any("Not measured yet" in text and missing[0] in text for text in shown_as_markdown(app))


@pytest.mark.parametrize(("measure", "routing", "deleted"), [("<b>", "x", "1"), ("", "", ""), ("order", "EM ", "²")])
def test_nonsense_in_the_address_gives_the_first_choice(measure, routing, deleted, measured):
    app = open_app("evidence")
    app.query_params |= {"measure": measure, "routing": routing, "deleted": deleted}
    app.run()
    assert not app.exception
    assert titles(app)[0].startswith("Deleting")


@pytest.mark.parametrize("name", sorted(file.parent.name for file in manifest.PRETRAINED.glob("*/config.json")))
def test_every_shipped_checkpoint_has_evidence_of_its_weights(name):
    evidence = evidence_of(name)
    assert evidence is not None
    assert all(abs(one.accuracy.mean) <= 1 for one in evidence.iterations)
