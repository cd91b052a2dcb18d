"""Uploads to the smallNORB page: pictures, archives, matrices, and hostile files."""

import re
import zipfile
from io import BytesIO

import numpy as np
import pytest

from core.datasets import binary
from dashboard.runs import pictures as picture_runs
from tests.dashboard.app import CITED, component, download_labels, open_app, shown_as_markdown, tables
from tests.dashboard.smallnorb.shown import (
    CHARTS,
    FIRST_CHARTS,
    MAP,
    NAME,
    OVER_ITERATIONS,
    PARTS,
    PLANE,
    SINGLE_VIEW_CHARTS,
    STRIP,
    chart,
    count_views,
    device,
    enter,
    pick,
    pixels,
    png,
    press,
    random_poses,
    save_measured,
    see,
    shows_scores,
    titles,
)

TABLES = ("classes", "places", "views", "plane", "space", "pose vectors", "turned")
PICTURES = ["SVG", "PDF", "PNG, 300 dpi", "HTML"]
ALL_TABLES = [f"CSV, {name}" for name in TABLES]


def archive(members):
    """A zip archive of these files."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def matrices(tmp_path, instances, azimuths):
    """smallNORB's matrices with random pictures of trucks from these azimuths."""
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


def test_file_names_tell_which_picture_is_for_which_eye(upload):
    right, left = png(1), png(2)
    app = upload({"toy_right.png": right, "toy_left.png": left})
    assert not app.info
    assert not app.warning
    assert count_views(app) == 1
    assert titles(app) == SINGLE_VIEW_CHARTS
    assert list(tables(app)) == ["classes", "places", "views"]
    assert shows_scores(app, np.stack([pixels(left), pixels(right)]))
    assert any("Routed\\: toy (uploaded)" in caption.value for caption in app.caption)


def test_no_heading_is_without_a_section_before_an_upload(upload):
    app = upload({"one.png": png(1)})
    assert not app.header
    app.file_uploader(key="upload").set_value([]).run()
    assert not app.header


def test_uploaded_pictures_have_no_notebook(upload):
    app = upload({"one.png": png(1)})
    assert download_labels(app) == [*PICTURES, *ALL_TABLES[:3], "JSON", "npz", *CITED]
    pick(app, "source", "Built-in toys")
    assert download_labels(app) == [*PICTURES, *ALL_TABLES, "JSON", "npz", "Notebook", *CITED]


def test_a_warning_says_that_one_picture_is_for_both_eyes(upload):
    app = upload({"one.png": png(1)})
    assert [w.value for w in app.warning] == ["The view has one picture only, which is shown to both eyes."]
    assert shows_scores(app, np.stack([pixels(png(1))] * 2))


def test_a_picture_twice_as_wide_as_high_is_split_into_a_pair(upload):
    both = png(3, x=192)
    app = upload({"both.png": both})
    assert len(app.warning) == 1
    assert "twice as wide as high" in app.warning[0].value
    assert shows_scores(app, np.stack([pixels(both)[:, :96], pixels(both)[:, 96:]]))


def test_a_zip_with_angles_in_its_names_turns(upload):
    azimuths = (40, 0, 100, 20)
    names = {f"cow/az{a:03d}_{eye}.png": (a, eye) for a in azimuths for eye in ("left", "right")}
    app = upload({"cow.zip": archive({name: png(a + (eye == "left")) for name, (a, eye) in names.items()})})
    assert not app.warning
    assert count_views(app) == 4
    assert titles(app) == CHARTS
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat(sorted(azimuths), 4).tolist()
    assert tables(app)["plane"]["shade"].tolist() == np.repeat(sorted(azimuths), 4).tolist()
    see(app, 3)
    assert shows_scores(app, np.stack([pixels(png(41)), pixels(png(40))]))


def test_a_pair_that_shows_no_toy_is_doubted_after_its_name(upload):
    app = upload({"noise.png": png()})
    (verdict,) = component(app, "verdict")
    warning, reason = verdict["doubt"]
    assert warning == "Do not trust the name."
    assert "no single toy on a plain ground" in reason


def test_an_upload_page_names_no_network_that_is_not_chosen():
    app = open_app("smallnorb")
    app.query_params.update({"checkpoint": "em-smallnorb-views", "source": "Your pictures"})
    for sample in ("", "A pair"):
        app.query_params["sample"] = sample
        app.run()
        assert not app.exception
        shown = [text.replace("\\", "") for text in shown_as_markdown(app)]
        assert not any(re.search(r"\bem-smallnorb\b(?!-)", text) for text in shown)


def _pair(seed):
    """The pixels of a picture for both eyes."""
    return np.stack([pixels(png(seed))] * 2)


def _words_for_a_picture(app):
    """The label of the slider over the pictures, the text of its button, and the note below the last one's classes."""
    (slider,) = [slider for slider in component(app, "scrubber") if slider["param"] == "view"]
    return slider["label"], slider["play"], component(app, "verdict")[0]["kept"]["notes"][-1]


def test_pictures_without_angles_are_separate_or_views_of_one_toy(upload):
    app = upload({"toys.zip": archive({f"{k}_{eye}.png": png(k) for k in range(5) for eye in "lr"})})
    assert not app.warning
    assert count_views(app) == 5
    assert _words_for_a_picture(app) == ("Picture", "Browse", "Picture 5 of 5, after 3 iterations.")
    assert titles(app) == SINGLE_VIEW_CHARTS  # they may be of several toys, and then have no path
    (names,) = [text.value for text in app.markdown if text.value.startswith("| picture | named")]
    probabilities = picture_runs.class_capsules(NAME, device(app), np.stack([_pair(k) for k in range(5)]))[
        0
    ].probabilities
    rows = [line.split(" | ") for line in names.splitlines()[2:]]
    classes = [app.selectbox(key="class").options[k] for k in probabilities.argmax(1)]
    assert [row[1] for row in rows] == classes
    assert [row[2].rstrip(" |") for row in rows] == [f"{share:.1%}" for share in probabilities.max(1)]
    press(app, "these", "Views of one toy")
    assert _words_for_a_picture(app) == ("View", "Browse", "View 5 of 5, after 3 iterations.")
    assert titles(app) == [MAP, *FIRST_CHARTS, PARTS, PLANE, *OVER_ITERATIONS]
    assert "turned" not in tables(app)
    assert tables(app)["plane"]["shade"].tolist() == np.repeat(range(1, 6), 4).tolist()


def test_only_angles_of_file_names_are_aligned_with_the_pose():
    app = open_app("smallnorb")
    app.query_params.update({"checkpoint": "em-smallnorb-views", "source": "Your pictures"})
    app.query_params["sample"] = "A zip that turns"
    for is_upload in (True, False):
        app.run()
        assert not app.exception
        (turning,) = [finding for finding in component(app, "finding") if finding["param"] == "view"]
        said = ["the true angles come from the file names" in sentence for sentence in turning["sentences"]]
        assert set(said) == {is_upload}
        app.selectbox(key="source").set_value("Built-in toys")


def test_the_angle_that_does_not_turn_can_be_chosen(upload):
    members = {f"az{a:03d}_el{e}.png": png(a) for a in (0, 20, 40) for e in (0, 3)}
    app = upload({"all.zip": archive(members | {f"az{a:03d}.png": png(a) for a in (0, 20, 40)})})
    at = app.selectbox(key="at azimuth")
    assert at.options == ["unknown", "30°", "45°"]
    at.set_value("45°").run()
    assert not app.exception
    assert chart(app, STRIP)["name"].tolist() == ["az000_el3", "az020_el3", "az040_el3"]


def test_measured_toys_are_drawn_only_at_the_upload_s_angles(upload):
    save_measured(random_poses())
    app = upload({"mine.zip": archive({f"az{10 * k:03d}.png": png(k) for k in range(18)})})
    assert count_views(app) == 18
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
    see(app, 5)
    enter(app, "part", int(app.number_input(key="part").value) % 3 + 1)
    upload({"one.png": png(9)})
    assert count_views(app) == 1
    trace = picture_runs.run_pair(NAME, device(app), np.stack([pixels(png(9))] * 2)).first(3)
    assert app.number_input(key="part").value == trace.leading_part + 1


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"text.png": b"hello"}, '"text.png" cannot be read as a picture: PNG, JPEG, WebP, GIF or HEIC is wanted.'),
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
def test_a_hostile_file_gives_one_sentence(upload, files, sentence):
    assert sentence in refused(upload(files))


def test_after_a_refusal_a_good_picture_is_shown(upload):
    refused(upload({"text.png": b"hello"}))
    assert titles(upload({"one.png": png()})) == SINGLE_VIEW_CHARTS


MARKUP_NAMES = [
    "**b** [a](http:x) $x^2$ `c`",
    "<img src=x onerror=alert(1)>",
    ":material/home: :red[c]",
    "# ~~x~~ | y",
    "WWW.example.com",
    "me@example.com",
]


def unescaped(text):
    """The text without the characters that keep it from being Markdown."""
    return re.sub(r"[\\\u2060]", "", text)


@pytest.mark.parametrize("name", MARKUP_NAMES)
def test_names_of_files_are_text(upload, name):
    app = upload({f"{name}.png": png()})
    assert not any(name in shown for shown in shown_as_markdown(app))
    assert any(name in unescaped(shown) for shown in shown_as_markdown(app))
    sentence = upload({f"{name}.png": b"no picture"}).info[0].value
    assert name not in sentence
    assert name in unescaped(sentence)
