"""Reads stereo pairs from a user's files: pictures, archives of pictures, or smallNORB's official matrices.

Nothing is written to disk, and sizes are checked before anything is unpacked.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

from core.datasets.smallnorb import Toy
from core.pictures import matrices, photographs
from core.pictures.sources import Files, kind
from core.pictures.view import MAX_VIEWS, SIDE, in_one_size

__all__ = ["MAX_VIEWS", "Files", "Pictures", "Toy", "read", "toys"]


@dataclass(frozen=True)
class Pictures:
    """Views, each seen by two eyes.

    Args:
        images: left and right, grey, all of one size.
        names: of the views, for display.
        azimuth, elevation: in degrees, NaN where not known.
        notices: sentences for the user, such as that a picture was resized.
    """

    images: UInt8[ndarray, "n 2 y x"]
    names: tuple[str, ...]
    azimuth: Float[ndarray, " n"]
    elevation: Float[ndarray, " n"]
    notices: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.images)


def read(files: Files, toy: Toy | None = None) -> Pictures:
    """Read the first ``MAX_VIEWS`` views in files of one kind.

    - One picture (PNG, JPEG): both eyes side by side if it is twice as wide as high, else one picture for both eyes.
    - Two pictures: left and right according to their names (left/right, _lt/_rt, _l/_r), else in the given order.
    - More pictures, or a zip archive of them: views. The names of a view's two pictures differ only in the mark of the
      eye. Names may contain azimuth (az040: degrees) and elevation (el03: smallNORB's index up to 8, else degrees).
    - smallNORB's matrices, plain or gzipped: -dat alone, or with -info (and -cat) one toy, ``toy`` or the first.

    Args:
        files: pairs of a name and a seekable file.
        toy: one of ``toys(files)``.

    Raises:
        ValueError: one sentence for the user that names the first refused file and the reason.
    """
    if _are_matrices(files):
        views, notices = matrices.views(files, toy)
    elif toy is not None:
        raise ValueError("Toys are chosen from smallNORB's matrices only.")
    else:
        views, notices = photographs.views(files)
    images, is_fitted = in_one_size(views)
    if is_fitted:
        notices.append(f"The pictures were made square by repeating their edges and resized to {SIDE} x {SIDE} pixels.")
    azimuth, elevation = (
        np.array([getattr(view, angle) for view in views], float) for angle in ("azimuth", "elevation")
    )
    return Pictures(images, tuple(view.name for view in views), azimuth, elevation, tuple(notices))


def toys(files: Files) -> tuple[Toy, ...]:
    """The toys in smallNORB's matrices with -info (and -cat); none in other files.

    Raises:
        ValueError: as in ``read``.
    """
    return matrices.toys(files) if _are_matrices(files) else ()


def _are_matrices(files: Files) -> bool:
    """Whether the files are matrices; ValueError if there are none or of both kinds."""
    if not files:
        raise ValueError("No file was given.")
    kinds = {kind(file, name) for name, file in files}
    if "matrix" in kinds and len(kinds) > 1:
        raise ValueError("Matrices and pictures are not read together: give one kind.")
    return kinds == {"matrix"}
