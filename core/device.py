"""The devices that a model can run on."""

import re
from concurrent.futures import ThreadPoolExecutor

import torch


def devices() -> dict[str, str]:
    """The devices of this machine, "cuda" before "cpu", each with its name for display."""
    gpu = {"cuda": torch.cuda.get_device_name(0)} if torch.cuda.is_available() else {}
    return gpu | {"cpu": "CPU"}


def pick_device(device: str | torch.device = "auto") -> torch.device:
    """The device to run on.

    Args:
        device: "cpu"; "cuda", which is the first GPU; "cuda:1" and so on; or "auto" for the first GPU if there is one.

    Raises:
        ValueError: an unknown name, or a GPU that is not there.
    """
    name = str(device)
    if not re.fullmatch(r"auto|cpu|cuda(:\d+)?", name):
        raise ValueError(f"device is {name!r}, wanted auto, cpu or cuda, or one GPU, such as cuda:0")
    gpus = [f"cuda:{k}" for k in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
    if name == "cpu" or (name == "auto" and not gpus):
        return torch.device("cpu")
    if not gpus:
        raise ValueError("There is no CUDA device here: use auto or cpu.")
    chosen = name if ":" in name else gpus[0]
    if chosen not in gpus:
        raise ValueError(f"There is no {name} here: use auto, cpu or {', '.join(gpus)}.")
    return torch.device(chosen)


def use_one_thread() -> None:
    """Let PyTorch use one CPU thread for each run.

    A server runs each model in a thread of its own; helper threads for one run cost more than they save.
    """
    torch.set_num_threads(1)


def without_denormals() -> ThreadPoolExecutor:
    """A new thread in which the CPU takes denormal numbers, those too small to be normal, for 0.

    A CPU is many times slower with them, and the gradients of routing probabilities near 0 are full of them. The
    setting belongs to a thread and is inherited by those that it starts, as PyTorch's helper threads are. Gradients
    are recorded in the new thread, whatever the caller does.
    """
    return ThreadPoolExecutor(1, initializer=torch.set_flush_denormal, initargs=(True,))
