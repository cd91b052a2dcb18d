"""Functions that tests run in other processes. The file has few imports, so that they start fast."""

import os
import time
from pathlib import Path

from tests.processes import until


def double(n: int) -> dict:
    return {"n": n, "twice": 2 * n}


def double_with_pytorch(n: int) -> dict:
    import torch

    return double(n) | {"threads": torch.get_num_threads()}


def double_at_last(asked: tuple[int, str]) -> dict:
    """Kill the worker the first time."""
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
    """Record the case and the process, and wait for permission to end."""
    n, folder = asked
    (Path(folder) / f"case {n} in {os.getpid()}").touch()
    until((Path(folder) / "go").exists)
    return double(n)


def tell(folder: str) -> dict:
    """Record the process, and never end."""
    (Path(folder) / f"{os.getpid()}").touch()
    time.sleep(600)
    return {}


def work(asked: tuple[int, str]) -> dict:
    """Record the case, and take a while."""
    n, folder = asked
    (Path(folder) / f"{n}").touch()
    time.sleep(0.2)
    return {}
