"""python -m tests.browser.preview [NAME ...]: take README's pictures from a running dashboard."""

import argparse
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser import server
from tests.browser.acts import step_back, type_text

PICTURES = server.ROOT / "dashboard" / "pictures"
WHAT_IF = "what_if"
ADDRESSES = {  # addresses of the pages by picture
    "start": "",
    "routing": "routing",
    WHAT_IF: "routing?inspect=Change+it&word=4&capsule=5&edit=replace:3%3Dterrible",
    **{name: name for name in ("kmeans", "sentiment_capsules", "agt", "drnn", "smallnorb", "lab")},
}
STORY = ".rs-story-word"  # a word of Start's picture
MOVING = "moving"  # picture at the top of README
PATIENCE = 120_000  # ms: a toy is rendered from eighteen directions

SCREEN = {"width": 1200, "height": 900}
THUMBNAIL, LARGE = (480, 360), (960, 720)  # pixels of a picture of a page, and of the moving picture
N_COLOURS = 256
CHECKPOINT, FIRST_TEXT = "dragg-reversed-sst5", "A warm, funny and deeply moving film."
TEXT = "The acting is superb, but the plot never earns its two long hours."
CELL = 3 * 5 + 3  # "superb" in the fourth of five capsules
WORDS_PER_FRAME = 3  # words that are typed from one frame to the next
TYPING, SCRUBBING, RESTING = 160, 900, 2000  # ms, durations of frames


def main() -> int:
    """Run the command; argparse exits with 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.preview", description=__doc__)
    names = (MOVING, *ADDRESSES)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"all unless given: {', '.join(names)}")
    chosen = parser.parse_args().names or names
    if unknown := sorted(set(chosen) - set(names)):
        parser.error(f"there is no picture {', '.join(unknown)}; there are {', '.join(names)}")
    PICTURES.mkdir(exist_ok=True)
    with server.dashboard() as running, server.chromium() as chromium:
        for name in chosen:
            take = take_moving if name == MOVING else take_thumbnail
            path = take(chromium, running.url, name)
            print(f"{path.relative_to(server.ROOT)}, {path.stat().st_size / 1000:,.0f} KB")
    return 0


def take_thumbnail(chromium: Browser, url: str, name: str) -> Path:
    """Take a picture of a page's first screen, with few colours for a small file."""
    page = open_page(chromium, f"{url}/{ADDRESSES[name]}", STORY if name == "start" else server.CELLS)
    path = PICTURES / f"{name}.png"
    screenshot(page, THUMBNAIL).quantize(N_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    page.close()
    return path


def take_moving(chromium: Browser, url: str, name: str) -> Path:
    """Take a moving picture, in which a text is typed and run, and the slider moves through its iterations."""
    page = open_page(chromium, f"{url}/routing?checkpoint={CHECKPOINT}")
    type_text(page, FIRST_TEXT)
    frames, durations = zip(*scenes(page), strict=True)
    path = PICTURES / f"{name}.gif"
    colours = frames[-1].quantize(255, dither=Image.Dither.NONE)
    first, *rest = (frame.quantize(palette=colours, dither=Image.Dither.NONE) for frame in frames)
    first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)
    page.close()
    return path


def scenes(page: Page) -> Iterator[tuple[Image.Image, int]]:
    """Yield each frame and its duration in milliseconds."""
    yield screenshot(page, LARGE), RESTING
    box, words = page.get_by_role("textbox", name="Your text"), TEXT.split()
    for end in range(WORDS_PER_FRAME, len(words), WORDS_PER_FRAME):
        box.fill(" ".join(words[:end]))
        yield screenshot(page, LARGE), TYPING
    type_text(page, TEXT)
    page.locator(server.CELLS).nth(CELL).click()
    page.mouse.move(0, 0)  # closes tooltips
    server.wait_until_rested(page)
    step_back(page, 2)
    for last in (False, False, True):
        server.wait_until_rested(page)
        yield screenshot(page, LARGE), RESTING if last else SCRUBBING
        page.keyboard.press("ArrowRight")


def open_page(chromium: Browser, url: str, shows: str = server.CELLS) -> Page:
    """Open a page of the dashboard, close its sidebar, and wait until it is drawn with an element ``shows``."""
    page = chromium.new_page(viewport=SCREEN, color_scheme="light", reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    server.wait_until_drawn(page, shows)
    page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click(force=True)
    server.wait_until_rested(page)
    return page


def screenshot(page: Page, size: tuple[int, int]) -> Image.Image:
    """A picture of the screen, scaled to a size."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return picture.resize(size, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    sys.exit(main())
