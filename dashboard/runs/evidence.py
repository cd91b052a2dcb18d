"""Whether a picture tells the truth: for one text live, and for a whole test split as it was measured."""

import json
from pathlib import Path

import streamlit as st

from core.analysis.faithfulness import TextCurves
from core.evidence.record import Evidence, Figure, Ranking
from dashboard.runs.checkpoints import about, folder_of, load, with_cpu_fallback

__all__ = ["Evidence", "Figure", "Ranking", "curves_of_text", "evidence_of"]

MOST = {"masked": 26, "removed": 9}  # points of a curve: a removed word takes a run of the whole network


def curves_of_text(name: str, device: str, text: str, way: str) -> TextCurves:
    """The probability of the answer as words are deleted and given in the order of each ranking.

    Args:
        way: "masked" or "removed".

    Raises:
        ValueError: the text has one word alone, or cannot be read.
    """
    return with_cpu_fallback(_curves, name, device, text, way)[0]


@st.cache_data(max_entries=32, show_spinner="Deleting words …")
def _curves(name: str, version: str, device: str, text: str, way: str) -> TextCurves:
    from core.evidence.texts import curves_of_text

    return curves_of_text(load(name, version, device), text, way, MOST[way])


def evidence_of(name: str) -> Evidence | None:
    """What was measured with these weights over the test split; None if nothing was, or its file is damaged."""
    path = folder_of(name) / "evidence.json"
    evidence = _read(path, path.stat().st_mtime_ns) if path.is_file() else None
    return evidence if evidence and evidence.weights == about(name).sha256 else None


@st.cache_resource(max_entries=64, show_spinner=False)
def _read(path: Path, stamp: int) -> Evidence | None:
    try:
        return Evidence.read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None
