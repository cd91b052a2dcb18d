"""The data, places and scales of the smallNORB page's figures, read from their specifications."""

import base64
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from dashboard.figures import pictures, poses, readable, trajectories
from dashboard.figures.chart import sheet_as_chart
from dashboard.figures.sheet import Heading
from dashboard.figures.standalone import stand_alone
from dashboard.figures.vega import shades
from dashboard.theme import SIGNED

RNG = np.random.default_rng(0)
AZIMUTH = np.arange(0, 360, 20)
NAMES = [f"azimuth {a}°" for a in AZIMUTH]
POINTS = RNG.normal(size=(18, 4, 2)) * [3, 1]
TURNED = RNG.random((5, 18, 4))
PICTURES = RNG.integers(0, 256, (18, 2, 96, 96), dtype=np.uint8)
VALUES = RNG.random((3, 9, 9)) / 81
WHERE = {"first": 14, "step": 8}  # the first location's middle and the step to the next, in pixels, as in the network


def params(figure):
    """The parameters of a figure, by name."""
    return {param["name"]: param for param in figure.spec["params"]}


def layers(figure):
    """Every layer, with the settings that it inherits from the layer around it."""
    for layer in figure.spec["layer"]:
        yield from ({**layer, **inner} for inner in layer.get("layer", [layer]))


def scale(figure, channel):
    """The scale of a channel, which is the same in all layers."""
    channels = [layer["encoding"].get(channel, {}) for layer in layers(figure)]
    first, *others = (actual["scale"] for actual in channels if "scale" in actual)
    assert all(other == first for other in others)
    return first


def decoded(address):
    """The pixels of a PNG in a data address."""
    head, content = address.split(",")
    assert head == "data:image/png;base64"
    return np.asarray(Image.open(BytesIO(base64.b64decode(content))))


def calculated(transforms, **datum):
    """A row of data after the calculations among Vega's transforms."""
    for step in (step for step in transforms if "calculate" in step):
        words = step["calculate"]
        for name in sorted(datum, key=len, reverse=True):
            words = words.replace(f"datum.{name}", str(datum[name]))
        datum[step["as"]] = eval(words, {"abs": abs})
    return datum


def test_a_trajectory_holds_every_pose_vector_of_every_view():
    figure = poses.trajectories(POINTS, NAMES, AZIMUTH, "azimuth, degrees")
    assert len(figure.data) == 18 * 4
    for row in figure.data.to_pandas().itertuples():
        np.testing.assert_allclose((row.x, row.y), POINTS[row.view - 1, row.v - 1], rtol=1e-6)
        assert (row.name, row.shade) == (NAMES[row.view - 1], AZIMUTH[row.view - 1])
    bound = params(figure)["view"]
    assert bound["value"] == 1
    assert (bound["bind"]["max"], bound["bind"]["step"]) == (18, 1)


def test_a_trajectory_has_the_same_unit_on_both_axes():
    figure = poses.trajectories(POINTS, NAMES)
    (left, right), (low, high) = (scale(figure, axis)["domain"] for axis in "xy")
    assert right - left == pytest.approx(high - low)
    assert figure.spec["width"] == figure.spec["height"]
    assert figure.spec["autosize"] == {"type": "pad"}  # Streamlit's default would squeeze one side
    assert left < POINTS[..., 0].min() < POINTS[..., 0].max() < right
    assert low < POINTS[..., 1].min() < POINTS[..., 1].max() < high


def test_a_trajectory_is_closed_and_has_rings_at_its_ends():
    drawn = list(layers(poses.trajectories(POINTS, NAMES)))
    lines = [layer for layer in drawn if layer["mark"]["type"] == "line"]
    assert all(line["mark"]["interpolate"] == "linear-closed" for line in lines)
    assert all(line["encoding"]["order"]["field"] == "v" for line in lines)
    rings = [layer["transform"] for layer in drawn if layer["mark"].get("size") == 220]
    assert rings == [[{"filter": f"datum.v == 1 && datum.view == {view}"}] for view in (1, 18)]


def test_in_space_units_are_equally_long_and_everything_is_inside():
    points = RNG.normal(size=(18, 4, 3)) * [3, 1, 0.1]
    scene = trajectories.trajectories_in_space(points, NAMES).layout.scene
    lengths = {}
    for k, name in enumerate("xyz"):
        low, high = scene[f"{name}axis"].range
        assert low < points[..., k].min() < points[..., k].max() < high
        lengths[name] = (high - low) / scene.aspectratio[name]
    assert lengths["y"] == pytest.approx(lengths["x"])
    assert lengths["z"] == pytest.approx(lengths["x"])


@pytest.mark.parametrize("points", [np.zeros((2, 4, 3)), np.ones((60, 4, 3))])
def test_in_space_poses_in_one_place_can_be_drawn(points):
    figure = trajectories.trajectories_in_space(points, [str(k) for k in range(len(points))])
    assert [frame.data[0].meta for frame in figure.frames] == list(range(1, len(points) + 1))
    assert len(figure.layout.updatemenus[0].buttons) == len(points)


def test_in_space_a_name_is_no_markup_and_no_template():
    names = ["<a href='http://x'>y</a>", "%{x}", "&lt;"]
    figure = trajectories.trajectories_in_space(RNG.normal(size=(3, 4, 3)), names)
    assert figure.data[0].text == ("&lt;a href=&#x27;http://x&#x27;&gt;y&lt;/a&gt;", "%{x}", "&amp;lt;")
    hovers = [frame.data[0].hovertemplate for frame in figure.frames]
    assert not any("<a" in hover or "%{x}" in hover for hover in hovers)


def test_each_pose_vector_has_a_figure_and_all_have_one_scale():
    figures = poses.turn_curves(TURNED, TURNED[1], AZIMUTH, "azimuth, degrees", "cosine")
    assert list(figures) == ["Pose vector 1", "Pose vector 2", "Pose vector 3", "Pose vector 4"]
    data = figures["Pose vector 3"].data.to_pandas()
    toy = data[data["toy"] == 5].set_index("degrees")["value"]
    np.testing.assert_allclose(toy.loc[list(AZIMUTH)], TURNED[4, :, 2], rtol=1e-6)
    mine = data[data["who"] == poses.THIS].set_index("degrees")["value"]
    np.testing.assert_allclose(mine.loc[list(AZIMUTH)], TURNED[1, :, 2], rtol=1e-6)
    assert len({str(scale(figure, "y")) for figure in figures.values()}) == 1


def test_missing_values_are_left_out_and_the_rule_stays():
    values = TURNED.copy()
    values[0, 0] = np.nan
    figure = poses.turn_curves(values, None, AZIMUTH, "azimuth, degrees", "cosine")["Pose vector 1"]
    assert len(figure.data) == 5 * 18 - 1
    rule = figure.spec["layer"][-1]
    assert rule["data"]["values"][6] == {"view": 7, "degrees": 120.0}
    assert poses.THIS not in scale(figure, "color")["domain"]


def test_the_table_of_a_turn_holds_its_numbers():
    table = poses.turn_table({"cosine": TURNED, "norm": 2 * TURNED}, list("abcde"), AZIMUTH, "azimuth")
    row = table[(table["toy"] == "b") & (table["azimuth"] == 40) & (table["pose vector"] == 4)].iloc[0]
    assert (row["cosine"], row["norm"]) == (TURNED[1, 2, 3], 2 * TURNED[1, 2, 3])


def test_a_location_is_drawn_around_its_middle_pixel():
    figure = pictures.over_picture(PICTURES[0, 0], VALUES, "share", "share", **WHERE)
    assert len(figure.data) == VALUES.size
    for row in figure.data.to_pandas().itertuples():
        assert row.value == np.float32(VALUES[row.t - 1, row.r, row.c])
    picture, squares = figure.spec["layer"]
    np.testing.assert_array_equal(decoded(picture["data"]["values"][0]["url"]), PICTURES[0, 0])
    place = calculated(squares["transform"], t=1, r=2, c=8, value=VALUES.max())
    assert (place["y0"], place["x0"]) == (30, 78)
    assert (place["x1"] + place["x2"]) / 2 == 78.5  # the middle of pixel 78, which reaches from 78 to 79
    assert (place["y2"] - place["y1"], place["opacity"]) == (8, 0.75)
    assert (scale(figure, "x")["domain"], scale(figure, "y")["domain"]) == ([0, 96], [96, 0])
    assert (figure.spec["width"], figure.spec["height"]) == (336, 336)


def test_the_colours_over_a_picture_are_the_same_for_all_iterations():
    figure = pictures.over_picture(PICTURES[0, 0], VALUES, "share", "share", **WHERE)
    assert scale(figure, "color")["domain"] == [0, VALUES.max()]
    figure = pictures.over_picture(PICTURES[0, 0], VALUES - 1, "credit", "credit", **WHERE, signed=True)
    assert scale(figure, "color") == shades(VALUES.min() - 1, 1 - VALUES.min(), SIGNED)


def test_the_table_of_locations_is_in_pixels():
    table = pictures.location_table({"share": VALUES}, first=14, step=8)
    row = table[(table["iteration"] == 2) & (table["pixel row"] == 22) & (table["pixel column"] == 78)]
    assert row["share"].item() == VALUES[1, 1, 8]


def test_a_strip_shows_the_left_eye_above_the_right_eye():
    figure = pictures.strip(PICTURES, NAMES, [f"{a}°" for a in AZIMUTH])
    assert figure.data["name"].to_pylist() == NAMES
    both = decoded(figure.data["url"][3].as_py())
    np.testing.assert_array_equal(both[:96], PICTURES[3, 0])
    np.testing.assert_array_equal(both[96:], PICTURES[3, 1])
    assert params(figure)["view_labels"]["value"][3] == "60°"
    assert figure.spec["layer"][1]["transform"] == [{"filter": "datum.view == view"}]


def read_off_rows(*rows):
    """A table of R2 with intervals. rows: category, source and R2."""
    table = pd.DataFrame(rows, columns=["category", "source", "r2"])
    return table.assign(low=table["r2"] - 0.1, high=table["r2"] + 0.1)


TRAINED = pd.DataFrame(
    {"share": [0.1, 1.0], "training": ["", "6 epochs"], "direction": "azimuth", "r2": 0.3, "low": 0.2, "high": 0.4}
)
UNSEEN = pd.DataFrame({"network": "EM routing", "distance": [0.0, 5.0], "accuracy": 0.3, "low": 0.2, "high": 0.4})


def test_r2_far_below_0_is_an_arrow_with_its_number():
    rows = [("animal", "poses", 0.9), ("car", "poses", 0.5), ("animal", "pixels", -3.2), ("car", "pixels", np.nan)]
    figure = readable.by_category(read_off_rows(*rows), ["animal", "car"])
    assert figure.data.select(["category", "source", "R2"]).to_pydict() == {
        "category": ["animal", "car", "animal"],
        "source": ["poses", "poses", "pixels"],
        "R2": [0.9, 0.5, -3.2],
    }
    assert figure.spec["transform"][0] == {"calculate": "max(datum.R2, -0.5)", "as": "at"}
    assert scale(figure, "x")["domain"] == [-0.5, 1.05]
    arrows = [layer for layer in layers(figure) if layer["transform"] == [{"filter": "datum.R2 < -0.5"}]]
    assert arrows[1]["encoding"]["text"]["field"] == "R2"


@pytest.mark.parametrize(
    "figure",
    [
        poses.trajectories(POINTS, NAMES, AZIMUTH, "azimuth, degrees"),
        poses.trajectories(0 * POINTS[:1], NAMES[:1]),
        poses.turn_curves(TURNED, TURNED[0], AZIMUTH, "azimuth, degrees", "cosine")["Pose vector 1"],
        poses.turn_curves(TURNED[:, :1] * np.nan, None, AZIMUTH[:1], "azimuth, degrees", "cosine")["Pose vector 4"],
        pictures.over_picture(PICTURES[0, 0], VALUES, "share", "share (of all)", **WHERE),
        pictures.over_picture(PICTURES[0, 0, :50], 0 * VALUES[:1], "credit", "credit", **WHERE, signed=True),
        pictures.strip(PICTURES, NAMES),
        readable.by_category(read_off_rows(("animal", "poses", 0.9), ("animal", "pixels", -1.0)), ["animal"]),
        readable.by_training(TRAINED),
        readable.by_distance(UNSEEN),
    ],
)
def test_every_figure_is_valid(figure):
    sheet_as_chart({"figure": figure})  # raises if the figure breaks Vega-Lite's schema


def test_an_exported_sheet_has_both_sliders():
    titled = {
        "over": pictures.over_picture(PICTURES[0, 0], VALUES, "share", "share", **WHERE),
        "plane": poses.trajectories(POINTS, NAMES),
    }
    bound = {param["name"]: param["value"] for param in sheet_as_chart(titled).to_dict()["params"] if "bind" in param}
    assert bound == {"iteration": 3, "view": 1}


def test_a_name_never_ends_the_script_of_a_saved_page():
    evil = "</script><script>alert(1)</script>"
    page = stand_alone(Heading(evil, [evil]), {evil: pictures.strip(PICTURES[:1], [evil])})
    assert evil not in page
    assert "\\u003c/script>" in page
