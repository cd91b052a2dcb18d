"""python -m core.datasets.toyrig.kept: render one turn of each named toy, and keep it without loss next to this file.

A kept turn is read in 5 ms. Rendering it takes two seconds.
"""

import argparse
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray
from PIL import Image
from tqdm import tqdm

from core import cli
from core.datasets import toyrig
from core.datasets.toyrig.camera import SIZE
from core.files import write

FOLDER = Path(__file__).with_name("turns")
ELEVATION, LIGHTING = 50, 0  # degrees; all lamps
ROWS, COLUMNS = 6, 6  # of pictures in a file: 18 azimuths, two eyes each


def read_turn(category: int, instance: int) -> UInt8[ndarray, "azimuth 2 y x"]:
    """The views of a named toy from ``toyrig.AZIMUTHS``, at ``ELEVATION`` in ``LIGHTING``.

    Raises:
        ValueError: there is no such toy.
    """
    path = _path(category, instance)
    if not path.is_file():
        raise ValueError(f"No turn is kept of toy {instance} of category {category}.")
    with Image.open(path) as picture:
        grey = np.asarray(picture.convert("RGB"))[..., 0]
    return grey.reshape(ROWS, SIZE, COLUMNS, SIZE).swapaxes(1, 2).reshape(-1, 2, SIZE, SIZE)


def keep_turn(category: int, instance: int) -> None:
    """Render the views of a named toy, and write them to one file."""
    turn = toyrig.photographs(category, instance, elevations=[ELEVATION])[0, :, LIGHTING]
    sheet = turn.reshape(ROWS, COLUMNS, SIZE, SIZE).swapaxes(1, 2).reshape(ROWS * SIZE, COLUMNS * SIZE)
    content = BytesIO()
    Image.fromarray(sheet).convert("RGB").save(content, "WEBP", lossless=True, quality=100, method=6)
    write(_path(category, instance), content.getvalue())


def _path(category: int, instance: int) -> Path:
    return FOLDER / f"{category}-{instance}.webp"


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code: 0, or 2 after one clear line on bad input."""
    return cli.run(cli.Parser(prog="python -m core.datasets.toyrig.kept", description=__doc__), keep_all, arguments)


def keep_all(args: argparse.Namespace) -> None:
    """Keep a turn of all named toys."""
    FOLDER.mkdir(exist_ok=True)
    toys = [(category, instance) for category, kinds in enumerate(toyrig.KINDS) for instance in range(len(kinds))]
    for toy in tqdm(toys, unit="toy"):
        keep_turn(*toy)


if __name__ == "__main__":
    sys.exit(main())
