"""Pictures that are accepted, and how they become stereo pairs."""

from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from core.pictures import MAX_VIEWS, left_picture, names
from tests.core.pictures.files import archive, noise, png, read


@pytest.mark.parametrize(
    ("first", "second", "is_swapped"),
    [
        ("toy_left.png", "toy_right.png", False),
        ("toy_right.png", "toy_left.png", True),
        ("07_rt.png", "07_lt.png", True),
        ("R.png", "L.png", True),
        ("right.png", "other.png", True),
        ("a.png", "Left eye.png", True),
    ],
)
def test_a_pair_is_left_first_unless_its_names_say_otherwise(first, second, is_swapped):
    one, other = noise(seed=1), noise(seed=2)
    pairs = read({first: png(one), second: png(other)})
    np.testing.assert_array_equal(pairs.images[0], [other, one] if is_swapped else [one, other])
    assert pairs.notices == ()
    assert len(pairs) == len(pairs.names) == 1
    assert np.isnan([pairs.azimuth, pairs.elevation]).all()


def test_a_pair_without_marks_keeps_its_order_with_a_notice():
    first, second = noise(seed=1), noise(seed=2)
    pairs = read({"r2d2.png": png(first), "bright.png": png(second)})
    np.testing.assert_array_equal(pairs.images[0], [first, second])
    (notice,) = pairs.notices
    assert notice.startswith("Neither name says which eye it is")


def test_files_that_are_no_pictures_are_left_out_with_a_notice():
    views = {f"toy_az{k:03}.png": png(noise(seed=k)) for k in (0, 20, 40)}
    others = {"notes.txt": b"hello", "toy_az060.png": png()[:500], "anim.gif": b"GIF89a", "last.webp": b"RIFF"}
    for files in ({"views.zip": archive(views | others)}, views | others):
        pairs = read(files)
        assert pairs.azimuth.tolist() == [0, 20, 40]
        notice = next(notice for notice in pairs.notices if notice.startswith("Left out: "))
        assert '"notes.txt" cannot be read as a picture: PNG, JPEG, WebP, GIF or HEIC is wanted.' in notice
        assert notice.endswith(" And 1 more.")
    first = left_picture([("views.zip", BytesIO(archive({"a.txt": b"hello"} | views)))])
    np.testing.assert_array_equal(first, noise(seed=0))


HEIC = """
AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAU5tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAA
AAAERAAAEAAQAAAAABcgABAAAAAAAAAE4AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAAzmlwcnAA
AACvaXBjbwAAAHJodmNDAQQIAAAAn/gAAAAAHvAA/Pz4+AAADwNgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAYQABACZCAQEECAAAAwCf+A
AAAwAAHsDCBhZbqSSmubAgAAADAyAAAAMAIWIAAQAHRAHBcrAiQAAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABgAAAAYAAAAA5w
aXhpAAAAAAEIAAAAF2lwbWEAAAAAAAAAAQABBIECAwQAAABWbWRhdAAAAEooAa4TwOLozP/8+z/4HYh564di+ATthp+xipo4s0fwjD6dkILMjr
tOV/LBtv703YQrcE8ylRe/mzT/LAJCccYrifwewBrBR5ekMA==
"""  # 96 x 96 pixels: eight columns of grey, from 0 to 210


@pytest.mark.parametrize("form", ["GIF", "WEBP", "HEIF"])
def test_other_formats_are_read(form):
    picture = np.repeat(np.repeat(np.arange(0, 240, 30, dtype=np.uint8)[None], 12, 1), 96, 0)
    content = b64decode(HEIC) if form == "HEIF" else png(picture, form)
    (pair,) = read({"toy.bin": content}).images
    assert np.abs(pair.astype(int) - picture).max() <= 12  # compression


@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA", "P", "I;16"])
def test_a_large_picture_is_read_at_half_its_size(mode):
    grey = np.repeat(np.linspace(0, 250, 48, dtype=np.uint8)[None], 48, 0)
    large = np.repeat(np.repeat(grey, 90, 0), 90, 1)
    picture = Image.fromarray(large.astype(np.uint16) * 257) if mode == "I;16" else Image.fromarray(large).convert(mode)
    picture.info["exif"] = turned = Image.Exif()
    turned[0x0112] = 3  # upside down
    pairs = read({"toy.png": png(picture, exif=turned)})
    assert np.abs(pairs.images[0, 0].astype(int) - np.repeat(np.repeat(grey[::-1, ::-1], 2, 0), 2, 1)).max() <= 6
    assert pairs.how[0].startswith("2160 x 2160 pixels, half of its size")


def test_a_small_picture_among_others_is_left_out_by_name():
    pairs = read({"views.zip": archive({"a.png": png(), "b.png": png(noise(20, 20))})})
    assert len(pairs) == 1
    assert '"b.png" is too small' in pairs.notices[0]


def test_two_left_eyes_are_refused():
    with pytest.raises(ValueError, match=r'"a_l.png", "b_l.png": it is not clear which is the left'):
        read({"a_l.png": png(), "b_l.png": png()})


def test_pictures_side_by_side_are_cut():
    both = noise(96, 193)
    pairs = read({"both.png": png(both)})
    np.testing.assert_array_equal(pairs.images[0], [both[:, :96], both[:, 97:]])
    assert pairs.names == ("both",)
    assert pairs.notices == ("The picture is twice as wide as high and taken for both eyes side by side.",)
    assert read({"wide.png": png(noise(96, 200))}).notices[0].startswith("The view has one picture only")


def test_one_picture_is_shown_to_both_eyes():
    pairs = read({"toy.png": png()})
    np.testing.assert_array_equal(pairs.images, np.stack([noise(), noise()])[None])
    assert pairs.notices == ("The view has one picture only, which is shown to both eyes.",)


VIEWS = {
    "t/az020_l.png": noise(seed=1),
    "t/az020_r.png": noise(seed=2),
    "t/az100_el03.png": noise(96, 192, seed=3),
    "t/azimuth9-elevation45.png": noise(seed=4),
}


@pytest.mark.parametrize("is_loose", [False, True])
def test_names_sort_pictures_into_views(is_loose):
    files = {name: png(picture) for name, picture in VIEWS.items()}
    litter = {"t/": b"", "__MACOSX/t/._az020_l.png": b"x", "t/.DS_Store": b"x"}
    pairs = read(files if is_loose else {"views.zip": archive(litter | files)})
    assert pairs.names == ("t/az020", "t/az100_el03", "t/azimuth9-elevation45")
    np.testing.assert_array_equal(pairs.azimuth, [20, 100, 9])
    np.testing.assert_array_equal(pairs.elevation, [np.nan, 45, 45])
    left, right, both, single = VIEWS.values()
    expected = [[left, right], [both[:, :96], both[:, 96:]], [single, single]]
    np.testing.assert_array_equal(pairs.images, expected)
    assert pairs.notices == (
        "1 of 3 pictures are twice as wide as high and taken for both eyes side by side.",
        "1 of 3 views have one picture only, which is shown to both eyes.",
    )


def test_folders_name_the_eyes_and_numbers_order_the_views():
    files = {f"{eye}/{k}.png": png(noise(seed=k)) for eye in ("right", "left") for k in (10, 9, 1)}
    pairs = read({"views.zip": archive(files)})
    assert pairs.names == ("1", "9", "10")
    np.testing.assert_array_equal(pairs.images[1], [noise(seed=9)] * 2)
    assert pairs.notices == ()


def test_two_files_of_two_directions_are_two_views():
    assert len(read({"az000.png": png(), "az020.png": png()})) == 2
    assert len(read({"az000.png": png(), "az000_r.png": png()})) == 1


@pytest.mark.parametrize(
    ("name", "azimuth", "elevation"),
    [
        ("az040_el08", 40, 70),
        ("AZIMUTH359 Elevation_90", 359, 90),
        ("az-20", np.nan, np.nan),
        ("az=7.5", np.nan, np.nan),
        ("az360_el91", 0, np.nan),
        ("model03_blaz20", np.nan, np.nan),
        ("az0405", np.nan, np.nan),
    ],
)
def test_names_state_directions(name, azimuth, elevation):
    np.testing.assert_array_equal(names.angles(name), (azimuth, elevation))


def test_only_the_first_of_too_many_views_are_taken():
    files = {f"{k}.png": png(noise(72, 72)) for k in range(MAX_VIEWS + 1)}
    pairs = read({"views.zip": archive(files)})
    assert len(pairs) == MAX_VIEWS
    assert pairs.names[-1] == str(MAX_VIEWS - 1)
    assert pairs.notices[0] == f"Only the first {MAX_VIEWS} of {MAX_VIEWS + 1} views are taken."


@pytest.mark.parametrize("shape", [(72, 128), (100, 90), (96, 96)])
def test_sizes_near_smallnorb_s_stay_unchanged(shape):
    pairs = read({"a_l.png": png(noise(*shape)), "a_r.png": png(noise(*shape))})
    assert pairs.images.shape == (1, 2, *shape)
    assert pairs.notices == ()


def test_other_sizes_are_made_square_by_their_edges():
    picture = np.full((300, 150), 100, np.uint8)
    picture[:, :50], picture[:, 100:] = 20, 220
    pairs = read({"a_l.png": png(picture), "a_r.png": png(noise(31, 31))})
    assert pairs.images.shape == (1, 2, 96, 96)
    assert (pairs.images[0, 0][:, [0, 30, 48, 70, 95]] == [20, 20, 100, 220, 220]).all()
    assert pairs.notices == ("The pictures were made square by repeating their edges and resized to 96 x 96 pixels.",)


def test_pictures_of_mixed_sizes_are_given_one_size():
    files = {"a.png": png(noise(96, 96)), "b.png": png(noise(80, 90)), "c.png": png(noise(500, 400))}
    pairs = read(files)
    assert pairs.images.shape == (3, 2, 96, 96)
    np.testing.assert_array_equal(pairs.images[0, 0], noise())
    assert len(pairs.notices) == 2


def test_all_kinds_of_pictures_are_read_in_grey():
    deep = np.arange(96 * 96, dtype=np.uint16).reshape(96, 96) * 7
    red = Image.new("RGB", (96, 96), (255, 0, 0))
    clear = Image.new("RGBA", (96, 96), (255, 255, 255, 0))
    cases = [  # 194 is the grey behind transparent pixels, 76 the grey of red
        (png(Image.fromarray(deep)), (deep / 257).round()),
        (png(red), 76),
        (png(red.quantize(4)), 76),
        (png(clear), 194),
        (png(clear.convert("LA")), 194),
        (png(red.quantize(4), transparency=0), 194),
        (png(Image.new("L", (96, 96), 9), transparency=9), 194),
        (png(Image.new("1", (96, 96), 1)), 255),
        (png(Image.new("CMYK", (96, 96)), "JPEG"), 255),
        (png(Image.new("L", (96, 96), 120), "JPEG", progressive=True), 120),
    ]
    for content, expected in cases:
        np.testing.assert_array_equal(read({"a.png": content}).images[0, 0], np.broadcast_to(expected, (96, 96)))


def test_pictures_are_turned_upright_and_the_first_frame_is_read():
    picture = noise(80, 100)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned right by 90 degrees
    pairs = read({"a.png": png(picture, exif=exif)})
    np.testing.assert_array_equal(pairs.images[0, 0], np.rot90(picture, -1))
    frames = [Image.fromarray(noise(seed=k)) for k in range(3)]
    pairs = read({"a.png": png(frames[0], save_all=True, append_images=frames[1:])})
    np.testing.assert_array_equal(pairs.images[0, 0], noise())
