"""Functions that tests run in other processes, with few imports, so that the processes start fast."""

import os
import time
from pathlib import Path

from tests.processes import wait_until


def double(n: int) -> dict:
    return {"n": n, "twice": 2 * n}


def double_with_pytorch(n: int) -> dict:
    import torch

    return double(n) | {"threads": torch.get_num_threads()}


def double_at_last(case: tuple[int, str]) -> dict:
    """Double a number, but for 2 kill the worker at the first try."""
    n, folder = case
    tried = Path(folder) / f"{n}"
    if n == 2 and not tried.exists():
        tried.touch()
        time.sleep(0.1)
        os._exit(1)
    return double(n)


def killed(n: int) -> dict:
    """End the worker without an answer."""
    os._exit(1)


def wait(case: tuple[int, str]) -> dict:
    """Record the case and the process, and wait for the file ``go`` before doubling."""
    n, folder = case
    (Path(folder) / f"case {n} in {os.getpid()}").touch()
    wait_until((Path(folder) / "go").exists)
    return double(n)


def tell(folder: str) -> dict:
    """Record the process, and never end."""
    (Path(folder) / f"{os.getpid()}").touch()
    time.sleep(600)
    return {}


def work(case: tuple[int, str]) -> dict:
    """Record the case, and take a while."""
    n, folder = case
    (Path(folder) / f"{n}").touch()
    time.sleep(0.2)
    return {}
