"""Users who paste one sentence after another, while something else happens on their server."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.benchmarks.server import p95_of, sentence
from tests.benchmarks.visitor import PATIENCE, visit

USERS, EVERY = 8, 1.0  # users, and seconds between two sentences of one user
WARM = 5  # seconds at the start that are not counted
MIN_PASTES = 20  # pastes for a meaningful quantile
LABEL = f"{USERS} users, a sentence every {EVERY:g} s"  # beginning of the figures' names


@dataclass
class Pasting:
    """The seconds per paste since ``times`` was last cleared, and all errors."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    async def measure_p95(self, seconds: float) -> float:
        """Time pastes for some seconds, or longer for ``MIN_PASTES``; return their 95th percentile in milliseconds."""
        self.times.clear()
        await asyncio.sleep(seconds)
        while len(self.times) < MIN_PASTES:
            await asyncio.sleep(EVERY)
        return p95_of(self.times)


@asynccontextmanager
async def users(url: str) -> AsyncIterator[Pasting]:
    """Users who paste until the end of the block."""
    pasting = Pasting()
    began = asyncio.get_running_loop().time()

    async def user(k: int) -> None:
        draw = random.Random(k)
        async with visit(url) as visitor:
            await visitor.open()
            while True:
                await asyncio.sleep(_until_next(k, asyncio.get_running_loop().time() - began))
                try:
                    spent = await visitor.paste(sentence(draw))
                except (RuntimeError, TimeoutError) as error:
                    pasting.errors.append(str(error) or type(error).__name__)
                    await visitor.disconnect()
                    spent = PATIENCE  # a paste without an answer counts as the longest wait
                pasting.times.append(spent)
                pasting.errors += ["a connection broke"] * visitor.broken
                visitor.broken = 0

    tasks = [asyncio.create_task(user(k)) for k in range(USERS)]
    try:
        await asyncio.sleep(WARM)
        yield pasting
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _until_next(user: int, now: float) -> float:
    """Seconds until a user's next paste.

    Each user has fixed moments. Otherwise a common wait would synchronize the users, and from then on each would wait
    for the seven others.
    """
    return (user * EVERY / USERS - now) % EVERY
