"""Response times while visitors attack the server or make it work hard, and memory after an attack."""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context

from tests import hostile_files
from tests.benchmarks import attacks, neighbours
from tests.benchmarks.figure import Figure
from tests.benchmarks.pasting import NAMED, WARM, users
from tests.benchmarks.server import megabytes_of, p95_of, shipped
from tests.benchmarks.visitor import visit
from tests.browser.server import Server

QUIET = 20  # seconds of pastes on the quiet server
AFTER = 60  # seconds from the last attack to the measurement of memory
BESIDE, REST = 15, 3  # seconds of pastes with a neighbour, and of rest after one
LOOKS = 0.2  # seconds between two measurements of memory


def hostile(device: str) -> list[Figure]:
    """Eight users on a public server: during attacks, with one heavy visitor, and with eight."""
    others = ProcessPoolExecutor(1, get_context("spawn"))  # keeps this process, which measures times, idle
    with others, shipped(device, ROUTESCOPE_PUBLIC="1") as running:
        figures = asyncio.run(_attacked(running, others))
    others = ProcessPoolExecutor(1, get_context("spawn"))
    with others, shipped(device, ROUTESCOPE_PUBLIC="1") as running:
        return figures + asyncio.run(_beside(running.url, others))


async def _attacked(running: Server, others: ProcessPoolExecutor) -> list[Figure]:
    loop, megabytes = asyncio.get_running_loop(), lambda: megabytes_of(running.process.pid)
    await loop.run_in_executor(others, attacks.make_all)
    async with visit(running.url) as visitor:
        await visitor.open()
        for page in visitor.pages:  # so that their loading is not counted
            await visitor.go_to(page)
    async with users(running.url) as pasting, visit(running.url, "models") as owner:
        await owner.open()
        await owner.upload(owner.find("model"), ("mine.zip", hostile_files.sound()))
        quiet, before = await pasting.p95(QUIET), megabytes()
        pasting.times.clear()
        attack = loop.run_in_executor(others, attacks.attack, running.url)
        most = await _most(megabytes, attack)
        beside, slowest = p95_of(pasting.times), max(pasting.times)
        await asyncio.sleep(AFTER)
        left = megabytes() - before
        await owner.go_to("models")
        lost = not any("mine" in getattr(one.proto, "options", ()) for one in owner.inputs.values())
    for line in [*await attack, *pasting.errors]:
        print(line, file=sys.stderr)
    return [
        Figure(f"{NAMED}, p95", quiet, None, "ms"),
        Figure(f"{NAMED}, attacked, p95", beside, 250, "ms"),
        Figure(f"{NAMED}, attacked, the slowest", slowest, None, "s"),
        Figure("errors that these users see", len(pasting.errors), 0, "errors"),
        Figure("another visitor's model that is lost", int(lost), 0, "models"),
        Figure(f"attacks not withstood, of {len(attacks.attacks())}", len(await attack), 0, "attacks"),
        Figure("server memory, growth while attacked", most - before, 800, "MB"),
        Figure("server memory, growth a minute after", left, 200, "MB"),
    ]


async def _most(megabytes: Callable[[], float], until: asyncio.Future) -> float:
    """The largest memory until a future is done."""
    most = megabytes()
    while not until.done():
        most = max(most, megabytes())
        await asyncio.sleep(LOOKS)
    return most


async def _beside(url: str, others: ProcessPoolExecutor) -> list[Figure]:
    loop, kinds = asyncio.get_running_loop(), list(neighbours.KINDS)
    figures = []
    async with users(url) as pasting:
        for names in [*([kind] for kind in kinds), kinds]:
            busy = loop.run_in_executor(others, be_busy, url, names, WARM + BESIDE)
            await asyncio.sleep(WARM)
            p95 = await pasting.p95(BESIDE)
            who, bar = (f"one who {names[0]}", 50) if len(names) == 1 else (f"{len(names)} such visitors", 250)
            figures.append(Figure(f"{NAMED}, beside {who}, p95", p95, bar, "ms"))
            for line in await busy:
                print(line, file=sys.stderr)
            await asyncio.sleep(REST)
    for line in pasting.errors:
        print(line, file=sys.stderr)
    return [*figures, Figure("errors that users beside them see", len(pasting.errors), 0, "errors")]


def be_busy(url: str, names: list[str], seconds: float) -> list[str]:
    """Run these neighbours for some seconds, and return one line per error."""

    async def all_of_them() -> list[str]:
        tasks = [asyncio.create_task(neighbours.KINDS[name](url)) for name in names]
        await asyncio.wait(tasks, timeout=seconds)
        failed = [f"{name}: {task.exception()}" for name, task in zip(names, tasks, strict=True) if task.done()]
        for task in tasks:
            task.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 10)
        return failed

    return asyncio.run(all_of_them())
