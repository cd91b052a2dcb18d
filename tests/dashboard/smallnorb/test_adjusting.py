"""Uploaded pictures: how they were read, how the user adjusts them, samples, and distance from the training pairs."""

import io

import numpy as np
import pytest
from PIL import Image

from core.analysis.novelty import summarize
from core.measured import store
from core.measured.features import pooled_features
from core.zoo import describe, load
from dashboard.figures.pictures import png as url_of
from dashboard.pages.smallnorb.adjusting import UNCHANGED
from dashboard.runs import pictures as picture_runs
from tests import hostile_files
from tests.core.pictures import files
from tests.dashboard.app import component, tables
from tests.dashboard.smallnorb.shown import (
    CHARTS,
    NAME,
    SINGLE_VIEW_CHARTS,
    count_views,
    first_view,
    pixels,
    png,
    see,
    shows_scores,
    titles,
)


def captions(app):
    return [caption.value.replace("\\", "") for caption in app.caption]


def reading(app):
    """The text on how the routed view was read."""
    (sentence,) = [caption for caption in captions(app) if " pixels" in caption]
    return sentence


def adjust(app, key, value):
    (app.toggle if key == "inverted" else app.slider)(key=key).set_value(value).run()
    assert not app.exception


def how_read(app):
    """The start of that text, up to its first full stop."""
    return reading(app).split(". ")[0].removesuffix(".")


def test_the_page_says_how_a_picture_was_read(upload):
    assert how_read(upload({"a.png": png(1)})) == "a: 96 x 96 pixels; one picture for both eyes"
    pair = {"a_left.png": png(1, 60, 150), "a_right.png": png(2, 60, 150)}
    eyes = 'left eye "a_left.png", right eye "a_right.png"'
    assert how_read(upload(pair)) == f"a: 150 x 60 pixels, made square and resized to 96 x 96; {eyes}"


def test_sliders_crop_level_and_invert(upload):
    app = upload({"a.png": png(1)})
    adjust(app, "across", (0, 75))
    adjust(app, "down", (25, 100))
    assert reading(app).startswith("a: 96 x 96 pixels, cropped to 72 x 72;")
    cropped = pixels(png(1))[24:, :72]
    assert shows_scores(app, np.stack([cropped] * 2))
    adjust(app, "inverted", True)
    assert shows_scores(app, np.stack([255 - cropped] * 2))
    adjust(app, "levels", (0, 51))
    assert shows_scores(app, np.stack([255 - np.minimum(cropped.astype(int) * 5, 255).astype(np.uint8)] * 2))
    (crop,) = component(app, "crop")
    assert (crop["across"], crop["down"]) == ([0, 75], [25, 100])
    app.session_state["levels"] = 255  # one number for both ends, as a program may send
    assert not app.run().exception


def test_the_crop_shows_the_picture_that_the_slider_chooses(upload):
    app = upload({f"{name}.png": png(k) for k, name in enumerate("abcd")})
    for view in (1, 3):
        see(app, view)
        (crop,) = component(app, "crop")
        assert crop["url"] == url_of(
            np.asarray(Image.fromarray(pixels(png(view - 1))).resize((320, 320), Image.Resampling.BICUBIC))
        )


def test_undo_and_another_upload_reset_the_adjustments(upload):
    app = upload({"a.png": png(1)})
    adjust(app, "across", (10, 90))
    next(button for button in app.button if button.label == "Undo all").click().run()
    assert shows_scores(app, np.stack([pixels(png(1))] * 2))
    adjust(app, "inverted", True)
    app = upload({"b.png": png(2)})
    assert {key: app.session_state[key] for key in UNCHANGED} == UNCHANGED
    assert shows_scores(app, np.stack([pixels(png(2))] * 2))


def test_a_crop_too_small_gives_one_sentence_and_can_be_undone(upload):
    app = upload({"a.png": png(1)})
    adjust(app, "across", (40, 40))
    (sentence,) = app.info
    assert "is too small: 1 x 96 pixels" in sentence.value.replace("\\", "")
    adjust(app, "across", (0, 100))
    assert titles(app) == SINGLE_VIEW_CHARTS


def test_a_refused_picture_cannot_be_adjusted(upload):
    app = upload({"a.png": b"no picture"})
    assert not component(app, "crop")


@pytest.mark.parametrize(("sample", "n_views"), [("One picture", 1), ("A pair", 1), ("A zip that turns", 9)])
def test_samples_are_read_as_uploads(app, sample, n_views):
    app.query_params.update({"source": "Your pictures", "sample": sample})
    app.run()
    assert not app.exception
    assert count_views(app) == n_views
    assert titles(app) == (CHARTS if n_views > 1 else SINGLE_VIEW_CHARTS)
    expected = {
        "One picture": "car: 320 x 240 pixels, made grey, made square and resized to 96 x 96; one picture for both "
        "eyes",
        "A pair": 'airplane: 96 x 96 pixels; left eye "airplane_left.png", right eye "airplane_right.png"',
        "A zip that turns": 'az000: 96 x 96 pixels; left eye "az000_left.png", right eye "az000_right.png"',
    }
    assert how_read(app) == expected[sample]
    if n_views > 1:
        assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat(range(0, 360, 40), 4).tolist()


def test_an_upload_replaces_a_sample(app):
    app.query_params.update({"source": "Your pictures", "sample": "A pair"})
    app.run()
    before = first_view(app)
    app.file_uploader(key="upload").set_value([("mine.png", png(), "image/png")]).run()
    assert first_view(app) != before
    assert reading(app).startswith("mine: ")


def test_the_page_says_how_unusual_a_picture_is(upload):
    network = load(NAME, "cpu")
    usual = np.random.default_rng(0).integers(0, 256, (40, 2, 96, 96)).astype(np.uint8)
    arrays = summarize(pooled_features(network, usual))._asdict()
    store.save("features", NAME, arrays | {"data": np.array("40 *noisy* pairs")}, describe(NAME).sha256)
    assert "By its features, it is more unusual than" in reading(upload({"noise.png": png(1)}))
    app = upload({"stripes.png": stripes()})
    assert "By its features, it is more unusual than 100% of the training pairs." in reading(app)
    (help,) = [caption.help for caption in app.caption if caption.help and "compared with" in caption.help]
    assert "compared with 40 \\*noisy\\* pairs" in help
    assert "does not say whether the class is right" in help


def test_without_own_features_a_picture_is_compared_by_shipped_ones(upload):
    assert "of the training pairs of em-smallnorb." in reading(upload({"noise.png": png(1)}))


def stripes():
    """A picture whose rows are black and white in turn."""
    return files.png(np.tile(np.uint8([[0], [255]]), (48, 96)))


@pytest.mark.parametrize("name", ["narrow.png", "wide.png"])
def test_a_line_of_pixels_can_be_adjusted(name):
    file = io.BytesIO(hostile_files.PICTURES[name]())
    file.name = file.file_id = name
    assert sorted(picture_runs.picture_to_adjust([file]).shape) == [1, 320]
