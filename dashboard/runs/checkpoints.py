"""The checkpoints, loaded once each, and the device that they run on."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import streamlit as st
from numpy import ndarray

from core import Trace, manifest
from core.measured import store
from core.trace import BY_KIND
from dashboard.public import is_public
from dashboard.runs.room import Room
from dashboard.sessions.models import session_models, when_removed
from dashboard.sessions.turns import pass_on

if TYPE_CHECKING:
    from core import zoo

P, R = ParamSpec("P"), TypeVar("R")
FELL_BACK = "The GPU is busy or full: this ran on the CPU."
REGULARIZATION = ("dropout", "dropout_word", "dropout_encoding")
OF_OWN, BYTES = Room(256 << 20), 4  # of a parameter
MAX_ITERATIONS = 10  # of iterations that can be asked for


def models(kind: str) -> list[str]:
    """Names of the checkpoints of one kind of network."""
    return [name for name, about in known().items() if about.kind == kind]


def record_of(name: str) -> type[Trace]:
    """The class of a checkpoint's traces, which has the facts of its kind of network."""
    return BY_KIND[about(name).kind]


def pages_of_runs() -> set[str]:
    """The folders of the pages that show runs."""
    return {record.page for record in BY_KIND.values()}


def shown_on(page: str) -> list[str]:
    """Names of the checkpoints that a page shows, by its folder."""
    return [name for name in known() if record_of(name).page == page]


def readers_of_text(with_votes: bool = False) -> list[str]:
    """Names of the checkpoints that read texts, or of those whose votes the Lab can run.

    Args:
        with_votes: whether only the latter are wanted.
    """
    records = {name: record_of(name) for name in known()}
    return [name for name, of in records.items() if of.reads == "text" and (of.has_votes or not with_votes)]


def left_out() -> list[str]:
    """A sentence for each checkpoint that cannot be used; none for the visitors of a public server."""
    return [] if is_public() else survey()[1]


def known() -> dict[str, manifest.Manifest]:
    """Every checkpoint as its files describe it, by name; those that this session uploaded are the last."""
    described, _, own = survey()
    if gone := {name for name in own if not (manifest.user_folder() / name / manifest.WEIGHTS).is_file()}:
        described = {name: about for name, about in described.items() if name not in gone}
    uploaded = session_models()
    return described | uploaded.described if uploaded and uploaded.described else described


def about(name: str) -> manifest.Manifest:
    """A checkpoint as its files describe it."""
    return known()[name]


def folder_of(name: str) -> Path:
    """A checkpoint's folder; ValueError if there is no such checkpoint."""
    uploaded = session_models()
    return uploaded.root / name if uploaded and name in uploaded.described else manifest.folder_of(name)


def n_steps(name: str) -> int:
    """How many iterations a run of a network with routing has: all that can be asked for, and those of its training."""
    return max(MAX_ITERATIONS, about(name).model["n_iters"])


def twin(name: str) -> str | None:
    """A checkpoint of the same texts, classes and sizes that was trained with the other routing."""
    all_models = known()
    how = BY_KIND[all_models[name].kind].twins_differ_in

    def same(one: manifest.Manifest) -> tuple:
        sizes = {key: value for key, value in one.model.items() if key not in (how, *REGULARIZATION)}
        return one.corpus, one.classes, sizes

    this = all_models[name]
    for other in models(this.kind):
        ways = {one.model.get(how) for one in (all_models[other], this)}  # a folder of one's own may leave it out
        if same(all_models[other]) == same(this) and len(ways) == 2 and None not in ways:
            return other
    return None


def devices() -> dict[str, str]:
    """Names of the devices that can be chosen, by their key; the GPU first if there is one."""
    if not may_have_gpu():
        return {"cpu": "CPU"}
    from core import device

    return device.devices()


def may_have_gpu() -> bool:
    """False if CUDA's driver is certainly missing. Needs no PyTorch, which takes seconds to import."""
    return sys.platform != "linux" or any(Path(driver).exists() for driver in ("/dev/nvidiactl", "/dev/dxg"))


def with_cpu_fallback(
    call: Callable[Concatenate[str, str, str, P], R], name: str, device: str, *args: P.args, **kwargs: P.kwargs
) -> tuple[R, bool]:
    """The result of ``call(name, version, device, ...)``, and whether the GPU failed and the CPU was used instead.

    Others may have a turn before the call.
    """
    pass_on()
    version = about(name).version  # a retrained checkpoint is another one
    try:
        return call(name, version, device, *args, **kwargs), False
    except RuntimeError:  # the GPU's many ways of being busy or full
        if device == "cpu":
            raise
        return call(name, version, "cpu", *args, **kwargs), True


def with_fallback_notice(trace: Trace) -> Trace:
    """The trace with a notice that it ran on the CPU."""
    return replace(trace, notices=[*trace.notices, FELL_BACK])


def load_ahead(name: str) -> None:
    """Load a checkpoint before anybody asks for it; a missing or damaged one is reported when somebody does."""
    if name in known():
        with suppress(ValueError, RuntimeError, OSError):
            load(name, about(name).version, next(iter(devices())))


def load(name: str, version: str, device: str) -> "zoo.Checkpoint":
    """A checkpoint with its weights. Those that this session uploaded drive out none of those that all use."""
    uploaded = session_models()
    is_own = uploaded is not None and name in uploaded.described
    return (_load_own if is_own else _load_shared)(name, version, device)


@st.cache_resource(max_entries=6, show_spinner=False)
def _load_shared(name: str, version: str, device: str) -> "zoo.Checkpoint":
    return _load_here(name, device)


@st.cache_resource(max_entries=4, show_spinner=False)
def _load_own(name: str, version: str, device: str) -> "zoo.Checkpoint":
    OF_OWN.take((_load_own, (name, version, device)), about(name).metrics.parameters * BYTES)
    return _load_here(name, device)


def _load_here(name: str, device: str) -> "zoo.Checkpoint":
    from core import zoo
    from core.device import use_one_thread

    use_one_thread()
    return zoo.load_folder(folder_of(name), device)


def _forget(removed: manifest.Manifest) -> None:
    """Free the network of a checkpoint that was removed."""
    for device in devices().keys() | {"cpu"}:
        for cache in (_load_own, _load_shared):
            cache.clear(removed.name, removed.version, device)


when_removed.append(_forget)


def measured(what: str, name: str) -> dict[str, ndarray] | None:
    """Arrays measured with these weights over a whole split; None if they were not."""
    return _measured(what, name, stamp_of_weights(what, name))


def stamp_of_weights(what: str, name: str) -> tuple:
    """A value that changes when the arrays are measured anew, or the checkpoint is trained anew."""
    return about(name).version, *(store.stamp(what, name) if name in survey()[0] else ())


@st.cache_resource(max_entries=16, show_spinner=False)
def _measured(what: str, name: str, stamp: tuple) -> dict[str, ndarray] | None:
    return store.read(what, name)


def describe_again(name: str) -> None:
    """Read the description of a checkpoint whose files have changed."""
    uploaded = session_models()
    if uploaded and name in uploaded.described:
        uploaded.describe_again(name)
    else:
        survey.clear()


@st.cache_resource(ttl=60, show_spinner=False)
def survey() -> tuple[dict[str, manifest.Manifest], list[str], list[str]]:
    """As ``core.manifest.survey``, and the names of those that are not shipped: their folders may go at any time."""
    described, broken = manifest.survey()
    return described, broken, [name for name in described if not (manifest.PRETRAINED / name).exists()]
