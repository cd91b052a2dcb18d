"""Files that cannot be used are refused in one sentence."""

import struct
import tracemalloc
import zipfile
from io import BytesIO

import pytest

from core import pictures
from tests.core.pictures.files import (
    JPEG,
    PNG,
    PROGRESSIVE_JPEG,
    archive,
    assert_refused,
    bomb,
    noise,
    peak_of,
    png,
    read,
    with_text,
)

LAST_PASS = PROGRESSIVE_JPEG[PROGRESSIVE_JPEG.rfind(b"\xff\xda") : -2]
MANY_PASSES = PROGRESSIVE_JPEG[:-2] + 200 * LAST_PASS + PROGRESSIVE_JPEG[-2:]


def make(content):
    """Make a content that is given as a function: only the process that runs the case makes the large file."""
    return content() if callable(content) else content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", '^"toy.png" is empty.$'),
        (b"just text, no picture", '^"toy.png" cannot be read as a picture: PNG, JPEG, WebP, GIF or HEIC is wanted.$'),
        (b"\x00" * 5000, "PNG, JPEG, WebP, GIF or HEIC is wanted"),
        (b"PK for its beginning only", "PNG, JPEG, WebP, GIF or HEIC is wanted"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "PNG, JPEG, WebP, GIF or HEIC is wanted"),
        (b"MATLAB 5.0 MAT-file, Platform: GLNXA64", "is a file of MATLAB: a picture is wanted, or smallNORB's own"),
        (b"\0\0\0\x18ftypheic" + bytes(400), "PNG, JPEG, WebP, GIF or HEIC is wanted"),
        (png(form="TIFF"), "PNG, JPEG, WebP, GIF or HEIC is wanted"),
        (png(form="BMP"), "PNG, JPEG, WebP, GIF or HEIC is wanted"),
        (PNG[:20], "cannot be read as a picture"),
        (PNG[: len(PNG) // 2], "it is damaged or ends too soon"),
        (JPEG[: len(JPEG) // 2], "it is damaged or ends too soon"),
        (png(noise(1, 1)), "is too small: 1 x 1 pixels, where 31 a side are wanted"),
        (png(noise(30, 200)), "is too small: 200 x 30 pixels"),
        (png(noise(30, 60)), "is too small: 30 x 30 pixels"),
        (lambda: bomb(20_000, 20_000), "has more than 50 million pixels"),
        (lambda: bomb(2**31 - 1, 2**31 - 1), "has more than 50 million pixels"),
        (lambda: bomb(8001, 8000), "has 64.0 million pixels. At most 50 million can be read: send a smaller copy."),
        (lambda: bomb(3999, 4000), "damaged"),
        (lambda: bomb(7000, 7000), "damaged"),
        (lambda: with_text(PNG, 1 << 27), "cannot be read as a picture"),
        (MANY_PASSES, "more than 100 passes"),
        (lambda: PNG + bytes(40 << 20), "is larger than 40 MiB"),
    ],
)
def test_unsuitable_pictures_are_refused(content, message):
    assert peak_of(assert_refused, {"toy.png": make(content)}, message) < 90_000_000


def with_stated_size(content, size):
    """An archive that states another unpacked size, in its list and before its entry."""
    at = content.rfind(b"PK\1\2") + 24
    local = content.find(b"PK\3\4") + 22
    content = content[:at] + struct.pack("<I", size) + content[at + 4 :]
    return content[:local] + struct.pack("<I", size) + content[local + 4 :]


def encrypted(content):
    """An archive whose entry is marked as encrypted, in its list and before the entry."""
    for sign, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at += content.find(sign)
        content = content[:at] + b"\1" + content[at + 1 :]
    return content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive({}), '^"views.zip" holds no pictures.$'),
        (archive({"a/": b""}), "holds no pictures"),
        (archive({"../a.png": PNG}), "a name that leads out of the archive"),
        (archive({"a/../../a.png": PNG}), "a name that leads out"),
        (archive({"/etc/a.png": PNG}), "a name that leads out"),
        (archive({"C:\\a.png": PNG}), "a name that leads out"),
        (archive({"..\\a.png": PNG}), "a name that leads out"),
        (archive({"b.zip": archive({"a.png": PNG})}), '"b.zip" is an archive inside the archive'),
        (lambda: archive({f"{k}.png": b"" for k in range(10_000)}), "holds more than 1,000 entries"),
        (lambda: archive({f"{k:0200}": b"" for k in range(10_000)}), "holds more than 1,000 entries"),
        (archive({"a.png": PNG}, zipfile.ZIP_LZMA), "compressed by an unsupported method"),
        (archive({"a.png": PNG}, zipfile.ZIP_BZIP2), "compressed by an unsupported method"),
        (encrypted(archive({"a.png": PNG})), "is encrypted"),
        (
            archive({"readme.txt": b"hello"}),
            '"readme.txt" cannot be read as a picture: PNG, JPEG, WebP, GIF or HEIC is wanted',
        ),
        (archive({"a.png": b""}), '"a.png" is empty or damaged'),
        (archive({"x": b"text"}).replace(b"x", b"\0"), '"" cannot be read as a picture'),
        (with_stated_size(archive({"a.png": PNG}), 100), "not of the size that the archive states"),
        (with_stated_size(archive({"a.png": PNG}), 1 << 24), "not of the size that the archive states"),
        (with_stated_size(archive({"a.png": PNG}), 2**32 - 2), '"a.png" is larger than 40 MiB'),
        (lambda: archive({"a.png": bytes(41 << 20)}), '"a.png" is larger than 40 MiB'),
        (lambda: archive({f"{k}.png": bytes(15 << 20) for k in range(14)}), "larger than 200 MiB together"),
        (archive({"a.png": PNG})[:-30], "cannot be read as a zip archive: it is a file of another kind, or damaged"),
        (archive({"a.png": PNG})[:40], "cannot be read as a zip archive: it is a file of another kind, or damaged"),
        (archive({"a_l.png": PNG, "a_left.jpg": JPEG}), 'a_l.png", "a_left.jpg": it is not clear'),
        (archive({"a.png": PNG, "a.jpg": JPEG}), "it is not clear which is the left"),
        (archive({"a_l.png": PNG, "a_r.png": PNG, "a.png": PNG}), "it is not clear which is the left"),
    ],
)
def test_unsuitable_archives_are_refused(content, message):
    assert peak_of(assert_refused, {"views.zip": make(content)}, message) < 30_000_000


def test_a_very_large_list_of_an_archive_is_not_read():
    content = archive({"a.png": PNG})
    at = content.rfind(b"PK\5\6") + 12
    content = content[:40] + bytes(1 << 26) + content[40:at] + struct.pack("<I", 1 << 26) + content[at + 4 :]
    file = [("views.zip", BytesIO(content))]
    tracemalloc.start()
    with pytest.raises(ValueError, match="damaged or holds more than 1,000 entries"):
        pictures.read(file)
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_the_pixels_of_all_pictures_together_are_limited(monkeypatch):
    monkeypatch.setattr(pictures.photographs, "MAX_PIXELS_TOGETHER", 3 * 96 * 96)
    read({f"{k}.png": PNG for k in range(3)})
    assert_refused({f"{k}.png": PNG for k in range(4)}, "pixels together")


def test_files_that_do_not_belong_together_are_refused():
    assert_refused({}, "No file was given")
    assert_refused({"a.zip": archive({"a.png": PNG}), "b.png": PNG}, "Give one zip archive or the pictures themselves")
    assert_refused({f"{k}.png": PNG for k in range(1001)}, "There are more than 1,000 files")


def test_names_are_shown_short_and_plain():
    assert_refused({"x" * 5000 + ".png": b"text"}, r'^"x{19}…x{16}\.png" cannot be read')
    assert_refused({"a\nb\u202e\ud800<b>.png": b"text"}, r'^"a\?b\?\?<b>\.png" cannot be read')
    assert read({"9" * 5000 + ".png": PNG, "8.png": PNG, "c.png": PNG}).names[0] == "8"
