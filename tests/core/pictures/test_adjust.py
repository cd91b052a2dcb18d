"""Pictures that a user crops, levels and inverts before they are read."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from core import pictures
from core.pictures import Adjustment
from tests.core.pictures.files import archive, as_files, noise, png


def read(files, **adjustment):
    return pictures.read(as_files(files), adjustment=Adjustment(**adjustment))


def test_crop_then_levels_then_invert_by_hand():
    picture = np.array([[0, 50, 100, 150], [10, 60, 110, 160]], np.uint8)
    assert Adjustment().apply(picture).tolist() == picture.tolist()
    assert Adjustment(across=(0.25, 0.75)).apply(picture).tolist() == [[50, 100], [60, 110]]
    assert Adjustment(down=(0.5, 1)).apply(picture).tolist() == [[10, 60, 110, 160]]
    assert Adjustment(black=50, white=101).apply(picture).tolist() == [[0, 0, 250, 255], [0, 50, 255, 255]]
    assert Adjustment(is_inverted=True).apply(picture).tolist() == [[255, 205, 155, 105], [245, 195, 145, 95]]
    everything = Adjustment((0, 0.5), (0, 0.5), 0, 51, is_inverted=True)
    assert everything.apply(picture).tolist() == [[255, 5]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"across": (0.5, 0.5)},
        {"down": (0.8, 0.2)},
        {"across": (-0.1, 1)},
        {"across": (0, float("nan"))},
        {"black": 90, "white": 90},
        {"white": 256},
    ],
)
def test_edges_and_greys_are_checked(wrong):
    with pytest.raises(ValueError, match="wanted two"):
        Adjustment(**wrong)


def test_both_eyes_are_cropped_alike():
    left, right = noise(seed=1), noise(seed=2)
    actual = read({"a_l.png": png(left), "a_r.png": png(right)}, across=(0, 0.875), down=(0.125, 1))
    np.testing.assert_array_equal(actual.images[0], [left[12:, :84], right[12:, :84]])
    assert actual.how == ('96 x 96 pixels, cropped to 84 x 84; left eye "a_l.png", right eye "a_r.png"',)


def test_each_half_of_a_picture_side_by_side_is_cropped():
    both = noise(96, 192)
    actual = read({"both.png": png(both)}, across=(0.125, 1))
    assert actual.how == ("96 x 96 pixels, cropped to 84 x 96; its halves for the two eyes",)
    np.testing.assert_array_equal(actual.images[0], [both[:, 12:96], both[:, 108:]])


def test_a_sentence_states_how_a_colour_picture_was_read():
    content = png(Image.fromarray(np.zeros((200, 300, 3), np.uint8)))
    actual = read({"a.png": content}, across=(0, 0.5), black=10, white=200, is_inverted=True)
    assert actual.how == (
        "300 x 200 pixels, made grey, cropped to 150 x 200, levels 10 to 200 spread, inverted, made square and resized "
        "to 96 x 96; one picture for both eyes",
    )


def test_every_view_of_an_archive_is_adjusted():
    files = {"toy.zip": archive({f"az{a:03d}.png": png(noise(seed=a)) for a in (0, 20)})}
    actual = read(files, is_inverted=True)
    np.testing.assert_array_equal(actual.images[1, 0], 255 - noise(seed=20))
    assert len(actual.how) == 2


def test_a_crop_that_is_too_small_is_refused():
    with pytest.raises(ValueError, match=r'"a.png" is too small: 19 x 96 pixels, where 31 a side are wanted'):
        read({"a.png": png()}, across=(0.2, 0.4))
    with pytest.raises(ValueError, match="is too small: 0 x 96 pixels"):
        read({"a.png": png()}, across=(0.2, 0.201))


def test_the_left_picture_of_a_view_is_adjusted():
    left = noise(60, 70, seed=1)
    members = {"az020.png": png(noise(seed=2)), "az000_r.png": png(noise(60, 70)), "az000_l.png": png(left)}
    files = {"toy.zip": archive(members)}
    for name, expected in {"": left, "az000": left, "az020": noise(seed=2), "none": left}.items():
        np.testing.assert_array_equal(pictures.left_picture(as_files(files), name), expected)
    np.testing.assert_array_equal(
        pictures.left_picture(as_files({"both.png": png(noise(96, 192))})), noise(96, 192)[:, :96]
    )
    with pytest.raises(ValueError, match="Matrices have no picture to adjust"):
        pictures.left_picture([("a.mat", BytesIO(b"\x55\x4c\x3d\x1e"))])
