"""Which device a model runs on."""

import torch


def devices() -> dict[str, str]:
    """The devices of this machine and their names, the GPU first."""
    gpu = {"cuda": torch.cuda.get_device_name(0)} if torch.cuda.is_available() else {}
    return gpu | {"cpu": "CPU"}


def pick_device(device: str = "auto") -> torch.device:
    """The GPU where there is one and the CPU otherwise, or the device asked for.

    Raises:
        ValueError: the name is unknown, or a GPU is asked for and there is none.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise ValueError(f"device is {device!r}, wanted auto, cpu or cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError("There is no CUDA device here: use auto or cpu.")
    return torch.device("cuda:0" if device != "cpu" and torch.cuda.is_available() else "cpu")


def use_one_thread() -> None:
    """Run every model on one core of the CPU.

    A server's runs are in a thread each, and starting helper threads for a run costs more than they save.
    """
    torch.set_num_threads(1)
