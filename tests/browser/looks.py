"""python -m tests.browser.looks [PAGE ...]: keep small pictures of the pages, with which tests compare them.

The pictures are small and blurred: a layout or a colour that changes is seen, a number or a font is not.
"""

import argparse
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter, ImageStat
from playwright.sync_api import Page

from tests.browser import server

KEPT = Path(__file__).parent / "pictures"
SCREEN = {"width": 1280, "height": 900}
SCHEMES = ("light", "dark")
SIZE, BLUR = (320, 225), 3  # pixels
BLOCKS = (16, 12)  # parts of a picture, across and down
MOST, MOST_IN_A_BLOCK = 4, 40  # largest mean differences of a colour, of 255
LOOKS, PAUSE = 8, 500  # looks at a page until it counts as changed, and milliseconds between two
PATIENCE = 120_000  # ms: the first page of EM routing loads a transformer
DOTS = ".stVegaLiteChart svg .mark-symbol.role-mark path"
ON_ONE_RUN = ("routing", "kmeans", "sentiment_capsules", "agt", "drnn")
PAGES = {  # what each page shows once it is drawn, by its name
    "start": ".rs-story-word",
    **dict.fromkeys((*ON_ONE_RUN, "ledger", "corpus", "lab"), server.CELLS),
    "models": DOTS,
    "units": DOTS,
    "evidence": "table",
}


def main() -> int:
    """Run the command; argparse exits with 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.looks", description=__doc__)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"all unless given: {', '.join(PAGES)}")
    chosen = parser.parse_args().pages or list(PAGES)
    if unknown := sorted(set(chosen) - set(PAGES)):
        parser.error(f"there is no page {', '.join(unknown)}; there are {', '.join(PAGES)}")
    KEPT.mkdir(exist_ok=True)
    with server.dashboard() as running, server.chromium() as chromium:
        page = chromium.new_page(viewport=SCREEN, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        for name in chosen:
            page.goto(f"{running.url}/{'' if name == 'start' else name}")
            server.wait_until_drawn(page, PAGES[name])
            for scheme in SCHEMES:
                path = KEPT / f"{name}-{scheme}.webp"
                look(page, scheme).save(path, quality=60)
                print(f"{path.relative_to(server.ROOT)}, {path.stat().st_size / 1000:,.1f} KB")
    return 0


def look(page: Page, scheme: str) -> Image.Image:
    """The screen in light or in dark colours, small and blurred."""
    page.emulate_media(color_scheme=scheme)
    server.wait_until_rested(page)
    shown = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return shown.resize(SIZE, Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(BLUR))


def check_look(page: Page, name: str) -> None:
    """Check that a page that was just opened looks like its kept pictures, at the latest after some more looks."""
    for path in sorted(KEPT.glob(f"{name}-*.webp")):
        kept, scheme = Image.open(path).convert("RGB"), path.stem.removeprefix(f"{name}-")
        for _ in range(LOOKS):
            if is_same := is_alike(look(page, scheme), kept):
                break
            page.wait_for_timeout(PAUSE)  # a chart may still be drawing
        assert is_same, f"{path.name} differs. If it should: python -m tests.browser.looks {name}"
    page.emulate_media(color_scheme="light")


def is_alike(seen: Image.Image, kept: Image.Image) -> bool:
    """Whether two pictures differ by less than a changed layout or colour."""
    changed = ImageChops.difference(seen, kept)
    in_blocks = changed.resize(BLOCKS, Image.Resampling.BOX).getextrema()
    return max(ImageStat.Stat(changed).mean) <= MOST and max(high for _, high in in_blocks) <= MOST_IN_A_BLOCK


if __name__ == "__main__":
    sys.exit(main())
