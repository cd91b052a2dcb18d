"""Reads stereo pairs from a user's files: pictures, archives of pictures, or smallNORB's official matrices.

Nothing is written to disk, and sizes are checked before anything is unpacked.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

from core.datasets.smallnorb import Toy
from core.pictures import matrices, photographs
from core.pictures.adjust import Adjustment
from core.pictures.sources import Files, kind
from core.pictures.view import MAX_VIEWS, SIDE, View, in_one_size

__all__ = ["MAX_VIEWS", "Adjustment", "Files", "Pictures", "Toy", "left_picture", "read", "toys"]

UNCHANGED = Adjustment()


@dataclass(frozen=True)
class Pictures:
    """Views, each with one picture per eye.

    Args:
        images: left and right pictures, grey, all of one size.
        names: names of the views, for display.
        azimuth, elevation: directions in degrees, NaN if unknown.
        notices: sentences for the user, for example that a picture was resized.
        how: phrase for the way each view's files were read; empty for matrices and rendered toys.
    """

    images: UInt8[ndarray, "n 2 y x"]
    names: tuple[str, ...]
    azimuth: Float[ndarray, " n"]
    elevation: Float[ndarray, " n"]
    notices: tuple[str, ...]
    how: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.images)


def read(files: Files, toy: Toy | None = None, adjustment: Adjustment = UNCHANGED) -> Pictures:
    """Read the first ``MAX_VIEWS`` views from files of one kind.

    - One picture (PNG, JPEG, WebP, GIF, HEIC): both eyes side by side if it is twice as wide as high, else one picture
            for both eyes.
    - Two pictures: left and right according to their names (left/right, _lt/_rt, _l/_r), else in the given order.
    - More pictures, or a zip archive of them: views. The names of a view's two pictures differ only in the mark of the
            eye. Names may contain azimuth (az040: degrees) and elevation (el03: smallNORB's index up to 8, else
            degrees). A view that cannot be read is left out, and a notice names it.
    - smallNORB's matrices, plain or gzipped: only -dat, or also -info (and -cat) for one toy, ``toy`` or the first.

    Args:
        files: pairs of a name and a seekable file.
        toy: one of ``toys(files)``.
        adjustment: adjustment of every picture, or of each half of a double one; matrices are not adjusted.

    Raises:
        ValueError: a file is refused. The message is one sentence that names the first refused file and the reason.
    """
    if are_matrices := _are_matrices(files):
        views, notices = matrices.views(files, toy)
    elif toy is not None:
        raise ValueError("Toys are chosen from smallNORB's matrices only.")
    else:
        views, notices = photographs.views(files, adjustment)
    images, is_fitted = in_one_size(views)
    if is_fitted:
        notices.append(f"The pictures were made square by repeating their edges and resized to {SIDE} x {SIDE} pixels.")
    azimuth, elevation = (
        np.array([getattr(view, angle) for view in views], float) for angle in ("azimuth", "elevation")
    )
    how = () if are_matrices else tuple(_describe(view, images.shape[2:]) for view in views)
    return Pictures(images, tuple(view.name for view in views), azimuth, elevation, tuple(notices), how)


def left_picture(files: Files, name: str = "") -> UInt8[ndarray, "y x"]:
    """The picture of a view for the left eye in grey, before it is adjusted and resized.

    Args:
        files: as in ``read``.
        name: name of the view, as in ``Pictures.names``; the first view if none has this name.

    Raises:
        ValueError: as in ``read``, or the files are matrices.
    """
    if _are_matrices(files):
        raise ValueError("Matrices have no picture to adjust.")
    return photographs.left_picture(files, name)


def _describe(view: View, shape: tuple[int, ...]) -> str:
    """Describe in words how a view's files became pictures of this shape."""
    is_resized = view.is_fitted or view.left.shape != shape
    steps = [view.how, *[f"made square and resized to {SIDE} x {SIDE}"] * is_resized]
    return f"{', '.join(steps)}; {view.eyes}"


def toys(files: Files) -> tuple[Toy, ...]:
    """The toys in smallNORB's matrices with -info (and -cat); none in other files.

    Raises:
        ValueError: as in ``read``.
    """
    return matrices.toys(files) if _are_matrices(files) else ()


def _are_matrices(files: Files) -> bool:
    """Whether the files are matrices; ValueError if there are no files, or of both kinds."""
    if not files:
        raise ValueError("No file was given.")
    kinds = {kind(file, name) for name, file in files}
    if "matrix" in kinds and len(kinds) > 1:
        raise ValueError("Give either matrices or pictures, not both.")
    return kinds == {"matrix"}
