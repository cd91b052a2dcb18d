"""Response times of the Lab while a part is dragged, as its browser asks the shipped server."""

import asyncio
import json
import statistics
import time
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from dashboard.server.lab import ROUTE
from tests.benchmarks.figure import Figure
from tests.benchmarks.server import p95_of, shipped
from tests.benchmarks.visitor import visit

MOVES = 100
STARTS = {  # query of the address by scene
    "two parts": "start=Two parts of a house",
    "eight parts": "start=House and boat&iterations=10",
}


def lab(device: str) -> list[Figure]:
    """The time from a position of a dragged part to its answer: votes, four routings and their sentences."""
    figures = []
    with shipped(device) as running:
        for title, query in STARTS.items():
            times = _drag(running.url, asyncio.run(_open(running.url, query)))
            name = f"Lab, a move with {title} to its answer"
            figures.append(Figure(f"{name}, p50", 1000 * statistics.median(times), 25, "ms"))
            figures.append(Figure(f"{name}, p95", p95_of(times), 50, "ms"))
    return figures


async def _open(url: str, query: str) -> dict[str, Any]:
    """The data of the picture on a page that was just opened."""
    async with visit(url, "lab", query) as visitor:
        await visitor.open()
        return json.loads(visitor.components["routescope_lab"][0].json)


def _drag(url: str, shown: dict[str, Any]) -> list[float]:
    """Seconds per move of one part across the plane, without the first tenth of the moves."""
    connection = HTTPConnection(urlsplit(url).netloc)
    times = [_move(connection, shown, number) for number in range(1, MOVES + 1)]
    connection.close()
    return times[MOVES // 10 :]


def _move(connection: HTTPConnection, shown: dict[str, Any], number: int) -> float:
    """Move the first part to its place at a step, and return the seconds until the answer."""
    parts = [dict(part) for part in shown["parts"]]
    parts[0]["x"] = -3 + 6 * number / MOVES  # from left to right across the plane
    message = {"number": number, "version": shown["version"], "parts": parts, "asked": shown["asked"]}
    began = time.perf_counter()
    connection.request("POST", f"/{ROUTE}", json.dumps(message))
    answer = json.loads(connection.getresponse().read())
    waited = time.perf_counter() - began
    if answer["answers"] != number:
        raise RuntimeError(f"move {number} was answered as move {answer['answers']}")
    return waited
