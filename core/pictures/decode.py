"""Decodes the bytes of pictures to grey, upright and within limits on memory."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from io import BytesIO
from typing import NamedTuple

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray
from PIL import Image, ImageOps

from core.pictures import names

MAX_PIXELS = 50_000_000  # pixels in one picture
LARGE = 16_000_000  # pixels; larger pictures are read at half their size, one at a time, so that memory is bounded
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "HEIF")
WANTED = "PNG, JPEG, WebP, GIF or HEIC is wanted"
MAX_SCANS = 100  # passes over a JPEG's pixels; ten are usual, and a few bytes in a malicious file can add each one
SCAN = b"\xff\xda"  # bytes at the start of each pass
BACKGROUND = 194  # grey of the background in smallNORB
HEIF = b"ftyp"  # bytes 4 to 7 of HEIC and of its relatives
MATLAB = b"MATLAB"  # the beginning of MATLAB's own files
ROWS_AT_ONCE = 1_000_000  # pixels of 16 bits that are converted at once
SIXTEEN_BIT = ("I", "I;16", "I;16L", "I;16B")  # modes with 16 bits per pixel
GREY_MODES = ("1", "L", "LA", *SIXTEEN_BIT)

_ONE_LARGE = threading.Lock()


class NoPictureError(ValueError):
    """A file is not a readable picture."""


class Grey(NamedTuple):
    """A picture decoded to grey.

    Args:
        pixels: the picture.
        had_colour: whether it had colours.
        is_halved: whether it was read at half its size.
    """

    pixels: UInt8[ndarray, "y x"]
    had_colour: bool
    is_halved: bool


def grey(content: bytes, name: str) -> Grey:
    """Decode a picture to grey from 0 to 255: its first frame, upright, on a grey background where it is transparent.

    Args:
        content: bytes of a file in one of ``FORMATS``.
        name: name of the file, for messages.

    Raises:
        NoPictureError: the file has another format, has too many pixels (checked before they are unpacked), or is
            damaged.
    """
    name = names.quoted(name)
    if content.startswith(MATLAB):
        raise NoPictureError(
            f"{name} is a file of MATLAB: a picture is wanted, or smallNORB's own matrix, also called .mat."
        )
    with _errors_as(f"{name} cannot be read as a picture: {WANTED}.", name):
        if content[4:8] == HEIF:
            from pi_heif import register_heif_opener  # takes 60 ms to import

            register_heif_opener()
        image = Image.open(BytesIO(content), formats=FORMATS)
    with image:
        n_pixels = image.width * image.height
        if n_pixels > MAX_PIXELS:
            raise NoPictureError(_too_many(name, n_pixels))
        if image.format == "JPEG" and content.count(SCAN) > MAX_SCANS:
            raise NoPictureError(f"{name} cannot be read as a picture: it is drawn in more than {MAX_SCANS} passes.")
        is_large, had_colour = n_pixels > LARGE, image.mode not in GREY_MODES
        damaged = _errors_as(f"{name} cannot be read as a picture: it is damaged or ends too soon.", name)
        with damaged, _ONE_LARGE if is_large else nullcontext():
            upright = _halved(image) if is_large else image
            ImageOps.exif_transpose(upright, in_place=True)
            return Grey(_shades(upright), had_colour, is_large)


def _halved(image: Image.Image) -> Image.Image:
    """A picture at half its size."""
    if image.format == "JPEG":
        image.draft(image.mode, (image.width // 2, image.height // 2))  # the decoder halves it
        return image
    info = image.info
    if image.mode in SIXTEEN_BIT:
        image = Image.fromarray(_shades(image))
    elif image.mode in ("P", "1"):  # these have no averages
        image = image.convert("RGBA" if image.has_transparency_data else "RGB" if image.mode == "P" else "L")
    halved = image.reduce(2)
    halved.info = info  # says which side is up
    return halved


def _shades(image: Image.Image) -> UInt8[ndarray, "y x"]:
    """The pixels in grey, with transparency over ``BACKGROUND``."""
    if image.mode in SIXTEEN_BIT:  # 65535 / 255 is 257, and 128 is added to round
        rows = np.array_split(np.asarray(image), max(1, image.width * image.height // ROWS_AT_ONCE))
        return np.concatenate([((some.astype(np.uint32) + 128) // 257).astype(np.uint8) for some in rows])
    if image.has_transparency_data:
        ground = Image.new("RGBA", image.size, (BACKGROUND,) * 3 + (255,))
        image = Image.alpha_composite(ground, image.convert("RGBA"))
    elif image.mode not in ("1", "L"):
        image = image.convert("RGB")  # CMYK has no direct conversion to grey
    return np.asarray(image.convert("L"))


@contextmanager
def _errors_as(sentence: str, name: str) -> Iterator[None]:
    """Replace any Pillow error by one with this sentence, or by one about the number of pixels."""
    try:
        yield
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise NoPictureError(_too_many(name)) from None
    except Exception:  # Pillow raises nearly any error on malicious files
        raise NoPictureError(sentence) from None


def _too_many(name: str, n: int | None = None) -> str:
    """The message about a picture with too many pixels; n: their number, if it is known."""
    how_many = f"more than {MAX_PIXELS // 10**6} million pixels" if n is None else f"{n / 10**6:,.1f} million pixels"
    return f"{name} has {how_many}. At most {MAX_PIXELS // 10**6} million can be read: send a smaller copy."
