"""Response times of the page Units: how long it takes to open, and from a key to the finder's sentence in Chromium."""

import asyncio
import shutil
import statistics
import tempfile
from pathlib import Path

import numpy as np

from core import manifest
from core.measured import store
from tests.benchmarks.figure import Figure
from tests.benchmarks.server import p95_of, shipped
from tests.benchmarks.visitor import visit
from tests.browser import server as browser

N_WORDS = 5000  # frequent words of the largest table
OPENINGS = 21  # the first is not counted
NAME, MADE = "em-sst5", "made-units"  # a network with 64 units, and its copy with a table of the largest size

# Types a word letter by letter. Returns the milliseconds from each key to the frame after its sentence is in the page.
TYPE = """async (word) => {
    const box = document.querySelector('.st-key-word input'), says = document.querySelector('.rs-found');
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set, times = [];
    for (let n = 1; n <= word.length; n++) {
        const before = says.textContent, began = performance.now();
        set.call(box, word.slice(0, n));
        box.dispatchEvent(new Event('input', { bubbles: true }));
        while (says.textContent === before && performance.now() - began < 5000) {
            await new Promise(requestAnimationFrame);
        }
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - began);
    }
    return times;
}"""


def units(device: str) -> list[Figure]:
    """The time to open the page over the websocket, and from a key to the sentence, 64 units x 5,000 words."""
    with tempfile.TemporaryDirectory() as folder:
        _make(Path(folder))
        with shipped(device, ROUTESCOPE_MODELS=folder) as running:
            keys = _type(running.url)  # first, because PyTorch loads meanwhile
            opened = asyncio.run(_open(running.url))
    title = f"Units, a key to the finder's sentence in Chromium, 64 units x {N_WORDS:,} words"
    return [
        Figure("Units page opened over the websocket, p50", 1000 * statistics.median(opened), 60, "ms"),
        Figure("Units page opened over the websocket, p95", p95_of(opened), None, "ms"),
        Figure(f"{title}, p50", 1000 * statistics.median(keys), 50, "ms"),
        Figure(f"{title}, p95", p95_of(keys), None, "ms"),
    ]


def _make(models: Path) -> None:
    """Put a copy of a network into a folder, whose units take made-up amounts from made-up words."""
    folder, draw = models / MADE, np.random.default_rng(0)
    shutil.copytree(manifest.folder_of(NAME), folder)
    kept = store.read("units", NAME)
    assert kept is not None
    words = np.array([f"word{k}" for k in range(N_WORDS)])
    lift = draw.exponential(size=(len(kept["numbers"]), N_WORDS)).astype(np.float16)
    changed = {"words": words, "counts": draw.integers(5, 5000, N_WORDS), "lift": lift}
    store.save_in(folder, "units", kept | changed, str(kept["sha256"]))


async def _open(url: str) -> list[float]:
    """Seconds until the page is there for one visitor after the other."""
    times = []
    for _ in range(OPENINGS):
        async with visit(url, "units") as visitor:
            times.append(await visitor.open())
    return times[1:]


def _type(url: str) -> list[float]:
    """Seconds from each key to the finder's sentence, without the first word."""
    with browser.chromium() as chromium:
        page = chromium.new_page()
        page.goto(f"{url}/units?checkpoint={MADE}")
        browser.wait_until_drawn(page, ".stVegaLiteChart svg .mark-symbol.role-mark path")
        words = [f"word{k}" for k in range(4242, 4255)]
        return [ms / 1000 for word in words for ms in page.evaluate(TYPE, word)][len(words[0]) :]
