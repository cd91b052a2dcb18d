"""The figure of a toy's poses from all directions, and its sentences."""

import json
from itertools import pairwise

import numpy as np
import pytest

from core.analysis.rings import unit_circle
from core.analysis.surfaces import surface
from core.sentences.surfaces import describe_other_surface, describe_point, describe_surface
from dashboard.figures.surfaces import Seen, net
from dashboard.runs import checkpoints
from dashboard.runs.surfaces import read_off, surface_of

AZIMUTHS, ELEVATIONS = np.arange(0, 360, 20.0), np.arange(30, 71, 5.0)
DIRECTIONS = np.stack([np.tile(AZIMUTHS, 9), np.repeat(ELEVATIONS, 18)], 1)
TUBE = np.concatenate([unit_circle(DIRECTIONS[:, 0]), DIRECTIONS[:, 1:]], 1).reshape(9, 18, 3)
VIEWS = [Seen(TUBE[4, k], (AZIMUTHS[k], 50.0), f"azimuth {AZIMUTHS[k]:.0f}°") for k in range(18)]
LOW = Seen(np.array([0.5, 0, 40]), (35, 15), "azimuth 35°, elevation 15°", is_trained=False)


def traces(figure):
    return json.loads(figure.to_json())["data"]


def test_a_net_has_closed_lines_along_the_azimuth_and_open_ones_up():
    net_lines = traces(net(TUBE, AZIMUTHS, ELEVATIONS, VIEWS))[2]
    gaps = [-1, *(k for k, x in enumerate(net_lines["x"]) if x is None), len(net_lines["x"])]
    lines = [slice(low + 1, high) for low, high in pairwise(gaps)]
    assert len(lines) == 9 + 18
    around, up = lines[:9], lines[9:]
    for axis in "xyz":
        assert all(net_lines[axis][line.start] == net_lines[axis][line.stop - 1] for line in around)
    assert [net_lines["z"][line] for line in up] == [ELEVATIONS.tolist()] * 18
    colours = net_lines["line"]["color"]
    assert len(colours) == len(net_lines["x"])
    assert [colours[line] for line in around] == [[*AZIMUTHS, 360]] * 9
    assert [set(colours[line]) for line in up] == [{azimuth} for azimuth in AZIMUTHS]
    assert (net_lines["line"]["cmin"], net_lines["line"]["cmax"]) == (0, 360)


def test_a_tip_has_true_and_read_directions():
    knots = traces(net(np.roll(TUBE, -1, 1), AZIMUTHS, ELEVATIONS, VIEWS))[3]
    assert knots["customdata"][19] == [20, 35, 40, 35]
    assert "azimuth %{customdata[0]:.0f}°, read off as %{customdata[2]:.0f}°" in knots["hovertemplate"]


def test_each_view_has_its_point_and_its_true_place():
    figure = net(TUBE, AZIMUTHS, ELEVATIONS, [LOW, *VIEWS[1:]], other=TUBE / 3)
    assert [frame.name for frame in figure.frames] == [str(k) for k in range(1, 19)]
    assert [frame.data[0].meta for frame in figure.frames] == list(range(1, 19))
    assert {frame.traces for frame in figure.frames} == {(len(figure.data) - 1,)}
    assert len(figure.layout.updatemenus[0].buttons) == 18
    low, trained = (frame.data[0] for frame in figure.frames[:2])
    assert (low.x[0], low.z[0], low.z[1]) == (0.5, 40, 15)
    assert low.x[1] == pytest.approx(np.cos(np.radians(35)), abs=1e-4)
    assert (low.marker.symbol[0], trained.marker.symbol[0]) == ("circle-open", "circle")
    assert figure.layout.scene.zaxis.range[0] < 15
    assert figure.layout.scene.xaxis.range == figure.layout.scene.yaxis.range
    titles = [figure.layout.scene[f"{axis}axis"].title.text for axis in "xyz"]
    assert titles == ["cosine read off", "sine read off", "elevation read off, degrees"]


def test_no_words_lie_over_the_net():
    figure = net(TUBE, AZIMUTHS, ELEVATIONS, [LOW, *VIEWS[1:]], other=TUBE / 3)
    drawn = [*traces(figure), *(frame.data[0].to_plotly_json() for frame in figure.frames)]
    assert not [trace for trace in drawn if "text" in trace.get("mode", "")]
    (bar,) = [trace["marker"]["colorbar"] for trace in drawn if trace.get("marker", {}).get("showscale")]
    assert bar["ticktext"] == ["0°", "90°", "180°", "270°", "360°"]
    assert figure.layout.margin.b >= 50


def test_points_far_outside_the_tube_stay_in_the_box():
    figure = net(4 * TUBE, AZIMUTHS, ELEVATIONS, VIEWS)
    assert figure.layout.scene.xaxis.range[1] >= 4
    assert figure.layout.scene.zaxis.range[1] >= 280


def test_the_sentence_says_which_directions_a_pose_holds():
    exact = describe_surface(surface(TUBE, AZIMUTHS, ELEVATIONS), 50)
    assert exact == (
        "Over 162 views, the pose of this toy holds both directions: the azimuth read off it is 0° off on average (a "
        "constant guess: 90°), the elevation 0.0° (always 50°: 11.1°). Its net has 100% of the width of the tube of "
        "true directions and 100% of its height."
    )
    clump = np.broadcast_to([0.1, 0, 50], TUBE.shape)
    collapsed = describe_surface(surface(clump, AZIMUTHS, ELEVATIONS), 50)
    assert "holds neither direction: the azimuth read off it is 90° off" in collapsed
    assert "the elevation 11.1° (always 50°: 11.1°)" in collapsed
    assert "Its net collapses to 0% of the width of the tube of true directions and 0% of its height." in collapsed
    flat = np.concatenate([TUBE[..., :2], clump[..., 2:]], 2)
    other = describe_other_surface("X", surface(flat, AZIMUTHS, ELEVATIONS))
    assert other.startswith("The grey net is that of another network, “X”: its pose holds the azimuth, but not the ele")
    assert "(0° and 11.1° off). Its net has 100%" in other


def test_the_sentence_of_a_view_takes_the_short_way_round():
    point = np.array([*unit_circle(np.array([359.8]))[0], 47.4])
    assert describe_point(point, (10, 50)) == (
        "This view: azimuth 10°, read off as 0° (10° off); elevation 50°, read off as 47° (3° off)."
    )


def test_maps_are_fitted_to_the_other_test_toys():
    kept, other = surface_of("em-smallnorb-views", 3, 0), surface_of("em-smallnorb-views", 3, 1)
    assert kept.n_fitted == 4
    assert not np.allclose(kept.readouts[0].weights, other.readouts[0].weights)
    poses = checkpoints.measured("grid", "em-smallnorb-views")["grid"][15]  # the first truck
    np.testing.assert_allclose(read_off(kept, poses[4]), kept.surface.points[4])
    assert surface_of("em-smallnorb-views", 3, 4) is None  # a toy of the training split
    assert surface_of("dragg-sst5", 3, 0) is None
