"""Reads views from files of pictures: finds each file's eye and view."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from core.pictures import names
from core.pictures.adjust import Adjustment
from core.pictures.decode import NoPictureError, grey
from core.pictures.sources import Files, PictureFile, check_sizes, sources
from core.pictures.view import MAX_VIEWS, View, view

MAX_PIXELS_TOGETHER = 400_000_000  # pixels in all pictures, which take about ten seconds
MAX_NAMED = 3  # files named in a notice about files that are left out
UNMARKED = 0.5  # eye of a picture without a mark: it is sorted after ``LEFT`` and before ``RIGHT``


class Eyes(NamedTuple):
    """The decoded files of a view.

    Args:
        pictures: left and right picture, or one for both eyes, each with its name for messages.
        is_cut: whether both are halves of one file.
        had_colour: whether a file had colours.
        is_halved: whether a file was read at half its size.
    """

    pictures: list[tuple[UInt8[ndarray, "y x"], str]]
    is_cut: bool
    had_colour: bool
    is_halved: bool

    def describe(self, adjustment: Adjustment) -> str:
        """Describe in words how the first file became an eye's picture."""
        picture = self.pictures[0][0]
        y, x = picture.shape
        steps = ["half of its size"] * self.is_halved + ["made grey"] * self.had_colour + adjustment.describe(picture)
        return ", ".join([f"{x} x {y} pixels", *steps])


def views(files: Files, adjustment: Adjustment) -> tuple[list[View], list[str]]:
    """The views in single files or an archive, sorted by name, and notices for the user.

    Args:
        files: as in ``core.pictures.read``.
        adjustment: adjustment of every picture, or of each half of a double one.

    Raises:
        ValueError: no picture can be read, the eyes of a view cannot be distinguished, or a file is refused.
    """
    pictures, groups = _groups(files)
    is_pair = _is_pair(files, pictures)
    notices = [f"Only the first {MAX_VIEWS} of {len(groups)} views are taken."] if len(groups) > MAX_VIEWS else []
    groups = groups[:MAX_VIEWS]
    check_sizes([source for group in groups for source in group])
    read, refused = _read(groups, adjustment)
    if refused:
        more = f" And {len(refused) - MAX_NAMED} more." if len(refused) > MAX_NAMED else ""
        notices.append(f"Left out: {' '.join(refused[:MAX_NAMED])}{more}")
    if is_pair and {_eye(source) for source in pictures} == {UNMARKED}:
        notices.append("Neither name says which eye it is: the first picture is taken for the left one.")
    if n_cut := sum(view.is_cut for view in read):
        which = "The picture is" if len(read) == 1 else f"{n_cut} of {len(read)} pictures are"
        notices.append(f"{which} twice as wide as high and taken for both eyes side by side.")
    if n_single := sum(view.left is view.right for view in read):
        if n_single == len(read) > 1:
            notices.append("Each picture is shown to both eyes: none has a second one.")
        else:
            which = f"{n_single} of {len(read)} views have" if len(read) > 1 else "The view has"
            notices.append(f"{which} one picture only, which is shown to both eyes.")
    return read, notices


def left_picture(files: Files, name: str = "") -> UInt8[ndarray, "y x"]:
    """The picture of a view for the left eye in grey, before it is adjusted and resized. Errors as in ``views``.

    Args:
        files: as in ``core.pictures.read``.
        name: name of the view; the first view that can be read if none has this name.
    """
    groups = _groups(files)[1][:MAX_VIEWS]
    check_sizes([source for group in groups for source in group])
    groups.sort(key=lambda group: _name(group) != name)
    refused = []
    for group in groups:
        try:
            return _decode(group).pictures[0][0]
        except NoPictureError as error:
            refused.append(error)
    raise refused[0]


def _groups(files: Files) -> tuple[list[PictureFile], list[list[PictureFile]]]:
    """All pictures, and the same grouped by view."""
    pictures = sources(files)
    if not pictures:
        raise ValueError(f"{names.quoted(files[0][0])} holds no pictures.")
    return pictures, [_pair(pictures)] if _is_pair(files, pictures) else _by_view(pictures)


def _is_pair(files: Files, pictures: Sequence[PictureFile]) -> bool:
    """Whether these are two single files, not from an archive, without different directions in their names."""
    if not len(files) == len(pictures) == 2:
        return False
    first, second = (names.angles(source.name) for source in pictures)
    return bool(np.array_equal(first, second, equal_nan=True))


def _pair(pictures: Sequence[PictureFile]) -> list[PictureFile]:
    """Two pictures as left and right."""
    left, right = sorted(pictures, key=_eye)
    if _eye(left) == _eye(right) != UNMARKED:
        raise ValueError(_ambiguous([left, right]))
    return [left, right]


def _ambiguous(sources: Sequence[PictureFile]) -> str:
    """The message about pictures of one view whose eyes cannot be distinguished."""
    which = ", ".join(names.quoted(source.name) for source in sources[:3])
    return f"{which}: it is not clear which is the left and which is the right eye of one view."


def _by_view(pictures: Sequence[PictureFile]) -> list[list[PictureFile]]:
    """Group pictures by view, left before right, with views sorted by name."""
    groups: dict[str, list[PictureFile]] = {}
    for source in sorted(pictures, key=_eye):
        groups.setdefault(names.view(source.name), []).append(source)
    for group in groups.values():
        if len({_eye(source) for source in group}) < len(group) or len(group) > 2:
            raise ValueError(_ambiguous(group))
    return [groups[name] for name in sorted(groups, key=names.natural)]


def _eye(source: PictureFile) -> float:
    """``LEFT``, ``RIGHT`` or ``UNMARKED``. Sorting by it puts an unmarked picture on the side that is free."""
    eye = names.eye(source.name)
    return UNMARKED if eye is None else float(eye)


def _read(groups: Sequence[Sequence[PictureFile]], adjustment: Adjustment) -> tuple[list[View], list[str]]:
    """Read the views, with one sentence per view that cannot be read.

    Raises:
        ValueError: no view can be read, or the pictures have too many pixels in total.
    """
    read, refused, n_pixels = [], [], 0
    for group in groups:
        try:
            eyes = _decode(group)
            one = _view(group, eyes, adjustment)
        except ValueError as error:  # no picture, or too small a one
            refused.append(str(error))
            continue
        n_pixels += sum(picture.size for picture, _ in eyes.pictures)
        if n_pixels > MAX_PIXELS_TOGETHER:
            raise ValueError(f"The pictures have more than {MAX_PIXELS_TOGETHER // 10**6} million pixels together.")
        read.append(one)
    if not read:
        raise ValueError(refused[0])
    return read, refused


def _view(group: Sequence[PictureFile], eyes: Eyes, adjustment: Adjustment) -> View:
    """The view of decoded pictures; ValueError if they are too small."""
    adjusted = [(adjustment.apply(picture), name) for picture, name in eyes.pictures]
    one = view(_name(group), adjusted, *names.angles(group[0].name))
    files = tuple(name for _, name in eyes.pictures)
    return replace(one, is_cut=eyes.is_cut, how=eyes.describe(adjustment), files=files)


def _name(group: Sequence[PictureFile]) -> str:
    """The name of a view, for display."""
    view_names = dict.fromkeys(name for source in group if (name := names.view(source.name)))
    return names.short(" and ".join(view_names) or "the pair")


def _decode(group: Sequence[PictureFile]) -> Eyes:
    """Decode the pictures of one view; a picture of both eyes is cut in two."""
    greys = [grey(source.content(), source.name) for source in group]
    pictures = [(decoded.pixels, names.quoted(source.name)) for decoded, source in zip(greys, group, strict=True)]
    is_cut = len(group) == 1 and names.eye(group[0].name) is None and _is_double(greys[0].pixels)
    eyes, had_colour = _halves(*pictures[0]) if is_cut else pictures, any(decoded.had_colour for decoded in greys)
    return Eyes(eyes, is_cut, had_colour, any(decoded.is_halved for decoded in greys))


def _is_double(picture: UInt8[ndarray, "y x"]) -> bool:
    """Whether the picture is twice as wide as high, within 2 percent."""
    y, x = picture.shape
    return abs(x - 2 * y) <= 0.02 * 2 * y


def _halves(picture: UInt8[ndarray, "y x"], name: str) -> list[tuple[ndarray, str]]:
    """Cut a picture into the left and the right eye's halves."""
    x = picture.shape[1]
    return [(picture[:, : x // 2], name), (picture[:, x - x // 2 :], name)]
