"""Edits of the run on the smallNORB page, and a cover for a part of its pictures. Without a browser."""

import re

import numpy as np
import pytest

import core
from core import zoo
from core.analysis.poses import nearest_toy
from core.edits import parse_edit
from dashboard.pages.smallnorb import toys
from dashboard.pages.smallnorb.parts import ranking
from dashboard.runs.picture_edits import PictureRun, cover
from tests.core.samples import pair
from tests.dashboard.app import component, open_app, open_section, shown_as_markdown, tables
from tests.dashboard.smallnorb.shown import save_measured


def open_offers(**params):
    """The page with the section of the inspector that offers edits."""
    app = open_app("smallnorb")
    for name, value in params.items():
        app.query_params[name] = value
    return open_section(app, "Change it")


@pytest.fixture
def run(add_model):
    return PictureRun(add_model("em-smallnorb").name, "cpu", pair(48, 40), None, 3)


def test_an_edited_run_equals_core_s(run):
    edited = run.edited((parse_edit("capsule:1@0"), parse_edit("drop:999")))
    trace = core.explain(zoo.load(run.name, "cpu"), run.pair, 3, ["capsule:1@0"])
    assert list(map(str, edited.refused)) == ["drop:999"]
    assert np.allclose(edited.trace.probabilities[:3], trace.probabilities, atol=1e-6)


def test_doses_of_a_pose_equal_single_runs(run):
    values, probabilities, coupling = run.doses(parse_edit("pose:1,2,3=0"), (-1.0, 1.0), ())
    single = run.edited((parse_edit(f"pose:1,2,3={values[4]:g}"),)).trace
    assert np.allclose(probabilities[4], single.probabilities, atol=1e-5)
    assert coupling is None  # the picture shows pixels


def test_a_cover_is_grey_in_both_eyes_and_changes_nothing_else():
    images = pair(40, 40)
    covered = cover(images, (25, 50, 0, 100))
    assert (covered[:, :, 10:20] == round(float(images.mean()))).all()
    assert (np.delete(covered, np.s_[10:20], 2) == np.delete(images, np.s_[10:20], 2)).all()


def test_a_toy_is_compared_with_the_capsule_of_its_class():
    views = np.zeros((2, 1, 4, 4))
    views[1] = 1
    capsules = np.stack([np.full((4, 4), 9.0), np.full((4, 4), 1.5)])
    assert nearest_toy(capsules, np.array([[0, 3], [1, 5]]), views) == (1, 2.0)  # each of 16 components differs by .5


def test_the_sentence_names_the_nearest_of_fifty_toys(add_model):
    add_model("em-smallnorb")
    fifty = np.array([(c, i) for c in range(5) for i in range(10)])
    far = np.full((50, 27, 4, 4), 99.0)
    save_measured({"toys": fifty, "views": far, "data": np.array("")}, "built_in")
    app = open_offers(checkpoint="tiny-em-smallnorb", edit="capsule:1@0")
    assert any(text.startswith("Of the fifty built-in toys, ") for text in shown_as_markdown(app))


@pytest.mark.parametrize("edit", [{"edit": "capsule:1@0"}, {"cover": "10,90,10,90"}])
def test_an_edit_moves_its_own_point_on_the_ring(edit):
    params = {"checkpoint": "em-smallnorb-views", "turned": "elevation", "view": "3"}
    plain, edited = (_sentences_on_views(open_offers(**params, **more)) for more in ({}, edit))
    assert [before == after for before, after in zip(plain, edited, strict=True)] == [k != 2 for k in range(9)]
    assert edited[2].startswith(f"{plain[2]} With your edits, it is read off as ")


def _sentences_on_views(app):
    """The sentences on the pose of each view, after a look at the caption below the ring."""
    assert not app.exception
    is_edited = {"edit", "cover"} & set(app.query_params)
    assert any(text.value.startswith("The triangle is this view") for text in app.caption) == bool(is_edited)
    (finding,) = [finding for finding in component(app, "finding") if finding["param"] == "view"]
    return finding["sentences"]


def test_poses_without_a_ring_are_said_to_be_unedited(add_model):
    add_model("em-smallnorb")
    app = open_offers(checkpoint="tiny-em-smallnorb", edit="capsule:1@0", turned="elevation")
    assert any(text.value == "All poses on this page are without your edits." for text in app.caption)


def test_a_covered_square_and_an_edit_change_the_classes(add_model):
    add_model("em-smallnorb")
    (plain,) = component(open_offers(checkpoint="tiny-em-smallnorb"), "verdict")
    assert plain["before"] is None
    app = open_offers(checkpoint="tiny-em-smallnorb", cover="10,90,10,90")
    (covered,) = component(app, "verdict")
    assert not app.exception
    assert covered["before"] == plain["values"] != covered["values"]
    app = open_offers(checkpoint="tiny-em-smallnorb", edit="capsule:1@0")
    (edited,) = component(app, "verdict")
    assert edited["before"] == plain["values"] != edited["values"]


def sentence_on_parts(app):
    """The last iteration's sentence on the leading class and the chosen part."""
    (finding,) = [finding for finding in component(app, "finding") if finding["param"] == "iteration"]
    return finding["sentences"][-1]


def test_switching_a_part_off_does_what_the_sentence_says():
    app = open_offers(checkpoint="em-smallnorb-views")
    before, part = sentence_on_parts(app), int(app.number_input(key="part").value)
    said = re.search(
        r"of part (\d+), which .*; without it, .* the score (?:falls|rises) by .* \(to (-?\d+\.\d+)\)", before
    )
    assert said[1] == str(part)
    leading = before.partition(" is ahead")[0].lower()
    app.button(key=f"capsule:{part - 1}@0").click().run()
    assert not app.exception
    classes = app.selectbox(key="class").options
    scores = tables(app)["classes"]["scores"].to_numpy()[-len(classes) :]
    assert f"{scores[classes.index(leading)]:.2f}" == said[2]
    after = sentence_on_parts(app)
    assert after.endswith(f"Part {part} is switched off.")
    assert "It uses" not in after


def test_the_ranked_parts_are_runs_without_each_of_them(add_model):
    name = add_model("em-smallnorb").name
    app = open_offers(checkpoint=name, edit="capsule:1@0")
    assert not any(text.value.startswith("| part |") for text in app.markdown)
    app.toggle(key="ranked").set_value(True).run()
    assert not app.exception
    (shown,) = [text.value.splitlines()[2:] for text in app.markdown if text.value.startswith("| part |")]
    changes = [float(line.split("|")[4]) for line in shown]
    assert changes == sorted(changes, key=abs, reverse=True)
    rows = {int(cells[1]): cells for cells in (line.split("|") for line in shown)}
    assert sorted(rows) == [1, 2, 3]
    assert float(rows[2][4]) == 0  # the edit has switched it off already
    images = toys.render(toys.ToyView(0, 0, 0, "azimuth", 50)).pictures.images[0]
    before, without = (
        core.explain(zoo.load(name, "cpu"), images, edits=edits).class_probabilities
        for edits in (["capsule:1@0"], ["capsule:1@0", "capsule:0@0"])
    )
    assert rows[1][3].strip().startswith(f"{without[before.argmax()]:.1%}")


def test_a_part_that_decides_is_first_and_names_the_new_leader():
    before, added = np.array([0.6, 0.4]), np.array([[0.1, 0], [0.2, 0], [0.3, 0]])
    table = ranking(before, np.array([[0.1, -0.1], [np.log(6), -np.log(6)], [-0.2, 0.2]]), added, ["cow", "car"])
    assert table["part"].tolist() == [2, 3, 1]
    assert table["adds"].tolist() == [0.2, 0.3, 0.1]
    assert table["probability"][0] == pytest.approx(0.2)  # the odds fall from 3:2 to 1:4
    assert table["leader"].tolist() == ["car", "cow", "cow"]


@pytest.mark.parametrize("box", ["", "9,1,2,3", "-1,5,5,9", "1e9,2,3,4", "<b>"])
def test_an_invalid_square_in_the_address_gives_the_first_one(box, add_model):
    add_model("em-smallnorb")
    app = open_offers(checkpoint="tiny-em-smallnorb", cover=box)
    assert not app.exception
    (crop,) = component(app, "crop")
    assert (crop["across"], crop["down"]) == ([40, 60], [40, 60])


def test_the_cover_is_in_the_address_at_once(add_model):
    add_model("em-smallnorb")
    app = open_offers(checkpoint="tiny-em-smallnorb")
    app.toggle(key="covers").set_value(True).run()
    assert app.query_params["cover"] == "40,60,40,60"
    app.button(key="uncover").click().run()
    assert "cover" not in app.query_params
    assert not app.toggle(key="covers").value
    app.toggle(key="covers").set_value(True).run()
    app.toggle(key="covers").set_value(False).run()
    assert "cover" not in app.query_params
    assert component(app, "verdict")[0]["before"] is None
