"""Uploads."""

import re
import zipfile
from io import BytesIO

import numpy as np
import pytest

from core.datasets import binary
from dashboard.runs import pictures as picture_runs
from tests.dashboard.app import shown_as_markdown, tables
from tests.dashboard.smallnorb.shown import (
    CHARTS,
    FIRST,
    NAME,
    OF_A_VIEW,
    OVER_ITERATIONS,
    PARTS,
    PLANE,
    STRIP,
    chart,
    device,
    enter,
    keep,
    measured,
    pick,
    pixels,
    png,
    scores,
    titles,
    views,
)

TABLES = ("classes", "places", "views", "plane", "space", "pose vectors", "turned")
PICTURES = ["SVG", "PDF", "PNG, 300 dpi", "HTML"]
ALL_TABLES = [f"CSV, {name}" for name in TABLES]


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


def refused(app):
    """The one sentence that is shown instead of pictures."""
    assert not app.exception
    assert not app.get("vega_lite_chart")
    (sentence,) = [*app.info, *app.warning, *app.error]
    assert "\n" not in sentence.value
    return sentence.value.replace("\\", "")


def test_a_pair_is_told_apart_by_its_names(upload):
    right, left = png(1), png(2)
    app = upload({"toy_right.png": right, "toy_left.png": left})
    assert not app.info
    assert not app.warning
    assert views(app) == 1
    assert titles(app) == OF_A_VIEW
    assert list(tables(app)) == ["classes", "places", "views"]
    assert scores(app, np.stack([pixels(left), pixels(right)]))
    assert any("Routed\\: toy (uploaded)" in caption.value for caption in app.caption)


def test_of_uploaded_pictures_there_is_no_notebook(upload):
    app = upload({"one.png": png(1)})
    assert exported(app) == [*PICTURES, *ALL_TABLES[:3], "JSON", "npz"]
    pick(app, "source", "Built-in toys")
    assert exported(app) == [*PICTURES, "HTML, space", *ALL_TABLES, "JSON", "npz", "Notebook"]


def exported(app):
    """The buttons of the export menu."""
    app.session_state["export"] = True
    return [button.proto.label for button in app.run().get("download_button")]


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
    assert titles(app) == CHARTS
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat(sorted(azimuths), 4).tolist()
    assert tables(app)["plane"]["shade"].tolist() == np.repeat(sorted(azimuths), 4).tolist()
    enter(app, "view", 3)
    assert scores(app, np.stack([pixels(png(41)), pixels(png(40))]))


def test_a_zip_without_angles_is_a_row_of_views(upload):
    app = upload({"toys.zip": archive({f"{k}_{eye}.png": png(k) for k in range(5) for eye in "lr"})})
    assert not app.warning
    assert views(app) == 5
    assert titles(app) == [*FIRST, PARTS, PLANE, *OVER_ITERATIONS]
    assert "turned" not in tables(app)
    assert tables(app)["plane"]["shade"].tolist() == np.repeat(range(1, 6), 4).tolist()


def test_what_does_not_turn_is_chosen(upload):
    members = {f"az{a:03d}_el{e}.png": png(a) for a in (0, 20, 40) for e in (0, 3)}
    app = upload({"all.zip": archive(members | {f"az{a:03d}.png": png(a) for a in (0, 20, 40)})})
    at = app.selectbox(key="at azimuth")
    assert at.options == ["unknown", "30°", "45°"]
    at.set_value("45°").run()
    assert not app.exception
    assert chart(app, STRIP)["name"].tolist() == ["az000_el3", "az020_el3", "az040_el3"]


def test_own_angles_are_not_drawn_over_those_of_the_test_toys(upload):
    keep(measured())
    app = upload({"mine.zip": archive({f"az{10 * k:03d}.png": png(k) for k in range(18)})})
    assert views(app) == 18
    assert set(chart(app, "Pose vector 1")["who"]) == {"this toy"}
    app = upload({"same.zip": archive({f"az{20 * k:03d}.png": png(k) for k in range(18)})})
    assert set(chart(app, "Pose vector 1")["who"]) == {"this toy", "toys"}


def test_smallnorb_s_matrices_can_be_uploaded(upload, tmp_path):
    app = upload(matrices(tmp_path, [1] * 4 + [5] * 4, [0, 2, 4, 6] * 2))
    which = app.selectbox(key="which")
    assert which.options == ["truck 2, light 1", "truck 6, light 1"]
    which.set_value(1).run()
    assert not app.exception
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat([0, 20, 40, 60], 4).tolist()
    upload(matrices(tmp_path, [7] * 3, [8, 10, 12]))  # a file without a second toy
    assert app.selectbox(key="which").options == ["truck 8, light 1"]
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat([80, 100, 120], 4).tolist()


def test_another_upload_shows_its_own_leading_part_and_view(upload):
    app = upload({"toys.zip": archive({f"{k}_{eye}.png": png(k) for k in range(5) for eye in "lr"})})
    enter(app, "view", 5)
    enter(app, "part", int(app.number_input(key="part").value) % 3 + 1)
    upload({"one.png": png(9)})
    assert app.number_input(key="view").value == 1
    trace = picture_runs.run_pair(NAME, device(app), np.stack([pixels(png(9))] * 2)).first(3)
    assert app.number_input(key="part").value == trace.leading_part + 1


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
        ({"a.png": png(), "m.mat": b"\x55\x4c\x3d\x1e" + b"\xff" * 40}, "Give either matrices or pictures"),
        (
            {f"{k}.png": png(k) for k in (0, 0, 1)} | {"0.jpg": png(2), "0.jpeg": png(3)},
            "it is not clear which is the left",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_hostile_file_is_one_sentence(upload, files, sentence):
    assert sentence in refused(upload(files))


def test_after_a_refusal_a_good_picture_is_shown(upload):
    refused(upload({"text.png": b"hello"}))
    assert titles(upload({"one.png": png()})) == OF_A_VIEW


NAMES = [
    "**b** [a](http:x) $x^2$ `c`",
    "<img src=x onerror=alert(1)>",
    ":material/home: :red[c]",
    "# ~~x~~ | y",
    "WWW.example.com",
    "me@example.com",
]


def read_out(text):
    """The text without the characters that keep it from being Markdown."""
    return re.sub(r"[\\\u2060]", "", text)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_are_text(upload, name):
    app = upload({f"{name}.png": png()})
    assert not any(name in shown for shown in shown_as_markdown(app))
    assert any(name in read_out(shown) for shown in shown_as_markdown(app))
    sentence = upload({f"{name}.png": b"no picture"}).info[0].value
    assert name not in sentence
    assert name in read_out(sentence)
