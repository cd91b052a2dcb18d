"""Sample files for trying uploads: rendered test toys, in the forms of typical user files."""

import zipfile
from collections.abc import Callable
from io import BytesIO

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray
from PIL import Image

from core.datasets import smallnorb, toyrig

TINT = (1.0, 0.95, 0.85)  # shares of red, green and blue in lamplight
SIZE, PLACE = (320, 240), (20, 36)  # pixels: size of the photograph, and position of the toy
GREYS = (30, 150)  # black and white in an underexposed photograph
TURN = range(0, 360, 40)  # degrees


def one_picture() -> dict[str, bytes]:
    """A dark colour photograph with a car off centre."""
    left = Image.fromarray(_pair("car", 40)[0]).resize((192, 192), Image.Resampling.BICUBIC)
    photograph = Image.new("L", SIZE, int(np.median(np.asarray(left))))
    photograph.paste(left, PLACE)
    dark = GREYS[0] + np.asarray(photograph, float) * (GREYS[1] - GREYS[0]) / 255
    return {"car.png": _png(np.rint(dark[..., None] * TINT).astype(np.uint8))}


def two_pictures() -> dict[str, bytes]:
    """An airplane for the left eye and the right eye."""
    left, right = _pair("airplane", 60)
    return {"airplane_left.png": _png(left), "airplane_right.png": _png(right)}


def turning_views() -> dict[str, bytes]:
    """An archive with views of a truck from all around, for both eyes."""
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for azimuth in TURN:
            left, right = _pair("truck", azimuth)
            file.writestr(f"az{azimuth:03d}_left.png", _png(left))
            file.writestr(f"az{azimuth:03d}_right.png", _png(right))
    return {"truck.zip": archive.getvalue()}


SAMPLES: dict[str, Callable[[], dict[str, bytes]]] = {
    "One picture": one_picture,
    "A pair": two_pictures,
    "A zip that turns": turning_views,
}


def _pair(category: str, azimuth: int) -> UInt8[ndarray, "2 y x"]:
    """The first test toy of a category in the first light, at 40 degrees elevation."""
    number, instance = smallnorb.CLASSES.index(category), toyrig.INSTANCES["test"][0]
    return toyrig.photographs(number, instance, [azimuth], [40])[0, 0, 0]


def _png(picture: UInt8[ndarray, "y x *colour"]) -> bytes:
    content = BytesIO()
    Image.fromarray(picture).save(content, "PNG")
    return content.getvalue()
