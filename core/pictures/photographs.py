"""Views from PNG and JPEG files: which file is which eye of which view, and their pixels in grey."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray
from PIL import Image, ImageOps

from core.pictures import names
from core.pictures.sources import Files, Source, check_sizes, sources
from core.pictures.view import MOST_VIEWS, View, view

MOST_PIXELS = 16_000_000  # of one picture
MOST_PIXELS_TOGETHER = 400_000_000  # some ten seconds
MOST_SCANS = 100  # passes over a JPEG's pixels; ten are usual, and a few bytes can ask for one more
SCAN = b"\xff\xda"
BACKGROUND = 194  # grey of what lies behind smallNORB's toys
DEEP = ("I", "I;16", "I;16L", "I;16B")  # 16 bits a pixel


def views(files: Files) -> tuple[list[View], list[str]]:
    """The views in loose files or an archive, by name, and what is to be said of them.

    Raises:
        ValueError: no picture, eyes that cannot be told apart, or a file that is refused.
    """
    found = sources(files)
    if not found:
        raise ValueError(f"{names.quoted(files[0][0])} holds no pictures.")
    is_pair = _is_pair(files, found)
    groups = [_pair(found)] if is_pair else _by_view(found)
    notices = [f"Only the first {MOST_VIEWS} of {len(groups)} views are taken."] if len(groups) > MOST_VIEWS else []
    groups = groups[:MOST_VIEWS]
    check_sizes([source for group in groups for source in group])
    taken = list(_views(groups))
    if is_pair and {_eye(source) for source in found} == {0.5}:
        notices.append("Neither name says which eye it is: the first picture is taken for the left one.")
    if cut := sum(view.is_cut for view in taken):
        which = "The picture is" if len(taken) == 1 else f"{cut} of {len(taken)} pictures are"
        notices.append(f"{which} twice as wide as high and taken for both eyes side by side.")
    if flat := sum(view.left is view.right for view in taken):
        which = f"{flat} of {len(taken)} views have" if len(taken) > 1 else "The view has"
        notices.append(f"{which} one picture only, which is shown to both eyes.")
    return taken, notices


def grey(content: bytes, name: str) -> UInt8[ndarray, "y x"]:
    """A picture as it is meant to be seen, first frame, upright, over a grey ground, in shades from 0 to 255.

    Raises:
        ValueError: no PNG or JPEG, too many pixels (said before they are unpacked), or damaged.
    """
    name = names.quoted(name)
    with _told(f"{name} cannot be read as a picture: PNG or JPEG is wanted.", name):
        image = Image.open(BytesIO(content), formats=("PNG", "JPEG"))
    with image:
        if image.width * image.height > MOST_PIXELS:
            raise ValueError(_too_many(name))
        if image.format != "PNG" and content.count(SCAN) > MOST_SCANS:
            raise ValueError(f"{name} cannot be read as a picture: it is drawn in more than {MOST_SCANS} passes.")
        with _told(f"{name} cannot be read as a picture: it is damaged or ends too soon.", name):
            ImageOps.exif_transpose(image, in_place=True)
            return _shades(image)


def _shades(image: Image.Image) -> UInt8[ndarray, "y x"]:
    if image.mode in DEEP:
        return ((np.asarray(image).astype(np.uint32) + 128) // 257).astype(np.uint8)
    if image.has_transparency_data:
        ground = Image.new("RGBA", image.size, (BACKGROUND,) * 3 + (255,))
        image = Image.alpha_composite(ground, image.convert("RGBA"))
    elif image.mode not in ("1", "L"):
        image = image.convert("RGB")  # CMYK has no other way
    return np.asarray(image.convert("L"))


@contextmanager
def _told(sentence: str, name: str) -> Iterator[None]:
    try:
        yield
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ValueError(_too_many(name)) from None
    except Exception:  # hostile bytes make Pillow raise nearly anything
        raise ValueError(sentence) from None


def _too_many(name: str) -> str:
    return f"{name} has more than {MOST_PIXELS // 10**6} million pixels."


def _is_pair(files: Files, found: Sequence[Source]) -> bool:
    """Two loose files are the eyes of one view, unless their names tell of two directions."""
    if not len(files) == len(found) == 2:
        return False
    first, second = (names.angles(source.name) for source in found)
    return bool(np.array_equal(first, second, equal_nan=True))


def _pair(found: Sequence[Source]) -> list[Source]:
    """Left, then right."""
    left, right = sorted(found, key=_eye)
    if _eye(left) == _eye(right) != 0.5:
        raise ValueError(_not_told_apart([left, right]))
    return [left, right]


def _not_told_apart(sources: Sequence[Source]) -> str:
    which = ", ".join(names.quoted(source.name) for source in sources[:3])
    return f"{which} cannot be told apart as the left and the right eye of one view."


def _by_view(found: Sequence[Source]) -> list[list[Source]]:
    """The files of each view, left before right, the views by name."""
    of: dict[str, list[Source]] = {}
    for source in sorted(found, key=_eye):
        of.setdefault(names.view(source.name), []).append(source)
    for group in of.values():
        if len({_eye(source) for source in group}) < len(group) or len(group) > 2:
            raise ValueError(_not_told_apart(group))
    return [of[name] for name in sorted(of, key=names.natural)]


def _eye(source: Source) -> float:
    eye = names.eye(source.name)
    return 0.5 if eye is None else float(eye)  # whose name does not tell takes what the other leaves


def _views(groups: Sequence[Sequence[Source]]) -> Iterator[View]:
    n_pixels = 0
    for group in groups:
        pictures = [(grey(source.content(), source.name), names.quoted(source.name)) for source in group]
        n_pixels += sum(picture.size for picture, _ in pictures)
        if n_pixels > MOST_PIXELS_TOGETHER:
            raise ValueError(f"The pictures have more than {MOST_PIXELS_TOGETHER // 10**6} million pixels together.")
        is_cut = len(group) == 1 and names.eye(group[0].name) is None and _is_double(pictures[0][0])
        if is_cut:
            pictures = _halves(*pictures[0])
        called = dict.fromkeys(name for source in group if (name := names.view(source.name)))
        taken = view(names.short(" and ".join(called) or "the pair"), pictures, *names.angles(group[0].name))
        yield replace(taken, is_cut=is_cut)


def _is_double(picture: UInt8[ndarray, "y x"]) -> bool:
    """Whether it is twice as wide as high, within 2 percent."""
    y, x = picture.shape
    return abs(x - 2 * y) <= 0.02 * 2 * y


def _halves(picture: UInt8[ndarray, "y x"], name: str) -> list[tuple[ndarray, str]]:
    """What the left and the right eye see, side by side."""
    x = picture.shape[1]
    return [(picture[:, : x // 2], name), (picture[:, x - x // 2 :], name)]
