"""Many sessions walk over all pages at once, at random and with hostile values: nothing fails, and the log is empty."""

import asyncio
import os

import pytest

from tests.benchmarks.wanderer import Wanderer
from tests.browser import server
from tests.dashboard.coroutines import run_coroutine

ACTIONS = [(5, 6), pytest.param(20, 300, marks=pytest.mark.walk)]  # number of sessions, and of actions in each


async def walk(url: str, seed: int, n: int) -> None:
    """Let a visitor act at random; an error names the last actions."""
    visitor = Wanderer(url, seed)
    try:
        await visitor.open()
        for _ in range(n):
            await visitor.act()
    except Exception as error:
        error.add_note("\n".join(("walked:", *visitor.done[-15:])))
        raise
    finally:
        await visitor.close()


@pytest.mark.parametrize(("sessions", "actions"), ACTIONS)
def test_many_sessions_walk_and_nothing_fails(tmp_path, sessions, actions):
    async def all_walk(url):
        async with asyncio.TaskGroup() as group:
            for seed in range(sessions):
                group.create_task(walk(url, seed, actions))

    variables = {"ROUTESCOPE_MODELS": str(tmp_path), "ROUTESCOPE_PUBLIC": "1"}
    with server.dashboard(env=os.environ | variables, is_quiet=True) as running:
        run_coroutine(all_walk, running.url)
