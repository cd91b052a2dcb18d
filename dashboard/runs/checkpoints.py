"""The checkpoints, loaded once each, and the device that they run on."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st
from numpy import ndarray

from core import Trace, manifest
from core.measured import store

if TYPE_CHECKING:
    from core import zoo

FELL_BACK = "The GPU is busy or full: this ran on the CPU."
# What tells twins apart, by kind of network.
ROUTED_BY = {"dragg": "normalize", "dragg-documents": "normalize", "cccaps": "routing"}
REGULARIZATION = ("dropout", "dropout_word", "dropout_encoding")
LARGEST_COUNT = 10  # of iterations that can be asked for


def models(kind: str) -> list[str]:
    """Names of the checkpoints of one kind of network."""
    return [name for name, about in survey()[0].items() if about["config"]["kind"] == kind]


def left_out() -> list[str]:
    """A sentence on each checkpoint that cannot be used."""
    return survey()[1]


def about(name: str) -> dict:
    """{"config": .., "metrics": ..} of a checkpoint."""
    return survey()[0][name]


def twin(name: str) -> str | None:
    """A checkpoint of the same texts, classes and sizes that was trained with the other routing."""
    config = about(name)["config"]
    how = ROUTED_BY[config["kind"]]

    def same(config: dict) -> tuple:
        sizes = {key: value for key, value in config["model"].items() if key not in (how, *REGULARIZATION)}
        return config["corpus"], config["classes"], sizes

    for other in models(config["kind"]):
        theirs = about(other)["config"]
        if same(theirs) == same(config) and theirs["model"][how] != config["model"][how]:
            return other
    return None


def devices() -> dict[str, str]:
    """What can be asked for, and what it is called: the GPU first where there is one."""
    if not may_have_gpu():
        return {"cpu": "CPU"}
    from core import device

    return device.devices()


def may_have_gpu() -> bool:
    """False where CUDA's driver is surely missing: told without PyTorch, which takes seconds to import."""
    return sys.platform != "linux" or any(Path(driver).exists() for driver in ("/dev/nvidiactl", "/dev/dxg"))


def or_on_cpu(call: Callable, name: str, device: str, *given: Any) -> tuple[Any, bool]:
    """What a model says, and whether the GPU failed and the CPU said it."""
    version = about(name)["config"]["sha256"]  # a retrained checkpoint is another one
    try:
        return call(name, version, device, *given), False
    except RuntimeError:  # the GPU's many ways of being busy or full
        if device == "cpu":
            raise
        return call(name, version, "cpu", *given), True


def told(trace: Trace) -> Trace:
    return replace(trace, notices=[*trace.notices, FELL_BACK])


def load_ahead(name: str) -> None:
    """Load a checkpoint before anybody asks for it; one that is missing or damaged is told of when somebody does."""
    if name in survey()[0]:
        with suppress(ValueError, RuntimeError, OSError):
            load(name, about(name)["config"]["sha256"], next(iter(devices())))


@st.cache_resource(max_entries=6, show_spinner=False)
def load(name: str, version: str, device: str) -> "zoo.Checkpoint":
    from core import zoo
    from core.device import use_one_thread

    use_one_thread()
    return zoo.load(name, device)


def measured(what: str, name: str) -> dict[str, ndarray] | None:
    """What was measured once with these weights over a whole split; None where it was not."""
    return _measured(what, name, stamp_of_weights(what, name))


def stamp_of_weights(what: str, name: str) -> tuple:
    """What changes when it is measured anew, or the checkpoint is trained anew."""
    return about(name)["config"]["sha256"], *store.stamp(what, name)


@st.cache_resource(max_entries=16, show_spinner=False)
def _measured(what: str, name: str, stamp: tuple) -> dict[str, ndarray] | None:
    return store.read(what, name)


@st.cache_resource(ttl=60, show_spinner=False)
def survey() -> tuple[dict[str, dict], list[str]]:
    return manifest.survey()
