"""Cases that tests run in other processes, which import this file: it needs little."""

import os
import time
from pathlib import Path

from tests.processes import until


def double(n: int) -> dict:
    return {"n": n, "twice": 2 * n}


def double_at_last(asked: tuple[int, str]) -> dict:
    """Kills its worker the first time."""
    n, folder = asked
    tried = Path(folder) / f"{n}"
    if n == 2 and not tried.exists():
        tried.touch()
        time.sleep(0.1)
        os._exit(1)
    return double(n)


def killed(n: int) -> dict:
    os._exit(1)


def wait(asked: tuple[int, str]) -> dict:
    """Says which case it is and where it runs, and stays until it may go."""
    n, folder = asked
    (Path(folder) / f"case {n} in {os.getpid()}").touch()
    until((Path(folder) / "go").exists)
    return double(n)


def tell(folder: str) -> dict:
    """Says which process it is, and stays."""
    (Path(folder) / f"{os.getpid()}").touch()
    time.sleep(600)
    return {}


def work(asked: tuple[int, str]) -> dict:
    """Says which case it is, and takes a while."""
    n, folder = asked
    (Path(folder) / f"{n}").touch()
    time.sleep(0.2)
    return {}
