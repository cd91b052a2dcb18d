"""The figures of rings and maps of poses, and their sentences."""

from pathlib import Path

import numpy as np
import pytest

from core.analysis.rings import Alignment, Round, constant_error, directions_of, errors, unit_circle
from core.sentences.rings import GOES_ROUND, ROUGHLY, describe_map, describe_round, describe_thresholds
from dashboard.figures.chart import sheet_as_chart
from dashboard.figures.rim import is_full_turn
from dashboard.figures.rings import OnePose, ReadOff, pose_map, ring
from dashboard.pages import smallnorb
from dashboard.runs import checkpoints, pictures
from dashboard.runs.rings import map_of, plane_of
from tests.dashboard.smallnorb.shown import save_measured

AZIMUTHS, ELEVATIONS = np.arange(0, 360, 20.0), np.arange(30, 71, 5.0)
NAMES = [f"azimuth {a:.0f}°" for a in AZIMUTHS]
PICTURES = np.random.default_rng(0).integers(0, 256, (18, 2, 8, 8), dtype=np.uint8)


def read_off(points, degrees):
    return ReadOff(points, directions_of(points), errors(points, degrees))


def test_a_ring_is_closed_and_an_arc_is_not():
    closed = ring(read_off(unit_circle(AZIMUTHS + 5), AZIMUTHS), AZIMUTHS, NAMES, PICTURES).data.to_pydict()
    assert (closed["next_x"][-1], closed["next_y"][-1]) == (closed["x"][0], closed["y"][0])
    np.testing.assert_allclose(closed["error"], 5, atol=1e-3)
    np.testing.assert_allclose(closed["read"], AZIMUTHS + 5, atol=1e-3)
    arc = ring(read_off(unit_circle(ELEVATIONS), ELEVATIONS), ELEVATIONS, NAMES[:9]).data.to_pydict()
    assert (arc["next_x"][-1], arc["next_y"][-1]) == (arc["x"][-1], arc["y"][-1])
    assert is_full_turn(AZIMUTHS)
    assert not is_full_turn(ELEVATIONS)
    assert not is_full_turn(np.array([0.0, 90.0]))


@pytest.mark.parametrize("other", [None, unit_circle(AZIMUTHS) / 3])
def test_both_figures_are_valid(other):
    figures = {"ring": ring(read_off(unit_circle(AZIMUTHS), AZIMUTHS), AZIMUTHS, NAMES, PICTURES, other)}
    figures["map"] = pose_map(np.random.default_rng(0).normal(size=(18, 2)), AZIMUTHS, NAMES)
    sheet_as_chart(figures)  # raises if a figure breaks Vega-Lite's schema
    assert str(figures["ring"].spec).count("data:image/png") == 8


def test_points_far_outside_the_rim_stay_in_sight():
    figure = ring(read_off(4 * unit_circle(AZIMUTHS), AZIMUTHS), AZIMUTHS, NAMES)
    (x,) = {str(layer["encoding"]["x"]["scale"]["domain"]) for layer in figure.spec["layer"]}
    assert x == str([-4.4, 4.4])


@pytest.mark.parametrize(
    ("score", "words"), [(0.95, "goes round once"), (0.7, "goes round roughly"), (0.3, "does not go round")]
)
def test_the_sentence_says_how_well_a_pose_goes_round(score, words):
    degrees, read = np.array([0.0, 280]), np.array([359.8, 270])
    first, second = describe_round(Round(score, 0.2), read, degrees, np.array([-0.2, -10]), "azimuth")
    assert first == (
        f"As this toy turns, its pose {words} (score {score:.2f} of 1; with the views in random order, 0.20). "
        "The azimuth read off it is 5° off on average (always guessing one angle: 40°). "
        "This view: 0°, read off as 0° (0° off)."
    )
    assert second.endswith("This view: 280°, read off as 270° (10° off).")
    half = describe_round(Round(0.9, 0.2), read / 2, degrees / 2, np.array([-0.1, -5]), "azimuth")[0]
    assert half.startswith("As this toy turns, its pose turns with it (score 0.90 of 1;")
    assert f"has score {score:.2f} (" in describe_map(Round(score, 0.2), 0.15)
    assert describe_map(None, 0.15).endswith("Its axes mean nothing. Stress-1 is 0.15 (0 is exact, 0.2 is poor).")


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_the_sentence_says_what_was_taken_off_for_file_names(is_mirrored):
    degrees = np.array([0.0, 90])
    aligned = Alignment(-156.6, is_mirrored)
    first, _ = describe_round(Round(0.7, 0.2), degrees, degrees, np.zeros(2), "azimuth", aligned)
    assert "This is after a constant turn of 157° was taken off" in first
    assert "the true angles come from the file names" in first
    assert ("the direction was mirrored" in first) == is_mirrored
    assert first.endswith("This view: 0°, read off as 0° (0° off).")


@pytest.mark.parametrize(("score", "off", "is_explained"), [(0.6, 79, True), (0.6, 20, False), (0.3, 79, False)])
def test_a_good_score_with_large_errors_is_explained(score, off, is_explained):
    degrees = np.array([0.0, 90])
    (first, _) = describe_round(Round(score, 0.2), degrees, degrees, np.full(2, off), "azimuth")
    assert ("around the middle of the path" in first) == is_explained


@pytest.mark.parametrize(
    ("degrees", "off"), [(AZIMUTHS, 90), (ELEVATIONS, 100 / 9), ([350, 0, 10], 20 / 3), ([0, 120, 240], 80)]
)
def test_a_constant_guess_is_off_by_the_best_of_all_guesses(degrees, off):
    degrees = np.array(degrees, float)
    errors_of = [np.abs((guess - degrees + 180) % 360 - 180).mean() for guess in np.arange(0, 360, 0.5)]
    assert constant_error(degrees) == pytest.approx(off)
    assert constant_error(degrees) == pytest.approx(min(errors_of))


def test_the_sentence_counts_half_turns():
    off = np.array([170.0, -140, 10, 90])
    degrees = np.array([0.0, 90, 180, 270])
    first, *_ = describe_round(Round(0.6, 0.2), degrees, degrees, off, "azimuth")
    assert "In 2 of 4 views, it is off by about half a turn, as if front were back." in first
    assert "half a turn" not in describe_round(Round(0.6, 0.2), degrees, degrees, off / 2, "azimuth")[0]


def test_the_help_has_the_scores_that_the_words_mean():
    said = describe_thresholds()
    assert (
        f"{GOES_ROUND} or more: “goes round once” or “turns with it”; {ROUGHLY} or more: “goes round roughly”" in said
    )
    page = Path(smallnorb.__file__).with_name("how_to_read.html").read_text(encoding="utf-8")
    assert f"from a score of {GOES_ROUND} on, it goes round, and from {ROUGHLY} on, roughly" in page


def test_planes_are_fitted_to_other_toys_and_maps_have_a_point_a_view():
    kept = checkpoints.measured("built_in", "em-smallnorb-views")
    poses = kept["views"][30, :18].astype(float)  # the first truck
    category = list(pictures.CATEGORIES).index("truck")
    without, with_it = (plane_of("em-smallnorb-views", "azimuth", category, left_out) for left_out in (0, None))
    assert not np.allclose(without.weights, with_it.weights)
    assert without.read(poses.reshape(18, -1)).shape == (18, 2)
    assert map_of(poses.astype(np.float32)).points.shape == (18, 2)
    assert plane_of("em-smallnorb-views", "elevation", category, 0).weights.shape == (16, 2)


@pytest.mark.parametrize("is_between", [False, True])
def test_an_edited_pose_is_its_own_point_on_the_ring(is_between):
    def one(x, y):
        return OnePose(read_off(np.array([[x, y]]), np.array([40.0])), 40.0, "azimuth 40°", 2)

    found = read_off(unit_circle(AZIMUTHS), AZIMUTHS)
    figure = ring(found, AZIMUTHS, NAMES, between=one(0.5, 0.5) if is_between else None, edited=one(0, -3))
    *_, line, triangle = figure.spec["layer"]
    assert triangle["mark"]["shape"] == "triangle-up"
    (row,) = triangle["data"]["values"]
    assert (row["view"], row["x"], row["y"]) == (3, 0, -3)
    before = (0.5, 0.5) if is_between else tuple(unit_circle(AZIMUTHS)[2].round(4))
    assert (row["before_x"], row["before_y"]) == before
    assert line["encoding"]["x"]["scale"]["domain"] == pytest.approx([-3.3, 3.3])  # it is in sight
    sheet_as_chart({"ring": figure})  # raises if it breaks Vega-Lite's schema


def test_a_ring_is_as_long_there_as_its_measurement(add_model):
    folder = add_model("em-smallnorb", "tiny-em-smallnorb")
    assert plane_of("tiny-em-smallnorb", "azimuth", 0, None) is None
    toys = np.array([(category, instance) for category in range(5) for instance in range(10)])
    views = np.random.default_rng(0).normal(size=(50, 27, 4, 4))
    save_measured({"toys": toys, "views": views, "data": np.array("by a test")}, "built_in")
    assert plane_of("tiny-em-smallnorb", "azimuth", 0, None) is not None
    (folder / "built_in.npz").unlink()
    assert plane_of("tiny-em-smallnorb", "azimuth", 0, None) is None
