"""The only cached functions, and the only caller of core."""

from dataclasses import replace

import streamlit as st
import torch

from core import Trace, explain, zoo
from core.analysis.routing import change, entropy

__all__ = ["MOST_ITERATIONS", "Trace", "about", "change", "devices", "entropy", "models", "run", "twin"]

MOST_ITERATIONS = 10  # every run has them all: a smaller count is the beginning of it


def models(kind: str) -> list[str]:
    """Names of the checkpoints of one kind of network."""
    return [name for name, about in _described().items() if about["config"]["kind"] == kind]


def about(name: str) -> dict:
    """{"config": .., "metrics": ..} of a checkpoint."""
    return _described()[name]


def twin(name: str) -> str | None:
    """A checkpoint of the same classes that was trained with the other routing."""
    config = about(name)["config"]
    for other in models(config["kind"]):
        theirs = _described()[other]["config"]
        if theirs["classes"] == config["classes"] and theirs["model"]["normalize"] != config["model"]["normalize"]:
            return other
    return None


def devices() -> dict[str, str]:
    """What can be asked for, and what it is called: the GPU first where there is one."""
    if torch.cuda.is_available():
        return {"cuda": torch.cuda.get_device_name(0), "cpu": "CPU"}
    return {"cpu": "CPU"}


@st.cache_data(max_entries=128, show_spinner="Routing …")
def run(name: str, device: str, text: str) -> Trace:
    """One text through one model, with ``MOST_ITERATIONS``. ValueError: the text cannot be read."""
    try:
        return explain(_load(name, device), text, MOST_ITERATIONS)
    except (torch.OutOfMemoryError, torch.AcceleratorError):
        trace = explain(_load(name, "cpu"), text, MOST_ITERATIONS)
        return replace(trace, notices=[*trace.notices, "The GPU is busy or full: this ran on the CPU."])


@st.cache_resource(max_entries=6, show_spinner="Loading the model …")
def _load(name: str, device: str) -> zoo.Checkpoint:
    return zoo.load(name, device)


@st.cache_data(ttl=60, show_spinner=False)
def _described() -> dict[str, dict]:
    return {name: zoo.describe(name) for name in zoo.folders()}
