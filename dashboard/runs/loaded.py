"""The networks, each loaded once, and the devices that they can run on."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import streamlit as st

from core import Trace
from core.manifest import Manifest
from dashboard.runs.checkpoints import about, folder_of, is_of_session, known
from dashboard.runs.room import Room
from dashboard.sessions.models import when_removed
from dashboard.sessions.turns import pass_on

if TYPE_CHECKING:
    from core import zoo

P, R = ParamSpec("P"), TypeVar("R")
FELL_BACK = "The GPU is busy or full: this ran on the CPU."
BYTES_PER_PARAMETER = 4
MAX_UPLOADED = 4  # of them, loaded at once
UPLOADED_ROOM = Room(256 << 20, MAX_UPLOADED)  # for all loaded networks that sessions have uploaded


def devices() -> dict[str, str]:
    """The names of the available devices by key, the GPU first."""
    if not may_have_gpu():
        return {"cpu": "CPU"}
    from core import device

    return device.devices()


def may_have_gpu() -> bool:
    """False if CUDA's driver is certainly missing. Does not import PyTorch, which takes seconds."""
    return sys.platform != "linux" or any(Path(driver).exists() for driver in ("/dev/nvidiactl", "/dev/dxg"))


def with_cpu_fallback(
    call: Callable[Concatenate[str, str, str, P], R], name: str, device: str, *args: P.args, **kwargs: P.kwargs
) -> tuple[R, bool]:
    """Call ``call(name, version, device, ...)``, on the CPU if the GPU fails.

    Waiting runs may have a turn before the call.

    Returns:
        The result, and whether the GPU failed.
    """
    pass_on()
    version = about(name).version  # so that caches do not return results of a retrained checkpoint
    try:
        return call(name, version, device, *args, **kwargs), False
    except RuntimeError:  # a busy or full GPU has many errors
        if device == "cpu":
            raise
        return call(name, version, "cpu", *args, **kwargs), True


def with_fallback_notice(trace: Trace) -> Trace:
    """Add a notice that the run fell back to the CPU."""
    return replace(trace, notices=[*trace.notices, FELL_BACK])


def load_ahead(name: str) -> None:
    """Load a checkpoint before anybody needs it. Errors are ignored; they are reported when somebody needs it."""
    if name in known():
        with suppress(ValueError, RuntimeError, OSError):
            load(name, about(name).version, next(iter(devices())))


def load(name: str, version: str, device: str) -> "zoo.Checkpoint":
    """Load a checkpoint. Uploaded ones have a cache of their own, so that they do not displace shared ones."""
    return (_load_own if is_of_session(name) else _load_shared)(name, version, device)


@st.cache_resource(max_entries=6, show_spinner=False)
def _load_shared(name: str, version: str, device: str) -> "zoo.Checkpoint":
    return _load_here(name, device)


@st.cache_resource(max_entries=MAX_UPLOADED, show_spinner=False)
def _load_own(name: str, version: str, device: str) -> "zoo.Checkpoint":
    UPLOADED_ROOM.take((_load_own, (name, version, device)), about(name).metrics.parameters * BYTES_PER_PARAMETER)
    return _load_here(name, device)


def _load_here(name: str, device: str) -> "zoo.Checkpoint":
    """Load a checkpoint without a cache."""
    from core import zoo
    from core.device import use_one_thread

    use_one_thread()
    return zoo.load_folder(folder_of(name), device)


def _forget(removed: Manifest) -> None:
    """Remove a deleted checkpoint from the caches."""
    for device in devices().keys() | {"cpu"}:
        for cache in (_load_own, _load_shared):
            cache.clear(removed.name, removed.version, device)


when_removed.append(_forget)
