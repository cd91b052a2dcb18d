"""The devices that a model can run on."""

import re
from concurrent.futures import ThreadPoolExecutor

import torch


def devices() -> dict[str, str]:
    """The devices of this machine, GPUs before "cpu", each with its name for display."""
    # The first GPU is called "cuda".
    gpus = {name if k else "cuda": torch.cuda.get_device_name(k) for k, name in enumerate(_cuda_devices())}
    return gpus | ({"mps": "Apple GPU"} if torch.backends.mps.is_available() else {}) | {"cpu": "CPU"}


def pick_device(device: str | torch.device = "auto") -> torch.device:
    """The device to run on.

    Args:
        device: "cpu"; "cuda", which is the first GPU; "cuda:1" and so on; "mps", the GPU of a Mac; or "auto" for the
            first CUDA device if there is one, otherwise the CPU.

    Raises:
        ValueError: an unknown name, or a GPU that is not there.
    """
    name = str(device)
    if not re.fullmatch(r"auto|cpu|mps|cuda(:\d+)?", name):
        raise ValueError(f"device is {name!r}, wanted auto, cpu, mps or cuda, or one GPU, such as cuda:0")
    gpus = _cuda_devices()
    if name == "cpu" or (name == "auto" and not gpus):
        return torch.device("cpu")
    if name == "mps":
        if not torch.backends.mps.is_available():
            raise ValueError("There is no GPU of a Mac (mps) here: use auto or cpu.")
        return torch.device("mps")
    if not gpus:
        raise ValueError("There is no CUDA device here: use auto or cpu.")
    chosen = name if ":" in name else gpus[0]
    if chosen not in gpus:
        raise ValueError(f"There is no {name} here: use auto, cpu or {', '.join(gpus)}.")
    return torch.device(chosen)


def _cuda_devices() -> list[str]:
    return [f"cuda:{k}" for k in range(torch.cuda.device_count())] if torch.cuda.is_available() else []


def to_float64(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor in float64. A Mac's GPU has no float64, so its tensors are moved to the CPU."""
    return (tensor.cpu() if tensor.device.type == "mps" else tensor).double()


def use_one_thread() -> None:
    """Let PyTorch use one CPU thread for each run.

    A server runs each model in a thread of its own; helper threads for one run cost more than they save.
    """
    torch.set_num_threads(1)


def without_denormals() -> ThreadPoolExecutor:
    """A new thread in which the CPU treats denormal numbers, which are close to 0, as 0.

    A CPU is many times slower with them, and the gradients of routing probabilities near 0 are full of them. The
    setting belongs to a thread and to the threads that it starts, such as PyTorch's helpers. The new thread records
    gradients even if the caller has turned them off.
    """
    return ThreadPoolExecutor(1, initializer=torch.set_flush_denormal, initargs=(True,))
