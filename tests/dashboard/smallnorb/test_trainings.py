"""The same toy in several trainings of a network: kept poses, and live ones where the weights are."""

import json

import numpy as np
import pytest

from core import zoo
from core.datasets import toyrig
from core.json_files import read_json
from core.manifest import PRETRAINED
from core.measured import store
from core.measured.evidence.record import EVIDENCE_FILE
from dashboard.runs import checkpoints
from tests.dashboard.app import component, tables
from tests.dashboard.smallnorb.shown import METRICS, NAME, pick, save_measured

TOYS = np.array([(category, instance) for category, kinds in enumerate(toyrig.KINDS) for instance in range(len(kinds))])


def poses(seed):
    """Arrays "built_in" with random poses."""
    views = np.random.default_rng(seed).normal(size=(50, 27, 4, 4)).astype(np.float32)
    return {"toys": TOYS, "views": views, "data": np.array("toys")}


@pytest.fixture
def trained_twice(model_folder):
    """The tiny network with evidence of another training, whose poses were kept."""
    evidence = read_json(PRETRAINED / "em-smallnorb" / EVIDENCE_FILE)
    other = {"seed": 1, "weights": "a" * 64, "dev": 0.5, "test": 0.5, "rankings": evidence["rankings"]}
    evidence |= {"weights": zoo.describe(NAME).sha256, "trainings": [other]}
    (model_folder / EVIDENCE_FILE).write_text(json.dumps(evidence))
    save_measured(poses(0), "built_in")
    (model_folder / "trainings").mkdir()
    store.save_in(model_folder / "trainings", "built_in", poses(1), "a" * 64, "1.")
    checkpoints.survey.clear()
    return model_folder


def findings(app):
    return [part["sentences"] for part in component(app, "finding")]


def ring_tables(app):
    return {name: table for name, table in tables(app).items() if name.startswith("ring")}


def test_kept_poses_are_drawn_for_the_views_that_were_measured(trained_twice, app):
    app.query_params["trainings"] = "true"
    app.run()
    assert not app.exception
    (sentences,) = [lines for lines in findings(app) if "other trainings" in lines[0]]
    assert len(sentences) == 18
    assert "(seed 1)" in sentences[0]
    assert set(ring_tables(app)) == {"ring", "ring, seed 1"}
    assert any(c.value.startswith("As the 25 rendered test toys turn once") for c in app.caption)
    pick(app, "turned", "elevation")
    assert not app.exception
    assert len(ring_tables(app)["ring, seed 1"]) == 9
    assert not any(c.value.startswith("As the 25 rendered") for c in app.caption)  # they are about azimuths


def test_other_views_need_the_weights(trained_twice, app, add_model):
    app.query_params.update({"trainings": "true", "elevation": "30°"})
    app.run()
    assert not app.exception
    assert "ring, seed 1" not in ring_tables(app)
    (info,) = [info.value for info in app.info if "other trainings" in info.value]
    assert f"`python -m core.training {NAME} --seed 1`" in info.replace("\\", "")
    add_model("em-smallnorb", f"{NAME}-seed-1", metrics=METRICS)
    app.run()  # its own poses are not measured, and the kept ones may come from other weights
    assert "ring, seed 1" not in ring_tables(app)
    assert f"then `python -m core.measured built_in {NAME}-seed-1`" in app.info[0].value.replace("\\", "")
    store.save("built_in", f"{NAME}-seed-1", poses(2), zoo.describe(f"{NAME}-seed-1").sha256)
    app.run()
    assert not app.exception
    assert "ring, seed 1" in ring_tables(app)
    assert not any("other trainings" in info.value for info in app.info)
    app.query_params["from"] = "5,30"  # between two views
    app.run()
    assert any("The nearest view: 0°, read off as" in lines[0] for lines in findings(app))


def test_the_ring_of_this_training_is_drawn_first(trained_twice, app):
    app.query_params["trainings"] = "true"
    app.run()
    drawn = [chart.proto.alt for chart in app.get("vega_lite_chart") if "read off the pose" in chart.proto.alt]
    assert [alt.partition(", in the training")[2] for alt in drawn] == ["", " with seed 1"]


@pytest.mark.parametrize("views", [{"turned": "light"}, {"source": "Your pictures", "sample": "One picture"}])
def test_views_without_a_turn_are_not_compared(trained_twice, app, views):
    app.query_params.update({"trainings": "true"} | views)
    app.run()
    assert not app.exception
    assert any(info.value.startswith("Trainings are compared by the azimuth") for info in app.info)
    assert "ring, seed 1" not in ring_tables(app)


def test_a_network_that_was_trained_once_says_so(model_folder, app):
    app.query_params["trainings"] = "true"
    app.run()
    assert not app.exception
    toggle = app.toggle(key="trainings")
    assert toggle.disabled
    assert toggle.help == "Only one training of this network was measured."


def test_the_shipped_trainings_are_counted_with_their_first_network(app):
    app.query_params.clear()
    app.query_params["trainings"] = "true"
    app.run()
    assert not app.exception
    assert set(ring_tables(app)) == {"ring", "ring, seed 1", "ring, seed 2"}
    (count,) = [c.value for c in app.caption if c.value.startswith("As the 25 rendered")]
    assert "for 23 in this training, 23 with seed 1 and 24 with seed 2." in count
    assert "go on from the same `em-smallnorb`, in which it does so for" in count.replace("\\", "")
