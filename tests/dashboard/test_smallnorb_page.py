"""The smallNORB page without a browser, on a tiny random network."""

import json
import re
import zipfile
from io import BytesIO
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image

from core import zoo
from core.analysis.poses import in_a_plane
from core.datasets import binary, smallnorb
from core.zoo.measured import keep_measured
from dashboard import runs
from dashboard.poses import QUANTITIES
from dashboard.runs import checkpoints, pictures
from tests.conftest import save_tiny_em_smallnorb
from tests.dashboard.app import component, open_app, shown_as_markdown

NAME = "tiny-em-smallnorb"
CHARTS = 1 + 3 + 1 + 1 + 4  # views, places and classes, parts, plane, pose vectors
UNTURNED = 1 + 3 + 1  # charts of a single view
TABLES = ["classes", "places", "views", "plane", "pose vectors", "turned"]
LABELS = [*(f"CSV, {table}" for table in TABLES), "JSON", "Figures"]
STRIP = "The views, left eye above right eye"
METRICS = {"parameters": 1, "test": {"accuracy": 0.25}, "paper": {"accuracy": 0.5}}


@pytest.fixture
def models(tmp_path, monkeypatch):
    """Where the tiny network lies."""
    folder = save_tiny_em_smallnorb(tmp_path / "models", NAME)
    (folder / "metrics.json").write_text(json.dumps(METRICS))
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(folder.parent))
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path / "data"))
    for cached in (checkpoints.survey, pictures._official):
        cached.clear()
    yield folder
    for cached in (checkpoints.survey, pictures._official):
        cached.clear()


@pytest.fixture
def app(models):
    app = open_app("smallnorb")
    app.query_params["checkpoint"] = NAME
    return app


def views(app):
    """How many views the scrubber walks, 1 where there is none."""
    found = {c["param"]: c["n"] for c in component(app, "scrubber")}
    return found.get("view", 1)


def tables(app):
    """The tables of numbers by name."""
    names = [b.proto.label.removeprefix("CSV, ") for b in app.get("download_button")]
    return dict(zip(names, (table.value for table in app.dataframe), strict=False))


def charts(app):
    """The rows behind each chart, by what a screen reader says."""
    found = [chart.proto for chart in app.get("vega_lite_chart")]
    return {proto.alt: pa.ipc.open_stream(proto.data.data).read_pandas() for proto in found}


def first_view(app):
    return charts(app)[STRIP]["url"].iloc[0]


def device(app):
    return app.selectbox(key="device").value


def press(app, key, value):
    """One of a few options."""
    return app.button_group(key=key).set_value(value).run()


def pick(app, key, value):
    """One of many."""
    return app.selectbox(key=key).set_value(value).run()


def keep(arrays):
    """As measured with the tiny network."""
    return keep_measured("poses", NAME, arrays, zoo.describe(NAME)["config"]["sha256"])


def enter(app, key, value):
    return app.number_input(key=key).set_value(float(value)).run()


# The built-in toys


def test_first_screen(app):
    app.run()
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == NAME
    assert len(app.get("vega_lite_chart")) == CHARTS
    part = int(app.number_input(key="part").value) - 1
    iteration, view = component(app, "scrubber")
    driven = {"label": "Routing iteration", "param": "iteration", "address": "t", "follows": ""}
    assert iteration == {"n": 3, "start": 3, "signals": {"picked": part, "turn": 1}, **driven}
    driven = {"label": "View", "param": "view", "address": "v", "follows": "strip"}
    assert view == {"n": 18, "start": 1, "signals": {}, **driven}
    assert [b.proto.label for b in app.get("download_button")] == LABELS
    assert any("horse, a rendered animal" in caption.value for caption in app.caption)
    assert any("Test accuracy 25.0%" in caption.value for caption in app.caption)


def test_numbers_are_the_model_s(app):
    app.run()
    pair = runs.rendered(0, 0, 0, runs.AZIMUTHS, (50,)).images
    trace = runs.look(NAME, device(app), pair[0]).first(3)
    found = tables(app)
    assert found["classes"]["scores"].to_numpy().tolist() == trace.layers[1]["scores"].ravel().tolist()
    part = int(app.number_input(key="part").value)
    effect = trace.layers[1]["effect"][2, :, trace.probabilities[2].argmax()]
    assert part == abs(effect).argmax() + 1
    places = found["places"]
    assert len(places) == 3 * 9 * 9
    assert places[f"D_use, part {part}"].tolist() == trace.extra["taken_from"][..., part - 1].ravel().tolist()
    sums = places.groupby("iteration")[[f"credit, {c}" for c in trace.classes]].sum().to_numpy()
    np.testing.assert_allclose(sums, trace.layers[1]["scores"], rtol=1e-3, atol=1e-4)
    middle = places.iloc[81 + 9 * 2 + 4]  # iteration 2, third row, fifth column of squares
    assert middle[["iteration", "pixel row", "pixel column"]].tolist() == [2, 14 + 8 * 2, 14 + 8 * 4]


def test_the_poses_are_those_of_every_view(app):
    app.run()
    said, _ = runs.sweep(NAME, device(app), runs.rendered(0, 0, 0, runs.AZIMUTHS, (50,)).images)
    winner = said.probabilities.mean(0).argmax()
    vectors = said.poses[:, winner]
    assert any(f"capsule “{runs.CATEGORIES[winner]}”" in caption.value for caption in app.caption)
    expected = runs.against_the_first(vectors)
    turned = tables(app)["turned"]
    assert turned["azimuth, degrees"].tolist() == np.repeat(runs.AZIMUTHS, 4).tolist()
    for quantity in ("distance", "norm", "cosine"):
        np.testing.assert_allclose(turned[QUANTITIES[quantity]], getattr(expected, quantity).ravel(), rtol=1e-12)
    plane = tables(app)["plane"]
    points = in_a_plane(vectors).points
    np.testing.assert_allclose(plane[["x", "y"]], points.reshape(-1, 2), rtol=1e-4, atol=1e-4)
    assert plane["shade"].tolist() == turned["azimuth, degrees"].tolist()
    for v in range(4):
        shown = charts(app)[f"Pose vector {v + 1}"]
        np.testing.assert_allclose(shown["value"], expected.distance[:, v], rtol=1e-5, atol=1e-6)
        assert set(shown["who"]) == {"this toy"}


def test_every_input_of_a_toy_changes_its_pictures(app):
    app.run()
    assert views(app) == 18
    press(app, "turned", "elevation")
    seen = {first_view(app)}
    changes = [
        lambda: press(app, "category", "car"),
        lambda: enter(app, "toy", 2),
        lambda: enter(app, "light", 3),
        lambda: pick(app, "azimuth", "60°"),
    ]
    for k, change in enumerate(changes, 2):
        change()
        assert not app.exception
        assert views(app) == 9
        seen.add(first_view(app))
        assert len(seen) == k
    assert any("of the test split" in caption.value for caption in app.caption)
    assert tables(app)["turned"]["elevation, degrees"].tolist() == np.repeat(runs.ELEVATIONS, 4).tolist()
    assert charts(app)[STRIP]["name"].tolist() == [f"azimuth 60°, elevation {e}°" for e in runs.ELEVATIONS]


def test_what_is_shown_over_the_picture_can_be_chosen(app):
    app.run()
    part = int(app.number_input(key="part").value)
    press(app, "over", "What a class's score is made of")
    press(app, "class", "truck")
    assert not app.exception
    places = tables(app)["places"]
    shown = charts(app)["What a class's score is made of"]
    np.testing.assert_allclose(shown["value"], places["credit, truck"], rtol=1e-5, atol=1e-7)
    press(app, "over", "What a part takes in")
    other = part % 3 + 1
    enter(app, "part", other)
    shown = charts(app)["What a part takes in"]
    np.testing.assert_allclose(shown["value"], tables(app)["places"][f"D_use, part {other}"], rtol=1e-5)
    assert component(app, "scrubber")[0]["signals"]["picked"] == other - 1


def test_each_quantity_of_a_turn(app):
    app.run()
    for kind in ("norm", "cosine", "distance"):
        press(app, "quantity", kind)
        assert not app.exception
        table = tables(app)["turned"]
        of_third = table[table["pose vector"] == 3][QUANTITIES[kind]]
        np.testing.assert_allclose(charts(app)["Pose vector 3"]["value"], of_third, rtol=1e-5, atol=1e-6)


def test_another_view_shows_its_own_leading_part_and_a_chosen_one_stays(app):
    app.query_params["turned"] = "elevation"
    app.run()
    chosen = int(app.number_input(key="part").value) % 3 + 1
    enter(app, "part", chosen)
    app.slider(key="iterations").set_value(5).run()
    assert app.number_input(key="part").value == chosen
    assert component(app, "scrubber")[0]["n"] == 5
    for key, value in (("view", 4), ("light", 2)):
        chosen = int(app.number_input(key="part").value) % 3 + 1
        enter(app, "part", chosen)
        enter(app, key, value)
        view, light = (int(app.number_input(key=k).value) - 1 for k in ("view", "light"))
        pairs = runs.rendered(0, 0, light, (0,), runs.ELEVATIONS).images
        trace = runs.look(NAME, device(app), pairs[view]).first(3)  # led by the model's own count
        assert app.number_input(key="part").value == runs.leading_part(trace) + 1
    app.number_input(key="part").set_value(None).run()
    assert not app.exception


def test_the_address_sets_every_input(app):
    address = {
        "iterations": "7",
        "category": "airplane",
        "toy": "3",
        "light": "2",
        "turned": "elevation",
        "azimuth": "80°",
        "view": "6",
        "part": "2",
        "over": "What a class's score is made of",
        "class": "human",
        "quantity": "cosine",
    }
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.selectbox(key="azimuth").value == "80°"
    for key in ("toy", "light", "view", "part"):
        assert app.number_input(key=key).value == float(address[key])
    for key in ("category", "turned", "over", "class", "quantity"):
        assert app.button_group(key=key).value == address[key]
    iteration, view = component(app, "scrubber")
    assert (iteration["n"], iteration["signals"]["picked"], view["n"]) == (7, 1, 9)
    routed = f"azimuth 80°, elevation 55° ({runs.TOYS[2][2]}, a rendered airplane)"
    assert any(routed in caption.value for caption in app.caption)
    pair = runs.rendered(2, 2, 1, (80,), runs.ELEVATIONS).images[5]
    scores = runs.look(NAME, device(app), pair).first(7).layers[1]["scores"]
    assert tables(app)["classes"]["scores"].to_numpy().tolist() == scores.ravel().tolist()


@pytest.mark.parametrize("value", ["<script>", "inf", "-inf", "1e400", "nan", "-1", "99999", "", "²"])
def test_nonsense_in_the_address_is_ignored(app, value):
    named = "iterations source category toy light turned elevation azimuth view part over class quantity t v upload"
    for name in named.split():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert views(app) == 18
    assert len(app.get("vega_lite_chart")) == CHARTS


def test_a_checkpoint_that_is_not_there_is_another(app):
    app.query_params["checkpoint"] = "<b>none</b>"
    app.query_params["turned"] = "elevation"
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) >= CHARTS


# smallNORB's own files


def write_official(folder, n_azimuths=18):
    """A human in one light from all azimuths at 30 degrees, and from azimuth 0 at all elevations."""
    folder.mkdir(parents=True)
    seen = [(0, 2 * a) for a in range(n_azimuths)] + [(e, 0) for e in range(1, 9)]
    elevation, azimuth = np.array(seen).T
    n = len(seen)
    order = np.random.default_rng(0).permutation(n)  # the files are in no order of directions
    info = np.stack([np.zeros(n), elevation, azimuth, np.zeros(n)], 1).astype(np.int32)[order]
    images = np.random.default_rng(1).integers(0, 256, (n, 2, 40, 40), np.uint8)
    matrices = {"dat": images, "cat": np.ones(n, np.int32), "info": info}
    for what, matrix in matrices.items():
        binary.write_matrix(folder / f"{smallnorb.TEST}-{what}.mat", matrix)


def test_without_smallnorb_s_files_there_is_one_sentence(app):
    app.query_params["source"] = "smallNORB's files"
    app.run()
    assert not app.exception
    (sentence,) = app.info
    assert "python -m core.datasets smallnorb --download" in sentence.value
    assert not app.get("vega_lite_chart")
    press(app, "source", "Built-in toys")
    assert len(app.get("vega_lite_chart")) == CHARTS


def test_smallnorb_s_files(app, tmp_path):
    write_official(tmp_path / "data" / "smallnorb")
    for name, value in {"source": "smallNORB's files", "category": "human", "elevation": "30°"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == CHARTS
    official, _ = runs.official("test", 1, 0, 0)
    chosen = official.elevation == 30
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat(runs.AZIMUTHS, 4).tolist()
    said, _ = runs.sweep(NAME, device(app), official.images[chosen])
    expected = runs.against_the_first(said.poses[:, said.probabilities.mean(0).argmax()])
    np.testing.assert_allclose(tables(app)["turned"][QUANTITIES["norm"]], expected.norm.ravel(), rtol=1e-12)
    assert any("(human 0 of the test split)" in caption.value for caption in app.caption)
    press(app, "turned", "elevation")
    assert not app.exception
    assert tables(app)["turned"]["elevation, degrees"].tolist() == np.repeat(runs.ELEVATIONS, 4).tolist()
    pick(app, "azimuth", "20°")  # of which there is one view
    assert not app.exception
    assert views(app) == 1
    assert len(app.get("vega_lite_chart")) == UNTURNED


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"azimuth": "80°", "turned": "elevation"}, "no view of this toy from there"),
        ({"light": "2", "elevation": "30°"}, "there is no toy 0 of category 1 in light 1"),
        ({"toy": "2"}, "there is no toy 1 of category 1"),
        ({"toy": "5"}, "-training-dat.mat"),
    ],
)
def test_what_smallnorb_s_files_lack_is_one_sentence(app, tmp_path, inputs, sentence):
    write_official(tmp_path / "data" / "smallnorb", n_azimuths=4)
    for name, value in ({"source": "smallNORB's files", "category": "human"} | inputs).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    (told,) = app.info
    assert sentence in told.value.replace("\\", "")
    assert not app.get("vega_lite_chart")


def test_damaged_files_of_smallnorb_are_one_sentence(app, tmp_path):
    folder = tmp_path / "data" / "smallnorb"
    write_official(folder)
    dat = folder / f"{smallnorb.TEST}-dat.mat"
    dat.write_bytes(dat.read_bytes()[:-1])
    for name, value in {"source": "smallNORB's files", "category": "human"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert len(app.info) == 1


# What was measured on the test toys


def measured(n_categories=5):
    generator = np.random.default_rng(0)
    toys = np.array(list(product(range(5), [0, 1, 2, 3, 5])))
    return {
        "toys": toys,
        "azimuth": generator.normal(size=(25, 18, 4, 4)),
        "elevation": generator.normal(size=(25, 9, 4, 4)),
        "r2_poses": generator.uniform(0, 1, (n_categories, 2)),
        "r2_pixels": generator.uniform(-2, 1, (n_categories, 2)),
        "data": np.array("a *test*"),
    }


@pytest.mark.parametrize("turned", ["azimuth", "elevation"])
def test_measured_poses_stand_beside_this_toy_s(app, turned):
    arrays = measured()
    keep(arrays)
    app.query_params["turned"] = turned
    app.run()
    assert not app.exception
    found = charts(app)
    assert len(found) == CHARTS + 2
    lines = found["Pose vector 2"]
    others = lines[lines["who"] == "toys"]
    expected = runs.against_the_first(arrays[turned]).distance[..., 1]
    np.testing.assert_allclose(others["value"], expected.ravel(), rtol=1e-5, atol=1e-6)
    assert sum(lines["who"] == "this toy") == expected.shape[1]
    for k, column in enumerate(("azimuth", "elevation")):
        shown = found[f"R² of {column}"].set_index(["source", "category"])["R2"]
        for source in ("pose", "pixels"):
            by_category = [shown[source, category] for category in runs.CATEGORIES]
            np.testing.assert_allclose(by_category, arrays[{"pose": "r2_poses", "pixels": "r2_pixels"}[source]][:, k])
    assert any("a \\*test\\*, the test split" in caption.value for caption in app.caption)
    assert not any("core.poses NAME" in caption.value for caption in app.caption)


def of_other_weights(path):
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **arrays | {"sha256": np.array("0" * 64)})


def packed_in_an_unknown_way(path):
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\1\2") + 10] = 99  # the method of the first entry
    path.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(of_other_weights, id="other weights"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:3000]), id="cut"),
        pytest.param(lambda path: path.write_bytes(b"PK\3\4 no archive"), id="no archive"),
        pytest.param(packed_in_an_unknown_way, id="packed in an unknown way"),
    ],
)
def test_poses_that_are_damaged_or_of_other_weights_are_ignored(app, spoil):
    app.query_params["turned"] = "elevation"
    spoil(keep(measured()))
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == CHARTS
    assert set(charts(app)["Pose vector 1"]["who"]) == {"this toy"}
    assert any("core.poses NAME" in caption.value for caption in app.caption)


def test_poses_measured_on_fewer_categories_are_no_fault(app):
    keep(measured(n_categories=3))
    app.query_params["turned"] = "elevation"
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == CHARTS


# Uploads


def png(seed=0, y=96, x=96):
    out = BytesIO()
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (y, x), np.uint8)).save(out, "PNG")
    return out.getvalue()


def archive(members):
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def matrices(tmp_path, instances, azimuths):
    n = len(instances)
    info = np.stack([instances, np.zeros(n), azimuths, np.zeros(n)], 1).astype(np.int32)
    images = np.random.default_rng(0).integers(0, 256, (n, 2, 40, 40), np.uint8)
    files = {}
    for what, matrix in {"dat": images, "cat": np.full(n, 3, np.int32), "info": info}.items():
        binary.write_matrix(tmp_path / "matrix.mat", matrix)
        files[f"my-{what}.mat"] = (tmp_path / "matrix.mat").read_bytes()
    return files


@pytest.fixture
def upload(app):
    app.query_params["source"] = "Your pictures"
    app.run()
    assert [info.value for info in app.info] == ["Nothing is uploaded yet."]

    def upload(files):
        given = [(name, content, "application/octet-stream") for name, content in files.items()]
        app.file_uploader(key="upload").set_value(given).run()
        assert not app.exception
        return app

    return upload


def refused(app):
    """The one sentence that is shown instead of pictures."""
    assert not app.exception
    assert not app.get("vega_lite_chart")
    (sentence,) = [*app.info, *app.warning, *app.error]
    assert "\n" not in sentence.value
    return sentence.value.replace("\\", "")


def scores(app, pair):
    """Whether the table of classes is of this pair."""
    expected = runs.look(NAME, device(app), pair).first(3).layers[1]["scores"]
    return tables(app)["classes"]["scores"].to_numpy().tolist() == expected.ravel().tolist()


def pixels(content):
    return np.asarray(Image.open(BytesIO(content)))


def test_a_pair_is_told_apart_by_its_names(upload):
    right, left = png(1), png(2)
    app = upload({"toy_right.png": right, "toy_left.png": left})
    assert not app.info
    assert not app.warning
    assert views(app) == 1
    assert len(app.get("vega_lite_chart")) == UNTURNED
    assert [b.proto.label for b in app.get("download_button")] == [LABELS[k] for k in (0, 1, 2, 6, 7)]
    assert scores(app, np.stack([pixels(left), pixels(right)]))
    assert any("Routed\\: toy (uploaded)" in caption.value for caption in app.caption)


def test_one_picture_is_for_both_eyes_and_says_so(upload):
    app = upload({"one.png": png(1)})
    assert [w.value for w in app.warning] == ["The view has one picture only, which is shown to both eyes."]
    assert scores(app, np.stack([pixels(png(1))] * 2))


def test_side_by_side(upload):
    both = png(3, x=192)
    app = upload({"both.png": both})
    assert len(app.warning) == 1
    assert "twice as wide as high" in app.warning[0].value
    assert scores(app, np.stack([pixels(both)[:, :96], pixels(both)[:, 96:]]))


def test_a_zip_with_angles_in_its_names_turns(upload):
    azimuths = (40, 0, 100, 20)
    names = {f"cow/az{a:03d}_{eye}.png": (a, eye) for a in azimuths for eye in ("left", "right")}
    app = upload({"cow.zip": archive({name: png(a + (eye == "left")) for name, (a, eye) in names.items()})})
    assert not app.warning
    assert views(app) == 4
    assert len(app.get("vega_lite_chart")) == CHARTS
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat(sorted(azimuths), 4).tolist()
    assert tables(app)["plane"]["shade"].tolist() == np.repeat(sorted(azimuths), 4).tolist()
    enter(app, "view", 3)
    assert scores(app, np.stack([pixels(png(41)), pixels(png(40))]))


def test_a_zip_without_angles_is_a_row_of_views(upload):
    app = upload({"toys.zip": archive({f"{k}_{eye}.png": png(k) for k in range(5) for eye in "lr"})})
    assert not app.warning
    assert views(app) == 5
    assert len(app.get("vega_lite_chart")) == UNTURNED + 1
    assert "turned" not in tables(app)
    assert tables(app)["plane"]["shade"].tolist() == np.repeat(range(1, 6), 4).tolist()


def test_what_does_not_turn_is_chosen(upload):
    members = {f"az{a:03d}_el{e}.png": png(a) for a in (0, 20, 40) for e in (0, 3)}
    app = upload({"all.zip": archive(members | {f"az{a:03d}.png": png(a) for a in (0, 20, 40)})})
    at = app.selectbox(key="at azimuth")
    assert at.options == ["not told", "30°", "45°"]
    at.set_value("45°").run()
    assert not app.exception
    assert charts(app)[STRIP]["name"].tolist() == ["az000_el3", "az020_el3", "az040_el3"]


def test_own_angles_are_not_drawn_over_those_of_the_test_toys(upload):
    keep(measured())
    app = upload({"mine.zip": archive({f"az{10 * k:03d}.png": png(k) for k in range(18)})})
    assert views(app) == 18
    assert set(charts(app)["Pose vector 1"]["who"]) == {"this toy"}
    app = upload({"same.zip": archive({f"az{20 * k:03d}.png": png(k) for k in range(18)})})
    assert set(charts(app)["Pose vector 1"]["who"]) == {"this toy", "toys"}


def test_smallnorb_s_matrices_can_be_uploaded(upload, tmp_path):
    app = upload(matrices(tmp_path, [1] * 4 + [5] * 4, [0, 2, 4, 6] * 2))
    which = app.selectbox(key="which")
    assert which.options == ["truck 1, light 1", "truck 5, light 1"]
    which.set_value(1).run()
    assert not app.exception
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat([0, 20, 40, 60], 4).tolist()
    upload(matrices(tmp_path, [7] * 3, [8, 10, 12]))  # of which there is no second toy
    assert app.selectbox(key="which").options == ["truck 7, light 1"]
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat([80, 100, 120], 4).tolist()


def test_another_upload_shows_its_own_leading_part_and_view(upload):
    app = upload({"toys.zip": archive({f"{k}_{eye}.png": png(k) for k in range(5) for eye in "lr"})})
    enter(app, "view", 5)
    enter(app, "part", int(app.number_input(key="part").value) % 3 + 1)
    upload({"one.png": png(9)})
    assert app.number_input(key="view").value == 1
    trace = runs.look(NAME, device(app), np.stack([pixels(png(9))] * 2)).first(3)
    assert app.number_input(key="part").value == runs.leading_part(trace) + 1


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"text.png": b"hello"}, '"text.png" cannot be read as a picture: PNG or JPEG is wanted.'),
        ({"cut.png": png()[:500]}, '"cut.png" cannot be read as a picture: it is damaged or ends too soon.'),
        ({"dot.png": png(0, 1, 1)}, '"dot.png" is too small: 1 x 1 pixels, where 31 a side are wanted.'),
        ({"empty.png": b""}, '"empty.png" is empty.'),
        ({"out.zip": archive({"../a.png": png()})}, 'holds "../a.png", a name that leads out of the archive.'),
        ({"a.zip": archive({"b.zip": archive({"c.png": png()})})}, "an archive inside the archive"),
        ({"no.zip": archive({"readme/": b""})}, '"no.zip" holds no pictures.'),
        ({"bad.zip": b"PK\3\4" + b"x" * 99}, '"bad.zip" cannot be read as a zip archive'),
        ({"m.mat": b"\x55\x4c\x3d\x1e" + b"\xff" * 40}, '"m.mat" says that it has'),
        ({"m.mat.gz": b"\x1f\x8b" + b"x" * 40}, '"m.mat.gz" cannot be read as a matrix'),
        ({"a.png": png(), "m.mat": b"\x55\x4c\x3d\x1e" + b"\xff" * 40}, "Matrices and pictures are not read together"),
        ({f"{k}.png": png(k) for k in (0, 0, 1)} | {"0.jpg": png(2), "0.jpeg": png(3)}, "cannot be told apart"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_hostile_file_is_one_sentence(upload, files, sentence):
    assert sentence in refused(upload(files))


def test_after_a_refusal_a_good_picture_is_shown(upload):
    refused(upload({"text.png": b"hello"}))
    assert len(upload({"one.png": png()}).get("vega_lite_chart")) == UNTURNED


NAMES = [
    "**b** [a](http:x) $x^2$ `c`",
    "<img src=x onerror=alert(1)>",
    ":material/home: :red[c]",
    "# ~~x~~ | y",
    "WWW.example.com",
    "me@example.com",
]


def read_out(text):
    """Without what keeps it from being Markdown."""
    return re.sub(r"[\\\u2060]", "", text)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_are_text(upload, name):
    app = upload({f"{name}.png": png()})
    assert not any(name in shown for shown in shown_as_markdown(app))
    assert any(name in read_out(shown) for shown in shown_as_markdown(app))
    sentence = upload({f"{name}.png": b"no picture"}).info[0].value
    assert name not in sentence
    assert name in read_out(sentence)
