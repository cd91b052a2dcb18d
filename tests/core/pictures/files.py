"""Good and bad files as users might upload them, and functions that read them."""

import gzip
import struct
import tracemalloc
import zipfile
import zlib
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from core import pictures
from core.datasets import binary


def noise(y=96, x=96, seed=0):
    """A random picture in grey."""
    return np.random.default_rng(seed).integers(0, 256, (y, x), np.uint8)


def png(picture=None, form="PNG", **options):
    """The content of a picture file."""
    out = BytesIO()
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(noise() if picture is None else picture)
    image.save(out, form, **options)
    return out.getvalue()


def archive(members, method=zipfile.ZIP_DEFLATED):
    """A zip archive of members by name."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def matrix(values, zipped=False):
    """A matrix in smallNORB's format."""
    values = np.asarray(values)
    magic = {np.dtype(dtype): magic for magic, dtype in binary.TYPES.items()}[values.dtype]
    sizes = [*values.shape, 1, 1][: max(3, values.ndim)]
    content = struct.pack(f"<Ii{len(sizes)}i", magic, values.ndim, *sizes) + values.tobytes()
    return gzip.compress(content, 1) if zipped else content


def read(files, toy=None):
    """Read files from a dict of names and bytes."""
    return pictures.read([(name, BytesIO(content)) for name, content in files.items()], toy)


def assert_refused(files, message, **options):
    """Assert that files are refused with this message, in one short sentence."""
    with pytest.raises(ValueError, match=message) as caught:
        read(files, **options)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) < 300
    assert sentence.endswith(".")
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def chunk(kind, content):
    """A chunk of a PNG file."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def norb(n_toys=2, n=6, zipped=True):
    """Small matrices of toys of category 2, 3, .., and their files.

    Each toy has n views with descending azimuths; the views of the toys alternate.
    """
    info = [[4, e, a, 1] for e in (1, 0) for a in range(2 * (n // 2) - 2, -1, -2)]
    matrices = {
        "dat": np.stack([noise(2 * 72, 72, seed=k).reshape(2, 72, 72) for k in range(n * n_toys)]),
        "cat": np.arange(n * n_toys, dtype=np.int32) % n_toys + 2,
        "info": np.repeat(np.array(info, np.int32), n_toys, axis=0),
    }
    return matrices, {f"{role}.bin": matrix(values, zipped) for role, values in matrices.items()}


def as_files(contents):
    """Contents by name as the list of named files that ``core.pictures`` takes."""
    return [(name, BytesIO(content)) for name, content in contents.items()]


def matrix_stating(n, y, x, content=b""):
    """A matrix of bytes whose header states these sizes, whatever its content."""
    return struct.pack("<I5i", 0x1E3D4C55, 4, n, 2, y, x) + content


def peak_of(function, *arguments):
    """The peak memory of a call in bytes."""
    tracemalloc.start()
    function(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def bomb(width, height):
    """A PNG whose header states a size, with nothing behind it."""
    header = struct.pack(">2I5B", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def with_text(content, n):
    """A PNG file with a compressed text of n bytes after its header."""
    text = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(n)))
    end = 33  # of the signature and the header
    return content[:end] + text + content[end:]


PNG = png()
JPEG = png(form="JPEG")
PROGRESSIVE_JPEG = png(form="JPEG", progressive=True)
