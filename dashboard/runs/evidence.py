"""Whether a picture tells the truth: for one text live, and for a whole test split as it was measured."""

import json
from typing import TYPE_CHECKING, Any

import streamlit as st

from core import manifest
from dashboard.runs.checkpoints import about, load, with_cpu_fallback

if TYPE_CHECKING:
    from core.evidence.texts import TextCurves

MOST = {"masked": 26, "removed": 9}  # points of a curve: a removed word takes a run of the whole network


def curves_of_text(name: str, device: str, text: str, way: str) -> "TextCurves":
    """The probability of the answer as words are deleted and given in the order of each ranking.

    Args:
        way: "masked" or "removed".

    Raises:
        ValueError: the text has one word alone, or cannot be read.
    """
    return with_cpu_fallback(_curves, name, device, text, way)[0]


@st.cache_data(max_entries=32, show_spinner="Deleting words …")
def _curves(name: str, version: str, device: str, text: str, way: str) -> "TextCurves":
    from core.evidence.texts import curves_of_text

    return curves_of_text(load(name, version, device), text, way, MOST[way])


def evidence_of(name: str) -> dict[str, Any] | None:
    """What was measured with these weights over the test split; None if nothing was."""
    return _evidence(name, about(name).sha256)


@st.cache_data(ttl=60, show_spinner=False)
def _evidence(name: str, version: str) -> dict[str, Any] | None:
    try:
        stored = json.loads((manifest.folders()[name] / "evidence.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError):
        return None
    return stored if stored.get("weights") == version else None
