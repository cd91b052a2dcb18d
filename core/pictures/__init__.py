"""Stereo pairs from files that a user gives: pictures, archives of pictures, smallNORB's official matrices.

Nothing is written to a disk, and sizes are checked before anything is unpacked.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

from core.datasets.smallnorb import Toy
from core.pictures import matrices, photographs
from core.pictures.sources import Files, kind
from core.pictures.view import MOST_VIEWS, SIDE, together

__all__ = ["MOST_VIEWS", "Files", "Pictures", "Toy", "read", "toys"]


@dataclass(frozen=True)
class Pictures:
    """Views, each by two eyes.

    images: left and right, grey, all of one size. names: how each view is called. azimuth, elevation: degrees, NaN
    where not known. notices: what the reader must be told, a sentence each.
    """

    images: UInt8[ndarray, "n 2 y x"]
    names: tuple[str, ...]
    azimuth: Float[ndarray, " n"]
    elevation: Float[ndarray, " n"]
    notices: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.images)


def read(files: Files, toy: Toy | None = None) -> Pictures:
    """The views in files of one kind; at most ``MOST_VIEWS``, the first.

    - A picture (PNG, JPEG): both eyes side by side if it is twice as wide as high, else seen by both eyes.
    - Two pictures: left and right, as their names tell (left/right, _lt/_rt, _l/_r), else in the order given.
    - More pictures, or a zip archive of them: views, whose eyes have names that differ by that mark only. Names may
      tell azimuth (az040: degrees) and elevation (el03: smallNORB's index up to 8, else degrees).
    - smallNORB's matrices, plain or gzipped: -dat alone, or with -info (and -cat) one toy, ``toy`` or the first.

    Args:
        files: name as given and seekable file, each.
        toy: one of ``toys(files)``.

    Raises:
        ValueError: one sentence for the reader, of the first file that is refused and why.
    """
    if _of_matrices(files):
        views, notices = matrices.views(files, toy)
    elif toy is not None:
        raise ValueError("Toys are chosen from smallNORB's matrices only.")
    else:
        views, notices = photographs.views(files)
    images, is_fitted = together(views)
    if is_fitted:
        notices.append(f"The pictures were made square by repeating their edges and resized to {SIDE} x {SIDE} pixels.")
    azimuth, elevation = (np.array([getattr(view, of) for view in views], float) for of in ("azimuth", "elevation"))
    return Pictures(images, tuple(view.name for view in views), azimuth, elevation, tuple(notices))


def toys(files: Files) -> tuple[Toy, ...]:
    """The toys that smallNORB's matrices with -info (and -cat) hold; none in other files.

    Raises:
        ValueError: as ``read`` for matrices that do not belong together.
    """
    return matrices.toys(files) if _of_matrices(files) else ()


def _of_matrices(files: Files) -> bool:
    if not files:
        raise ValueError("No file was given.")
    kinds = {kind(file, name) for name, file in files}
    if "matrix" in kinds and len(kinds) > 1:
        raise ValueError("Matrices and pictures are not read together: give one kind.")
    return kinds == {"matrix"}
