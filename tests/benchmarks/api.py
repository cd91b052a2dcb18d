"""Response times of the interface for programs: a request for a run to its answer, over one HTTP connection."""

import json
import random
import statistics
import time
from http.client import HTTPConnection
from urllib.parse import urlsplit

from tests.benchmarks.figure import Figure
from tests.benchmarks.server import N_WORDS, WORDS, p95_of, processor_seconds, shipped

REQUESTS = 200
NETWORKS = {  # limits of p50 and p95 in milliseconds
    "dragg-sst5": (15, 50),
    "cccaps-ag": (15, 50),
    "agt-sst5": (15, 50),
    "em-sst5": (30, 100),
    "drnn-ag": (30, 100),
}


def api(device: str) -> list[Figure]:
    """The time from a request to its whole answer: every step of the run of a new sentence, as JSON.

    The processor time depends less on what else the machine does.
    """
    figures = []
    with shipped(device) as running:
        connection = HTTPConnection(urlsplit(running.url).netloc)
        for network, (p50, p95) in NETWORKS.items():
            for number in range(REQUESTS // 10):
                _ask(connection, network, number)
            before = processor_seconds(running.process.pid)
            times = [_ask(connection, network, number) for number in range(REQUESTS // 10, REQUESTS)]
            used = (processor_seconds(running.process.pid) - before) / len(times)
            name = f"/api/explain, {N_WORDS} words, {network}"
            figures.append(Figure(f"{name}, p50", 1000 * statistics.median(times), p50, "ms"))
            figures.append(Figure(f"{name}, p95", p95_of(times), p95, "ms"))
            figures.append(Figure(f"{name}, processor time of the server", 1000 * used, None, "ms"))
        connection.close()
    return figures


def _ask(connection: HTTPConnection, network: str, number: int) -> float:
    """Send a new sentence, and return the seconds until its answer."""
    words = random.Random(number).choices(WORDS, k=N_WORDS)
    request = json.dumps({"network": network, "text": " ".join(words)})
    began = time.perf_counter()
    connection.request("POST", "/api/explain", request, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    waited = time.perf_counter() - began
    if answer.status != 200:
        raise RuntimeError(f"{network}: status {answer.status}, {content[:200]!r}")
    return waited
