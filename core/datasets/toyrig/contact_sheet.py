"""python -m core.datasets.toyrig.contact_sheet [FILE.png]: a picture of all fifty toys, for this folder's README."""

import argparse
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from core import cli
from core.datasets import smallnorb, toyrig
from core.files import write

SHEET = Path(__file__).with_name("contact_sheet.png")
SIDE, CAPTION, TITLE = 96, 14, 18  # pixels: side of a picture, caption below it, title above a row
AZIMUTH, ELEVATION = 40, 40  # degrees
LIGHT = 0  # all lamps
N_GREYS = 32  # few, to keep the file small


def draw_sheet() -> Image.Image:
    """Draw the left eye's picture of every toy with its name, one row per category."""
    n_toys = len(toyrig.KINDS[0])
    row = TITLE + SIDE + CAPTION
    sheet = Image.new("L", (n_toys * SIDE, len(toyrig.KINDS) * row), 255)
    pen = ImageDraw.Draw(sheet)
    for category, (title, names) in enumerate(zip(smallnorb.CLASSES, toyrig.KINDS, strict=True)):
        pen.text((4, category * row + 2), title, fill=0, font=ImageFont.load_default(13))
        for instance, name in enumerate(names):
            picture = toyrig.photographs(category, instance, [AZIMUTH], [ELEVATION])[0, 0, LIGHT, 0]
            place = instance * SIDE, category * row + TITLE
            sheet.paste(Image.fromarray(picture), place)
            pen.text((place[0] + 3, place[1] + SIDE), name, fill=70, font=ImageFont.load_default(10))
    return sheet


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 2 after one clear line on bad input."""
    parser = cli.Parser(prog="python -m core.datasets.toyrig.contact_sheet", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=SHEET, metavar="FILE.png", help="default: README's")
    return cli.run(parser, write_sheet, arguments)


def write_sheet(args: argparse.Namespace) -> None:
    """Write the picture of all toys."""
    content = BytesIO()
    draw_sheet().quantize(N_GREYS).save(content, "PNG", optimize=True)
    write(args.file, content.getvalue())


if __name__ == "__main__":
    sys.exit(main())
