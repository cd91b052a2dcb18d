"""Response times of the Lab while a part is dragged, over the websocket of the shipped server."""

import asyncio
import json
import statistics

from tests.benchmarks.figure import Figure
from tests.benchmarks.server import p95_of, shipped
from tests.benchmarks.visitor import Visitor, visit

MOVES = 100
STARTS = {"two parts": "", "eight parts": "start=House and boat&iterations=10"}  # query of the address by scene


def lab(device: str) -> list[Figure]:
    """The time from a position of a dragged part to its answer: votes, four routings and their sentences."""
    figures = []
    with shipped(device) as running:
        for title, query in STARTS.items():
            times = asyncio.run(_drag(running.url, query))
            name = f"Lab, a move with {title} to its answer"
            figures.append(Figure(f"{name}, p50", 1000 * statistics.median(times), 50, "ms"))
            figures.append(Figure(f"{name}, p95", p95_of(times), 150, "ms"))
    return figures


async def _drag(url: str, query: str) -> list[float]:
    """Seconds per move of one part across the plane, without the first tenth of the moves."""
    async with visit(url, "lab", query) as visitor:
        await visitor.open()
        times = [await _move(visitor, number) for number in range(1, MOVES + 1)]
    return times[MOVES // 10 :]


async def _move(visitor: Visitor, number: int) -> float:
    """Move the first part to its place at a step, and return the seconds until the answer."""
    proto, _ = visitor.components["routescope_lab"]
    shown = json.loads(proto.json)
    parts = shown["parts"]
    parts[0]["x"] = -3 + 6 * number / MOVES  # from left to right across the plane
    message = {"number": number, "version": shown["version"], "parts": parts, "done": False}
    waited = await visitor.tell("routescope_lab", scene=message)
    answer = json.loads(visitor.components["routescope_lab"][0].json)
    if answer["answers"] != number:
        raise RuntimeError(f"move {number} was answered as move {answer['answers']}")
    return waited
