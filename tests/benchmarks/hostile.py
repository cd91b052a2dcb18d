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
from tests.benchmarks.pasting import LABEL, WARM, users
from tests.benchmarks.server import megabytes_of, p95_of, shipped
from tests.benchmarks.visitor import visit
from tests.browser.server import Server

QUIET = 20  # seconds of pastes on the quiet server
SETTLING = 60  # seconds from the last attack to the measurement of memory
WITH_NEIGHBOUR, REST = 15, 3  # seconds of pastes while a neighbour works, and of rest afterwards
INTERVAL = 0.2  # seconds between two measurements of memory


def hostile(device: str) -> list[Figure]:
    """The response times for eight users on a public server: during attacks, with one heavy visitor, and with eight."""
    helper = ProcessPoolExecutor(1, get_context("spawn"))  # keeps this process, which measures times, idle
    with helper, shipped(device, ROUTESCOPE_PUBLIC="1") as running:
        figures = asyncio.run(_attacked(running, helper))
    helper = ProcessPoolExecutor(1, get_context("spawn"))
    with helper, shipped(device, ROUTESCOPE_PUBLIC="1") as running:
        return figures + asyncio.run(_with_neighbours(running.url, helper))


async def _attacked(running: Server, helper: ProcessPoolExecutor) -> list[Figure]:
    """The figures of users, and of the owner of a model, while the helper process attacks the server."""
    loop = asyncio.get_running_loop()

    def megabytes() -> float:
        return megabytes_of(running.process.pid)

    await loop.run_in_executor(helper, attacks.make_files)
    async with visit(running.url) as visitor:
        await visitor.open()
        for page in visitor.pages:  # so that the memory for loading them is not counted
            await visitor.go_to(page)
    async with users(running.url) as pasting, visit(running.url, "models") as owner:
        await owner.open()
        await owner.upload(owner.find("model"), ("mine.zip", hostile_files.sound()))
        quiet, before = await pasting.measure_p95(QUIET), megabytes()
        pasting.times.clear()
        attack = loop.run_in_executor(helper, attacks.attack, running.url)
        peak = await _peak(megabytes, attack)
        attacked, slowest = p95_of(pasting.times), max(pasting.times)
        await asyncio.sleep(SETTLING)
        growth = megabytes() - before
        await owner.go_to("models")
        lost = not any("mine" in getattr(shown.proto, "options", ()) for shown in owner.inputs.values())
    for line in [*await attack, *pasting.errors]:
        print(line, file=sys.stderr)
    return [
        Figure(f"{LABEL}, p95", quiet, None, "ms"),
        Figure(f"{LABEL}, attacked, p95", attacked, 250, "ms"),
        Figure(f"{LABEL}, attacked, the slowest", slowest, None, "s"),
        Figure("errors that these users see", len(pasting.errors), 0, "errors"),
        Figure("another visitor's model that is lost", int(lost), 0, "models"),
        Figure(f"attacks not withstood, of {len(attacks.attacks())}", len(await attack), 0, "attacks"),
        Figure("server memory, growth while attacked", peak - before, 800, "MB"),
        Figure("server memory, growth a minute after", growth, 200, "MB"),
    ]


async def _peak(megabytes: Callable[[], float], until: asyncio.Future) -> float:
    """The largest memory, in megabytes, until a future is done."""
    peak = megabytes()
    while not until.done():
        peak = max(peak, megabytes())
        await asyncio.sleep(INTERVAL)
    return peak


async def _with_neighbours(url: str, helper: ProcessPoolExecutor) -> list[Figure]:
    """The figures of users while the helper process runs each neighbour in turn, and then all of them at once."""
    loop, kinds = asyncio.get_running_loop(), list(neighbours.KINDS)
    figures = []
    async with users(url) as pasting:
        for names in [*([kind] for kind in kinds), kinds]:
            busy = loop.run_in_executor(helper, run_neighbours, url, names, WARM + WITH_NEIGHBOUR)
            await asyncio.sleep(WARM)
            p95 = await pasting.measure_p95(WITH_NEIGHBOUR)
            if len(names) == 1:
                who, bar = f"one who {names[0]}", 50
            else:
                who, bar = f"{len(names)} such visitors", 250
            figures.append(Figure(f"{LABEL}, beside {who}, p95", p95, bar, "ms"))
            for line in await busy:
                print(line, file=sys.stderr)
            await asyncio.sleep(REST)
    for line in pasting.errors:
        print(line, file=sys.stderr)
    return [*figures, Figure("errors that users beside them see", len(pasting.errors), 0, "errors")]


def run_neighbours(url: str, names: list[str], seconds: float) -> list[str]:
    """Run these neighbours for some seconds, and return one line per error."""

    async def run() -> list[str]:
        tasks = [asyncio.create_task(neighbours.KINDS[name](url)) for name in names]
        await asyncio.wait(tasks, timeout=seconds)
        failed = [f"{name}: {task.exception()}" for name, task in zip(names, tasks, strict=True) if task.done()]
        for task in tasks:
            task.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 10)
        return failed

    return asyncio.run(run())
