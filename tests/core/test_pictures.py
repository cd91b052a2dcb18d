"""Stereo pairs from uploads: what is accepted and how, and that everything else is refused in one sentence."""

import gzip
import random
import struct
import tracemalloc
import zipfile
import zlib
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from core import pictures
from core.datasets import binary
from core.pictures import MOST_VIEWS, Toy, names

fuzz = settings(deadline=None, max_examples=300, derandomize=True)


def noise(y=96, x=96, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (y, x), np.uint8)


def png(picture=None, form="PNG", **options):
    """The bytes of a picture's file."""
    out = BytesIO()
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(noise() if picture is None else picture)
    image.save(out, form, **options)
    return out.getvalue()


def archive(members, method=zipfile.ZIP_DEFLATED):
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def matrix(values, zipped=False):
    values = np.asarray(values)
    magic = {np.dtype(dtype): magic for magic, dtype in binary.TYPES.items()}[values.dtype]
    sizes = [*values.shape, 1, 1][: max(3, values.ndim)]
    content = struct.pack(f"<Ii{len(sizes)}i", magic, values.ndim, *sizes) + values.tobytes()
    return gzip.compress(content, 1) if zipped else content


def read(files, toy=None):
    """Files from a dict of names and bytes."""
    return pictures.read([(name, BytesIO(content)) for name, content in files.items()], toy)


def refused(files, message, **options):
    with pytest.raises(ValueError, match=message) as caught:
        read(files, **options)
    told = str(caught.value)
    assert "\n" not in told
    assert len(told) < 300
    assert told.endswith(".")
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


# What is accepted


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
def test_a_pair_left_first_or_as_the_names_say(first, second, is_swapped):
    one, other = noise(seed=1), noise(seed=2)
    found = read({first: png(one), second: png(other)})
    np.testing.assert_array_equal(found.images[0], [other, one] if is_swapped else [one, other])
    assert found.notices == ()
    assert len(found) == len(found.names) == 1
    assert np.isnan([found.azimuth, found.elevation]).all()


def test_a_pair_without_marks_is_taken_in_order_and_said_so():
    one, other = noise(seed=1), noise(seed=2)
    found = read({"r2d2.png": png(one), "bright.png": png(other)})
    np.testing.assert_array_equal(found.images[0], [one, other])
    (notice,) = found.notices
    assert notice.startswith("Neither name says which eye it is")


def test_two_left_eyes_are_no_pair():
    with pytest.raises(ValueError, match=r'"a_l.png", "b_l.png" cannot be told apart as the left and the right eye'):
        read({"a_l.png": png(), "b_l.png": png()})


def test_pictures_side_by_side_are_cut():
    both = noise(96, 193)
    found = read({"both.png": png(both)})
    np.testing.assert_array_equal(found.images[0], [both[:, :96], both[:, 97:]])
    assert found.names == ("both",)
    assert found.notices == ("The picture is twice as wide as high and taken for both eyes side by side.",)
    assert read({"wide.png": png(noise(96, 200))}).notices[0].startswith("The view has one picture only")


def test_one_picture_is_for_both_eyes():
    found = read({"toy.png": png()})
    np.testing.assert_array_equal(found.images, np.stack([noise(), noise()])[None])
    assert found.notices == ("The view has one picture only, which is shown to both eyes.",)


VIEWS = {
    "t/az020_l.png": noise(seed=1),
    "t/az020_r.png": noise(seed=2),
    "t/az100_el03.png": noise(96, 192, seed=3),
    "t/azimuth9-elevation45.png": noise(seed=4),
}


@pytest.mark.parametrize("is_loose", [False, True])
def test_many_views_by_name(is_loose):
    files = {name: png(picture) for name, picture in VIEWS.items()}
    litter = {"t/": b"", "__MACOSX/t/._az020_l.png": b"x", "t/.DS_Store": b"x"}
    found = read(files if is_loose else {"views.zip": archive(litter | files)})
    assert found.names == ("t/az020", "t/az100_el03", "t/azimuth9-elevation45")
    np.testing.assert_array_equal(found.azimuth, [20, 100, 9])
    np.testing.assert_array_equal(found.elevation, [np.nan, 45, 45])
    left, right, both, alone = VIEWS.values()
    wanted = [[left, right], [both[:, :96], both[:, 96:]], [alone, alone]]
    np.testing.assert_array_equal(found.images, wanted)
    assert found.notices == (
        "1 of 3 pictures are twice as wide as high and taken for both eyes side by side.",
        "1 of 3 views have one picture only, which is shown to both eyes.",
    )


def test_eyes_in_folders_and_numbers_in_their_order():
    files = {f"{eye}/{k}.png": png(noise(seed=k)) for eye in ("right", "left") for k in (10, 9, 1)}
    found = read({"views.zip": archive(files)})
    assert found.names == ("1", "9", "10")
    np.testing.assert_array_equal(found.images[1], [noise(seed=9)] * 2)
    assert found.notices == ()


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
def test_directions_in_names(name, azimuth, elevation):
    np.testing.assert_array_equal(names.angles(name), (azimuth, elevation))


def test_the_first_views_of_too_many():
    files = {f"{k}.png": png(noise(72, 72)) for k in range(MOST_VIEWS + 1)}
    found = read({"views.zip": archive(files)})
    assert len(found) == MOST_VIEWS
    assert found.names[-1] == str(MOST_VIEWS - 1)
    assert found.notices[0] == f"Only the first {MOST_VIEWS} of {MOST_VIEWS + 1} views are taken."


@pytest.mark.parametrize("shape", [(72, 128), (100, 90), (96, 96)])
def test_sizes_near_smallnorbs_stay(shape):
    found = read({"a_l.png": png(noise(*shape)), "a_r.png": png(noise(*shape))})
    assert found.images.shape == (1, 2, *shape)
    assert found.notices == ()


def test_other_sizes_are_made_square_by_their_edges():
    picture = np.full((300, 150), 100, np.uint8)
    picture[:, :50], picture[:, 100:] = 20, 220
    found = read({"a_l.png": png(picture), "a_r.png": png(noise(31, 31))})
    assert found.images.shape == (1, 2, 96, 96)
    assert (found.images[0, 0][:, [0, 30, 48, 70, 95]] == [20, 20, 100, 220, 220]).all()
    assert found.notices == ("The pictures were made square by repeating their edges and resized to 96 x 96 pixels.",)


def test_mixed_sizes_come_out_the_same():
    files = {"a.png": png(noise(96, 96)), "b.png": png(noise(80, 90)), "c.png": png(noise(500, 400))}
    found = read(files)
    assert found.images.shape == (3, 2, 96, 96)
    np.testing.assert_array_equal(found.images[0, 0], noise())
    assert len(found.notices) == 2


def test_kinds_of_pictures():
    deep = np.arange(96 * 96, dtype=np.uint16).reshape(96, 96) * 7
    red = Image.new("RGB", (96, 96), (255, 0, 0))
    clear = Image.new("RGBA", (96, 96), (255, 255, 255, 0))
    cases = [
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
    for content, wanted in cases:
        np.testing.assert_array_equal(read({"a.png": content}).images[0, 0], np.broadcast_to(wanted, (96, 96)))


def test_upright_and_first_frame():
    picture = noise(80, 100)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned right by 90 degrees
    found = read({"a.png": png(picture, exif=exif)})
    np.testing.assert_array_equal(found.images[0, 0], np.rot90(picture, -1))
    frames = [Image.fromarray(noise(seed=k)) for k in range(3)]
    found = read({"a.png": png(frames[0], save_all=True, append_images=frames[1:])})
    np.testing.assert_array_equal(found.images[0, 0], noise())


# smallNORB's matrices


def norb(n_toys=2, n=6, zipped=True):
    """Small matrices: toys of category 2, 3, .. with n views each, shuffled among each other, azimuths backwards."""
    info = [[4, e, a, 1] for e in (1, 0) for a in range(2 * (n // 2) - 2, -1, -2)]
    found = {
        "dat": np.stack([noise(2 * 72, 72, seed=k).reshape(2, 72, 72) for k in range(n * n_toys)]),
        "cat": np.arange(n * n_toys, dtype=np.int32) % n_toys + 2,
        "info": np.repeat(np.array(info, np.int32), n_toys, axis=0),
    }
    return found, {f"{role}.bin": matrix(values, zipped) for role, values in found.items()}


def as_files(contents):
    return [(name, BytesIO(content)) for name, content in contents.items()]


@pytest.mark.parametrize("zipped", [True, False])
def test_a_toy_of_the_official_matrices(zipped):
    values, files = norb(zipped=zipped)
    held = pictures.toys(as_files(files))
    assert held == (Toy(2, 4, 1), Toy(3, 4, 1))
    found = read(files, held[1])
    np.testing.assert_array_equal(found.azimuth, [0, 20, 40] * 2)
    np.testing.assert_array_equal(found.elevation, [30] * 3 + [35] * 3)
    np.testing.assert_array_equal(found.images, values["dat"][[11, 9, 7, 5, 3, 1]])
    assert found.names[1] == "azimuth 20°, elevation 30°"
    assert found.notices == ()
    first = read(files)
    np.testing.assert_array_equal(first.images, read(files, held[0]).images)
    assert first.notices == ("The first of 2 toys is shown.",)


def test_matrices_without_categories_or_labels():
    values, files = norb()
    del files["cat.bin"]
    assert pictures.toys(as_files(files)) == (Toy(None, 4, 1),)
    assert read(files, Toy(None, 4, 1)).notices == (
        "Without the -cat matrix, toys of different kinds are taken for one.",
    )
    del files["info.bin"]
    assert pictures.toys(as_files(files)) == ()
    found = read(files)
    np.testing.assert_array_equal(found.images, values["dat"])
    assert found.names[-1] == "pair 12"
    assert np.isnan(found.azimuth).all()
    assert pictures.toys(as_files({"a.png": png()})) == ()


def test_the_first_pairs_of_a_large_matrix_and_other_sizes():
    found = read({"dat": matrix(np.zeros((MOST_VIEWS + 5, 2, 40, 32), np.uint8), True)})
    assert found.images.shape == (MOST_VIEWS, 2, 96, 96)
    assert found.notices[0] == f"Only the first {MOST_VIEWS} of {MOST_VIEWS + 5} views are taken."
    assert "resized" in found.notices[1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dat.bin": None}, "The -dat matrix is missing"),
        ({"info.bin": None}, None),
        ({"cat.bin": matrix(np.zeros(11, np.int32))}, "do not belong together: -dat is of 12, -cat is of 11"),
        ({"cat.bin": matrix(np.full(12, 7, np.int32))}, "categories holds numbers outside 0 to 4"),
        ({"info.bin": matrix(np.full((12, 4), 9, np.int32))}, "info holds numbers outside 0 to 8 as elevation"),
        ({"cat.bin": matrix(np.zeros(12, np.float32))}, '"cat.bin" is none of smallNORB\'s matrices'),
        ({"more.bin": matrix(np.zeros(12, np.int32))}, '"more.bin" and "cat.bin" are both a -cat matrix'),
        ({"more.png": png()}, "Matrices and pictures are not read together"),
        ({"dat.bin": matrix(np.zeros((12, 2, 9, 96), np.uint8))}, '"dat.bin" holds images of 96 x 9 pixels'),
        ({"dat.bin": norb()[1]["dat.bin"][:-1000]}, '"dat.bin" cannot be read as a matrix: it is damaged'),
        ({"dat.bin": norb(zipped=False)[1]["dat.bin"][:-1]}, '"dat.bin" holds .* bytes of numbers, wanted'),
        ({"dat.bin": gzip.compress(b"hello, hello, hello")}, '"dat.bin" begins with 0x6C6C6568'),
    ],
)
def test_matrices_that_are_refused(changes, message):
    files = {name: content for name, content in (norb()[1] | changes).items() if content is not None}
    if message:
        refused(files, message)
    else:
        refused(files, "toys cannot be told apart", toy=Toy(2, 4, 1))


def test_toys_that_are_not_there_are_refused():
    refused(norb()[1], "hold no such toy", toy=Toy(0, 4, 1))
    refused({"a.png": png()}, "Toys are chosen from", toy=Toy(0, 4, 1))


def lying(n, y, x, content=b""):
    return struct.pack("<I6i", 0x1E3D4C55, 4, n, 2, y, x, 0)[:-4] + content


@pytest.mark.parametrize(
    "content",
    [
        lying(2**31 - 1, 96, 96),
        gzip.compress(lying(2**31 - 1, 96, 96)),
        gzip.compress(lying(1, 2**15, 2**15, bytes(1 << 22))),
        gzip.compress(lying(3000, 96, 96, bytes(1 << 26))),
        gzip.compress(lying(1, 2**31 - 1, 2**31 - 1)),
    ],
)
def test_matrices_that_lie_about_their_sizes_take_no_memory(content):
    assert peak_of(refused, {"dat.mat": content}, '"dat.mat"') < 20_000_000


def test_a_large_matrix_is_streamed():
    content = gzip.compress(lying(3000, 96, 96) + bytes(3000 * 2 * 96 * 96), 1)
    assert peak_of(read, {"dat.mat": content}) < 15_000_000  # of 55 million unpacked


def peak_of(function, *arguments):
    """The most bytes that a call holds."""
    tracemalloc.start()
    function(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


# What is refused


def bomb(width, height):
    """A PNG whose header states a size, with nothing behind it."""
    header = struct.pack(">2I5B", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def with_text(content, n):
    text = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(n)))
    return content[:33] + text + content[33:]


WHOLE = png()
JPEG = png(form="JPEG")
SCANS = png(form="JPEG", progressive=True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", '^"toy.png" is empty.$'),
        (b"just text, no picture", '^"toy.png" cannot be read as a picture: PNG or JPEG is wanted.$'),
        (b"\x00" * 5000, "PNG or JPEG is wanted"),
        (b"PK for its beginning only", "PNG or JPEG is wanted"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "PNG or JPEG is wanted"),
        (png(form="GIF"), "PNG or JPEG is wanted"),
        (png(form="TIFF"), "PNG or JPEG is wanted"),
        (png(form="BMP"), "PNG or JPEG is wanted"),
        (png(form="WEBP"), "PNG or JPEG is wanted"),
        (WHOLE[:20], "cannot be read as a picture"),
        (WHOLE[: len(WHOLE) // 2], "it is damaged or ends too soon"),
        (JPEG[: len(JPEG) // 2], "it is damaged or ends too soon"),
        (png(noise(1, 1)), "is too small: 1 x 1 pixels, where 31 a side are wanted"),
        (png(noise(30, 200)), "is too small: 200 x 30 pixels"),
        (png(noise(30, 60)), "is too small: 30 x 30 pixels"),
        (bomb(20_000, 20_000), "has more than 16 million pixels"),
        (bomb(10_000, 10_000), "has more than 16 million pixels"),
        (bomb(2**31 - 1, 2**31 - 1), "has more than 16 million pixels"),
        (bomb(4001, 4000), "has more than 16 million pixels"),
        (bomb(3999, 4000), "damaged"),
        (with_text(WHOLE, 1 << 27), "cannot be read as a picture"),
        (SCANS[:-2] + SCANS[SCANS.rfind(b"\xff\xda") : -2] * 200 + SCANS[-2:], "more than 100 passes"),
        (WHOLE + bytes(20 << 20), "is larger than 20 MiB"),
    ],
)
def test_pictures_that_are_refused(content, message):
    assert peak_of(refused, {"toy.png": content}, message) < 90_000_000


def stated(content, size):
    """An archive whose list states another unpacked size."""
    at = content.rfind(b"PK\1\2") + 24
    local = content.find(b"PK\3\4") + 22
    content = content[:at] + struct.pack("<I", size) + content[at + 4 :]
    return content[:local] + struct.pack("<I", size) + content[local + 4 :]


def encrypted(content):
    for sign, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at += content.find(sign)
        content = content[:at] + b"\1" + content[at + 1 :]
    return content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive({}), '^"views.zip" holds no pictures.$'),
        (archive({"a/": b""}), "holds no pictures"),
        (archive({"../a.png": WHOLE}), "a name that leads out of the archive"),
        (archive({"a/../../a.png": WHOLE}), "a name that leads out"),
        (archive({"/etc/a.png": WHOLE}), "a name that leads out"),
        (archive({"C:\\a.png": WHOLE}), "a name that leads out"),
        (archive({"..\\a.png": WHOLE}), "a name that leads out"),
        (archive({"a.png": WHOLE, "b.zip": archive({"a.png": WHOLE})}), '"b.zip" is an archive inside the archive'),
        (archive({f"{k}.png": b"" for k in range(10_000)}), "holds more than 1,000 entries"),
        (archive({f"{k:0200}": b"" for k in range(10_000)}), "holds more than 1,000 entries"),
        (archive({"a.png": WHOLE}, zipfile.ZIP_LZMA), "packed in an unusual way"),
        (archive({"a.png": WHOLE}, zipfile.ZIP_BZIP2), "packed in an unusual way"),
        (encrypted(archive({"a.png": WHOLE})), "is encrypted"),
        (archive({"readme.txt": b"hello"}), '"readme.txt" cannot be read as a picture: PNG or JPEG is wanted'),
        (archive({"a.png": b""}), '"a.png" is empty or damaged'),
        (archive({"x": b"text"}).replace(b"x", b"\0"), '"" cannot be read as a picture'),
        (stated(archive({"a.png": WHOLE}), 100), "not of the size that the archive states"),
        (stated(archive({"a.png": WHOLE}), 1 << 24), "not of the size that the archive states"),
        (stated(archive({"a.png": WHOLE}), 2**32 - 2), '"a.png" is larger than 20 MiB'),
        (archive({"a.png": bytes(21 << 20)}), '"a.png" is larger than 20 MiB'),
        (archive({f"{k}.png": bytes(15 << 20) for k in range(14)}), "larger than 200 MiB together"),
        (archive({"a.png": WHOLE})[:-30], "cannot be read as a zip archive: it is damaged"),
        (archive({"a.png": WHOLE})[:40], "cannot be read as a zip archive: it is damaged"),
        (archive({"a_l.png": WHOLE, "a_left.jpg": JPEG}), 'a_l.png", "a_left.jpg" cannot be told apart'),
        (archive({"a.png": WHOLE, "a.jpg": JPEG}), "cannot be told apart"),
        (archive({"a_l.png": WHOLE, "a_r.png": WHOLE, "a.png": WHOLE}), "cannot be told apart"),
    ],
)
def test_archives_that_are_refused(content, message):
    assert peak_of(refused, {"views.zip": content}, message) < 30_000_000


def test_an_archives_endless_list_is_not_read():
    content = archive({"a.png": WHOLE})
    at = content.rfind(b"PK\5\6") + 12
    content = content[:40] + bytes(1 << 26) + content[40:at] + struct.pack("<I", 1 << 26) + content[at + 4 :]
    file = [("views.zip", BytesIO(content))]
    tracemalloc.start()
    with pytest.raises(ValueError, match="damaged or holds more than 1,000 entries"):
        pictures.read(file)
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_pixels_are_counted_together(monkeypatch):
    monkeypatch.setattr(pictures.photographs, "MOST_PIXELS_TOGETHER", 3 * 96 * 96)
    read({f"{k}.png": WHOLE for k in range(3)})
    refused({f"{k}.png": WHOLE for k in range(4)}, "pixels together")


def test_files_that_are_not_read_together():
    refused({}, "No file was given")
    refused({"a.zip": archive({"a.png": WHOLE}), "b.png": WHOLE}, "A zip archive is read alone")
    refused({f"{k}.png": WHOLE for k in range(1001)}, "There are more than 1,000 files")


def test_names_are_shown_short_and_plain():
    refused({"x" * 5000 + ".png": b"text"}, r'^"x{19}…x{16}\.png" cannot be read')
    refused({"a\nb\u202e\ud800<b>.png": b"text"}, r'^"a\?b\?\?<b>\.png" cannot be read')
    assert read({"9" * 5000 + ".png": WHOLE, "8.png": WHOLE, "c.png": WHOLE}).names[0] == "8"


# Fuzz


def reads_or_refuses(files):
    try:
        found = read(files)
    except ValueError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        n, eyes, y, x = found.images.shape
        assert n == len(found.names) == len(found.azimuth) == len(found.elevation)
        assert eyes == 2
        assert min(y, x) >= 72
        assert max(y, x) <= 128


SEEDS = {
    "png": png(noise(72, 72) // 64),
    "jpeg": png(noise(72, 72) // 64, "JPEG", quality=30),
    "zip": archive({"a_l.png": png(noise(72, 72) // 64), "a_r.png": png(noise(72, 72) // 64)}),
    "mat": matrix(np.zeros((3, 2, 72, 72), np.uint8)),
    "mat.gz": norb()[1]["info.bin"],
}


@fuzz
@given(
    start=st.sampled_from(
        [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"PK\3\4", b"PK\5\6", b"\x1f\x8b\x08", b"UL=\x1e"]
    ),
    rest=st.binary(max_size=300),
)
def test_any_bytes_are_read_or_refused(start, rest):
    reads_or_refuses({"a": start + rest})


@fuzz
@given(kind=st.sampled_from(list(SEEDS)), seed=st.integers(0, 2**32), n=st.integers(1, 8), cut=st.booleans())
def test_mutated_files_are_read_or_refused(kind, seed, n, cut):
    content, chance = bytearray(SEEDS[kind]), random.Random(seed)
    for _ in range(n):
        near = chance.choice([60, len(content)])  # headers are hit as often as all the rest
        at = chance.randrange(min(near, len(content))) if chance.random() < 0.7 else -chance.randrange(1, 60)
        content[at] = chance.choice([0, 1, 255, chance.randrange(256)])
    if cut:
        del content[chance.randrange(len(content)) :]
    files = norb()[1] | {"info.bin": bytes(content)} if kind == "mat.gz" else {"a": bytes(content)}
    reads_or_refuses(files)
