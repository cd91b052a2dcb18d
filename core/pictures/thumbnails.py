"""Many small grey pictures in one compressed file."""

from io import BytesIO

import numpy as np
from jaxtyping import Shaped, UInt8
from numpy import ndarray
from PIL import Image

COLUMNS = 16  # pictures in a row of the file
SIDE, QUALITY = 64, 70  # pixels, and of 100


def shrink(pictures: UInt8[ndarray, "n y x"]) -> UInt8[ndarray, "n side side"]:
    """Square pictures in ``SIDE`` pixels each way."""
    size = (SIDE, SIDE)
    small = [Image.fromarray(picture).resize(size, Image.Resampling.BOX) for picture in pictures]
    return np.stack([np.asarray(picture) for picture in small])


def pack(pictures: Shaped[ndarray, "n side side"]) -> UInt8[ndarray, " b"]:
    """The bytes of a WebP file that holds all pictures in ``SIDE`` pixels each way, row by row, with small errors."""
    rows = -(-len(pictures) // COLUMNS)
    sheet = np.zeros((rows * COLUMNS, SIDE, SIDE), np.uint8)
    sheet[: len(pictures)] = pictures.round()
    whole = sheet.reshape(rows, COLUMNS, SIDE, SIDE).swapaxes(1, 2).reshape(rows * SIDE, COLUMNS * SIDE)
    content = BytesIO()
    Image.fromarray(whole).convert("RGB").save(content, "WEBP", quality=QUALITY, method=6)
    return np.frombuffer(content.getvalue(), np.uint8)


def unpack(packed: UInt8[ndarray, " b"], n: int) -> UInt8[ndarray, "n side side"]:
    """The n pictures of ``pack``.

    Raises:
        ValueError: the bytes are no such file.
    """
    try:
        with Image.open(BytesIO(packed.tobytes()), formats=["WEBP"]) as picture:
            if picture.size != (COLUMNS * SIDE, -(-n // COLUMNS) * SIDE):
                raise ValueError(f"the file has {picture.size} pixels")
            grey = np.asarray(picture.convert("L"))
    except (OSError, SyntaxError, ValueError) as error:
        raise ValueError(f"these are no {n} small pictures: {error}") from None
    return grey.reshape(-1, SIDE, COLUMNS, SIDE).swapaxes(1, 2).reshape(-1, SIDE, SIDE)[:n]
