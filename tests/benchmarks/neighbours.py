"""Visitors who make a server work hard. Each opens a page, and repeats one action until cancelled."""

import asyncio
import io
import itertools
import random
from collections.abc import Callable, Coroutine

import numpy as np
from PIL import Image
from streamlit.proto.Common_pb2 import StringArray

from tests.benchmarks.server import HOLD_TAB, REVIEW_WORDS, sentence
from tests.benchmarks.visitor import visit

PAGES = (
    "",
    "routing",
    "kmeans",
    "sentiment_capsules",
    "agt",
    "drnn",
    "smallnorb",
    "compare",
    "evidence",
    "ledger",
    "corpus",
    "models",
    "lab",
    "units",
)
SIDE = 500  # pixels of an uploaded photograph
ROWS = 60_000  # rows of an uploaded file


async def ask_whether_it_holds(url: str, page: str) -> None:
    """Paste one text of 342 words after another on the tab "Does it hold?"."""
    draw = random.Random(page)
    async with visit(url, page, HOLD_TAB) as visitor:
        await visitor.open()
        while True:
            await visitor.paste(sentence(draw, REVIEW_WORDS))


async def draw_causal_maps(url: str, page: str) -> None:
    """Paste one text of 342 words after another, each of which has all couplings cut."""
    draw = random.Random(page)
    async with visit(url, page, "tab=What+if") as visitor:
        await visitor.open()
        await visitor.act("beside it", string_array_value=StringArray(data=["Causal map"]))
        while True:
            await visitor.paste(sentence(draw, REVIEW_WORDS))


async def train_a_head(url: str) -> None:
    """Train a head over the built-in transformer, again and again."""
    async with visit(url, "models", "tab=Your+transformer") as visitor:
        while True:
            await visitor.open()
            if any(
                widget.endswith("train head") and not shown.proto.disabled for widget, shown in visitor.inputs.items()
            ):
                await visitor.act("train head", trigger_value=True)
            await asyncio.sleep(1)


async def turn_a_toy(url: str) -> None:
    """Drag a toy to one direction after another."""
    draw = random.Random(0)
    async with visit(url, "smallnorb") as visitor:
        await visitor.open()
        while True:
            await visitor.go_to("smallnorb", f"from={5 * draw.randrange(72)},{draw.randrange(30, 71, 5)}")


async def upload_photographs(url: str) -> None:
    """Upload one picture after another."""
    async with visit(url, "smallnorb", "source=Your+pictures") as visitor:
        await visitor.open()
        for k in itertools.count():
            content = io.BytesIO()
            Image.fromarray(np.random.default_rng(k).integers(0, 256, (SIDE, SIDE), np.uint8)).save(content, "PNG")
            await visitor.upload(visitor.find("upload"), (f"{k}.png", content.getvalue()))


async def open_every_page(url: str) -> None:
    """Open one page after another, each in a session of its own."""
    for page in itertools.cycle(PAGES):
        async with visit(url, page) as visitor:
            await visitor.open()


async def run_many_rows(url: str) -> None:
    """Run a file of many rows through a network, again and again."""
    draw = random.Random(0)
    rows = "\n".join(sentence(draw) for _ in range(ROWS)).encode()
    async with visit(url, "corpus", "texts=Your+file") as visitor:
        await visitor.open()
        await visitor.upload(visitor.find("upload"), ("rows.txt", rows))
        while True:
            await visitor.open()
            await visitor.act("start corpus", trigger_value=True)
            await asyncio.sleep(1)


KINDS: dict[str, Callable[[str], Coroutine[None, None, None]]] = {  # visitors by action
    "asks whether EM holds": lambda url: ask_whether_it_holds(url, "sentiment_capsules"),
    "asks whether AGT holds": lambda url: ask_whether_it_holds(url, "agt"),
    "draws causal maps of EM": lambda url: draw_causal_maps(url, "sentiment_capsules"),
    "trains a head": train_a_head,
    "turns a toy": turn_a_toy,
    "uploads photographs": upload_photographs,
    "opens every page": open_every_page,
    "runs 60,000 rows": run_many_rows,
}
