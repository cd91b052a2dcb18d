"""A hundred users on two servers behind HAProxy, while one server is killed."""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys

from tests.benchmarks.figure import Figure
from tests.benchmarks.server import crowd, p95_of, sentence
from tests.benchmarks.visitor import visit
from tests.browser import server as browser

USERS, EVERY, LASTS = 100, 10, 40  # users, seconds between two sentences of one user, seconds in all
REPLICAS = 2  # servers
WATCHED = 20  # users who are connected when one server is killed
NOTICED = 2.0  # seconds; users notice a longer paste


def serve(device: str) -> list[Figure]:
    """The time from a paste to its answer, and the users that a dying server affects."""
    if shutil.which("haproxy") is None:
        print("serve skipped: HAProxy is not installed (apt-get install haproxy)", file=sys.stderr)
        return []
    port = browser.free_port()
    hidden = {"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {}
    command = [sys.executable, "-m", "dashboard.serve", "--replicas", str(REPLICAS), "--port", str(port)]
    process = subprocess.Popen(command, cwd=browser.ROOT, env=os.environ | hidden, stdout=subprocess.DEVNULL)
    url = f"http://localhost:{port}"
    try:
        browser.wait_for(f"{url}/_stcore/health", process)
        _, times = asyncio.run(crowd(url, USERS, EVERY, LASTS))
        lost, others = asyncio.run(_one_dies(url, process.pid))
    finally:
        process.terminate()
        process.wait(60)
    name = f"{USERS} users, a sentence every {EVERY} s, {REPLICAS} servers"
    return [
        Figure(f"{name}, p95", p95_of(times), 300, "ms"),
        Figure("one server killed: its users who do not come back", lost, 0, "users"),
        Figure("one server killed: other users who notice", others, 0, "users"),
    ]


async def _one_dies(url: str, supervisor: int) -> tuple[int, int]:
    """The number of users whom a killed server loses, and of other users who wait longer than ``NOTICED``."""
    children = subprocess.run(["pgrep", "-P", str(supervisor), "-f", "streamlit"], capture_output=True, text=True)
    victim = int(children.stdout.split()[0])
    lost, noticed, killed = [], [], asyncio.Event()

    async def user(k: int) -> None:
        draw = random.Random(k)
        async with visit(url) as visitor:
            await visitor.open()
            await visitor.paste(sentence(draw))
            await killed.wait()
            await asyncio.sleep(k * 5 / WATCHED)  # one user after another, over five seconds
            try:
                spent = await visitor.paste(sentence(draw))
            except (TimeoutError, RuntimeError):
                lost.append(k)
            else:
                if not visitor.broken and spent > NOTICED:
                    noticed.append(k)

    async with asyncio.TaskGroup() as users:
        tasks = [users.create_task(user(k)) for k in range(WATCHED)]
        await asyncio.sleep(8)  # until every user has pasted once
        os.kill(victim, signal.SIGKILL)
        killed.set()
        await asyncio.wait(tasks)
    return len(lost), len(noticed)
