"""Stereo pairs from a user's files: pictures, archives of pictures, smallNORB's official matrices.

Nothing is written to disk, and sizes are checked before anything is unpacked.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

from core.datasets.smallnorb import Toy
from core.pictures import matrices, photographs
from core.pictures.sources import Files, kind
from core.pictures.view import MAX_VIEWS, SIDE, together

__all__ = ["MAX_VIEWS", "Files", "Pictures", "Toy", "read", "toys"]


@dataclass(frozen=True)
class Pictures:
    """Views, each a pair of pictures.

    images: left and right eye, grey, all of one size. names: one a view. azimuth, elevation: degrees, NaN if unknown.
    notices: sentences for the user, such as what was left out.
    """

    images: UInt8[ndarray, "n 2 y x"]
    names: tuple[str, ...]
    azimuth: Float[ndarray, " n"]
    elevation: Float[ndarray, " n"]
    notices: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.images)


def read(files: Files, toy: Toy | None = None) -> Pictures:
    """Read the views in files of one kind, up to the first ``MAX_VIEWS``.

    - A picture (PNG, JPEG): both eyes side by side if it is twice as wide as high, otherwise the same for both eyes.
    - Two pictures: left and right by their names (left/right, _lt/_rt, _l/_r), otherwise in the order given.
    - More pictures, or a zip archive of them: several views; the names of a view's eyes differ by that mark only.
      Names may give azimuth (az040: degrees) and elevation (el03: smallNORB's index up to 8, above that degrees).
    - smallNORB's matrices, plain or gzipped: all views of -dat alone; with -info (and -cat) those of one toy.

    Args:
        files: pairs of a name and a seekable file.
        toy: one of ``toys(files)``, the first unless given.

    Raises:
        ValueError: a file is refused; one sentence says to the user which and why.
    """
    if _are_matrices(files):
        views, notices = matrices.views(files, toy)
    elif toy is not None:
        raise ValueError("Toys are chosen from smallNORB's matrices only.")
    else:
        views, notices = photographs.views(files)
    images, is_fitted = together(views)
    if is_fitted:
        notices.append(f"The pictures were made square by repeating their edges and resized to {SIDE} x {SIDE} pixels.")
    azimuth, elevation = np.array([(view.azimuth, view.elevation) for view in views], float).T.copy()
    return Pictures(images, tuple(view.name for view in views), azimuth, elevation, tuple(notices))


def toys(files: Files) -> tuple[Toy, ...]:
    """The toys in smallNORB's matrices with -info (and -cat); none in other files.

    Raises:
        ValueError: the matrices do not belong together.
    """
    return matrices.toys(files) if _are_matrices(files) else ()


def _are_matrices(files: Files) -> bool:
    if not files:
        raise ValueError("No file was given.")
    kinds = {kind(file, name) for name, file in files}
    if "matrix" in kinds and len(kinds) > 1:
        raise ValueError("Matrices and pictures are not read together: give one kind.")
    return kinds == {"matrix"}
