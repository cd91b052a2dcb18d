"""The only cached functions, and the only caller of core."""

from dataclasses import replace

import streamlit as st

from core import Trace, explain, zoo
from core.analysis.credit import by_token
from core.analysis.routing import change, entropy

__all__ = [
    "LARGEST_COUNT",
    "Trace",
    "about",
    "by_token",
    "change",
    "devices",
    "entropy",
    "left_out",
    "models",
    "run",
    "twin",
]

LARGEST_COUNT = 10  # of iterations; every run has them all, and a smaller count is the beginning of it


def models(kind: str) -> list[str]:
    """Names of the checkpoints of one kind of network."""
    return [name for name, about in _survey()[0].items() if about["config"]["kind"] == kind]


def left_out() -> list[str]:
    """A sentence on each checkpoint that cannot be used."""
    return _survey()[1]


def about(name: str) -> dict:
    """{"config": .., "metrics": ..} of a checkpoint."""
    return _survey()[0][name]


def twin(name: str) -> str | None:
    """A checkpoint of the same task and sizes that was trained with the other routing."""
    config = about(name)["config"]

    def sizes(config: dict) -> tuple:
        return config["corpus"], config["classes"], config["model"]["n_capsules"]

    for other in models(config["kind"]):
        theirs = about(other)["config"]
        if sizes(theirs) == sizes(config) and theirs["model"]["normalize"] != config["model"]["normalize"]:
            return other
    return None


def devices() -> dict[str, str]:
    """What can be asked for, and what it is called: the GPU first where there is one."""
    return zoo.devices()


def run(name: str, device: str, text: str) -> Trace:
    """One text through one model, with ``LARGEST_COUNT`` iterations; on the CPU where the GPU fails.

    Raises:
        ValueError: the text or the checkpoint cannot be read.
    """
    version = about(name)["config"]["sha256"]  # a retrained checkpoint is another one
    try:
        return _run(name, version, device, text)
    except RuntimeError:  # the GPU's many ways of being busy or full
        if device == "cpu":
            raise
        trace = _run(name, version, "cpu", text)
        return replace(trace, notices=[*trace.notices, "The GPU is busy or full: this ran on the CPU."])


@st.cache_data(max_entries=32, show_spinner="Routing …")
def _run(name: str, version: str, device: str, text: str) -> Trace:
    return explain(_load(name, version, device), text, LARGEST_COUNT)


@st.cache_resource(max_entries=6, show_spinner="Loading the model …")
def _load(name: str, version: str, device: str) -> zoo.Checkpoint:
    return zoo.load(name, device)


@st.cache_data(ttl=60, show_spinner=False)
def _survey() -> tuple[dict[str, dict], list[str]]:
    return zoo.survey()
