"""The smallNORB page with measurements on the test toys."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from core.analysis.poses import compare_with_first
from dashboard.runs import pictures as picture_runs
from tests.dashboard.smallnorb.shown import (
    CHARTS,
    NAME,
    chart,
    charts,
    open_tab,
    press,
    random_poses,
    readout_arrays,
    save_measured,
)
from tests.sweeps import save_sweep


@pytest.mark.parametrize("turned", ["azimuth", "elevation"])
def test_this_toy_s_poses_are_drawn_among_the_measured_ones(app, turned):
    arrays = random_poses()
    save_measured(arrays)
    app.query_params["turned"] = turned
    app.run()
    assert not app.exception
    actual = charts(app)
    assert list(actual) == CHARTS
    lines = actual["Pose vector 2"]
    others = lines[lines["who"] == "toys"]
    expected = compare_with_first(arrays[turned]).distance[..., 1]
    np.testing.assert_allclose(others["value"], expected.ravel(), rtol=1e-5, atol=1e-6)
    assert sum(lines["who"] == "this toy") == expected.shape[1]
    open_tab(app, "Turning")
    assert any("a \\*test\\*" in caption.value for caption in app.caption)
    assert not any("core.measured poses NAME" in caption.value for caption in app.caption)


@pytest.mark.parametrize("elevation", ["50°", "30°"])
def test_the_curves_name_their_paper_and_their_elevations(app, elevation):
    save_measured(random_poses())
    app.query_params["elevation"] = elevation
    open_tab(app.run(), "Turning")
    assert not app.exception
    (caption,) = [caption.value for caption in app.caption if "figures 6 and 7" in caption.value]
    assert "figures 6 and 7 of Heinsen 2019" in caption
    assert "seen at elevation 50° while" in caption
    assert ("is seen at elevation 30° instead" in caption) == (elevation == "30°")


@pytest.mark.parametrize("method", ["linear", "small MLP"])
def test_directions_are_read_off_by_the_chosen_method(app, method):
    arrays = readout_arrays()
    save_measured(arrays, "readout")
    app.run()
    open_tab(app, "Measured")
    press(app, "method", method)
    open_tab(app, "Card")
    open_tab(app, "Measured")
    assert not app.exception
    protos = [chart.proto for chart in app.get("vega_lite_chart")]
    actual = {proto.alt: pa.ipc.open_stream(proto.data.data).read_pandas() for proto in protos}
    assert list(actual)[-3:] == ["R² for azimuth", "R² for elevation", "R² from the pose, during training"]
    rows = pd.DataFrame({name: arrays[name] for name in arrays if name != "data"})
    rows = rows[(rows["method"] == method) & (rows["direction"] == "azimuth")]
    drawn = actual["R² for azimuth"].set_index(["source", "category"])["R2"]
    assert set(drawn.index.levels[0]) == {
        "pose",
        "last convolution",
        "pixels",
        "pose, other",
        f"pose, {NAME}-views",
    }
    for category in picture_runs.CATEGORIES:
        chosen = rows[(rows["network"] == NAME) & (rows["features"] == "poses") & (rows["category"] == category)]
        assert drawn["pose", category] == pytest.approx(chosen["r2"].mean())
    (sentence,) = (text.value for text in app.markdown if text.value.startswith("R² for azimuth:"))
    pose_r2 = rows[(rows["network"] == NAME) & (rows["features"] == "poses")]["r2"].mean()
    assert f"R² for azimuth: {pose_r2:.2f} from this network's pose," in sentence
    assert (
        sentence.count("from that of ") == 4
    )  # the other networks, but not those saved during a training, for two directions
    by_training = actual["R² from the pose, during training"]
    assert sorted(set(by_training["share"])) == [0.25, 1]
    assert any("a \\*test\\*" in caption.value for caption in app.caption)


def test_networks_saved_in_another_training_are_labelled(app):
    save_measured(readout_arrays(f"{NAME}-6-epochs"), "readout")
    app.run()
    open_tab(app, "Measured")
    assert not app.exception
    by_training = chart(app, "R² from the pose, during training")
    assert sorted(set(by_training["share"])) == [0.25, 1]
    assert set(by_training["direction"]) == {"azimuth; 6 epochs", "elevation; 6 epochs"}
    assert any("another training (6 epochs)" in caption.value for caption in app.caption)


def test_without_a_measurement_the_tab_names_the_command(app):
    app.run()
    open_tab(app, "Measured")
    for quantity in ("readout", "changes"):
        assert any(f"core.measured {quantity} NAME" in caption.value for caption in app.caption)


def test_accuracy_on_changed_pictures_is_shown(app):
    changes = ["as rendered", "one eye for both"]
    arrays = {"change": np.array(changes), "accuracy": np.array([0.975, 0.5]), "n": np.array([1234])}
    save_measured(arrays | {"data": "1,234 test pairs, a *test*"}, "changes")
    app.run()
    open_tab(app, "Measured")
    assert not app.exception
    (table,) = [table.value for table in app.table if "pictures" in table.value.columns]
    assert table.to_numpy().tolist() == [["as rendered", "97.5%"], ["one eye for both", "50.0%"]]
    assert any(caption.value.startswith("Measured on 1,234 test pairs, a \\*test\\*. ") for caption in app.caption)


def change_hash_of_weights(path):
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **arrays | {"sha256": np.array("0" * 64)})


def set_unknown_compression(path):
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\1\2") + 10] = 99  # the compression method of the first member
    path.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(change_hash_of_weights, id="other weights"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:3000]), id="cut"),
        pytest.param(lambda path: path.write_bytes(b"PK\3\4 no archive"), id="not an archive"),
        pytest.param(set_unknown_compression, id="packed in an unknown way"),
    ],
)
def test_poses_that_are_damaged_or_of_other_weights_are_ignored(app, spoil):
    app.query_params["turned"] = "elevation"
    spoil(save_measured(random_poses()))
    app.run()
    assert not app.exception
    actual = charts(app)
    assert list(actual) == CHARTS
    assert set(actual["Pose vector 1"]["who"]) == {"this toy"}
    open_tab(app, "Turning")
    assert any("core.measured poses NAME" in caption.value for caption in app.caption)


def test_accuracy_on_unseen_directions_is_shown_once_it_is_measured(app):
    app.run()
    open_tab(app, "Measured")
    assert any("core.sweep viewpoints" in caption.value for caption in app.caption)
    random = np.random.default_rng(0)
    rows = [
        {
            "network": network,
            "direction": direction,
            "seed": 0,
            "test": 0.8,
            "tested_on": 8100,
            "shares": [0.5, 1.0],
            "degrees": [30.0, 35.0, 40.0],
            "is_seen": [True, False, False],
            "accuracy": random.random((2, 3, 25)).tolist(),
        }
        for direction, network in (
            ("azimuth", "convolutions"),
            ("azimuth", "EM routing"),
            ("elevation", "EM routing"),
            ("elevation", "convolutions"),
        )
    ]
    save_sweep("viewpoints", pd.DataFrame(rows))
    app.run()
    assert not app.exception
    drawn = charts(app)
    assert list(drawn)[-2:] == ["Accuracy on unseen azimuths", "Accuracy on unseen elevations"]
    curve = drawn["Accuracy on unseen elevations"]
    assert sorted(set(curve["distance"])) == [0, 5, 10]
    for title in list(drawn)[-2:]:  # the colours do not depend on the order of the trainings
        assert list(dict.fromkeys(drawn[title]["network"])) == ["EM routing", "convolutions"]
    assert sum("EM routing is" in text.value for text in app.markdown) == 2
    assert any("8 of 12 trainings" in caption.value for caption in app.caption)
