"""Whether a picture tells the truth: for one text live, and for a whole test split as it was measured."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import streamlit as st
from numpy import ndarray

from core.analysis.faithfulness import TextCurves
from core.evidence.record import Evidence, Figure, Ranking, unit_of
from core.manifest import STATED_EVIDENCE
from dashboard.runs.checkpoints import about, folder_of, load, with_cpu_fallback

__all__ = [
    "Evidence",
    "Figure",
    "Ranking",
    "curves_of_pair",
    "curves_of_text",
    "evidence_of",
    "evidence_to_show",
    "unit_of",
]

MOST = {"masked": 26, "removed": 9}  # points of a curve: a removed word takes a run of the whole network
OF_PAIR = {"most": 6, "draws": 10}  # of pictures fewer points and random orders: each is a run of some milliseconds


def curves_of_text(name: str, device: str, text: str, way: str) -> TextCurves:
    """The probability of the answer as words are deleted and given in the order of each ranking.

    Args:
        way: "masked" or "removed".

    Raises:
        ValueError: the text has only one word (or sentence), or cannot be read.
    """
    return with_cpu_fallback(_curves, name, device, text, way)[0]


def curves_of_pair(name: str, device: str, pair: ndarray, way: str) -> TextCurves:
    """The same for the places of a pair of pictures, uint8 [2, y, x]."""
    return with_cpu_fallback(_curves_of_pair, name, device, pair.tobytes(), pair.shape, way)[0]


@st.cache_data(max_entries=32, show_spinner="Deleting words …")
def _curves(name: str, version: str, device: str, text: str, way: str) -> TextCurves:
    from core.evidence.texts import curves_of_text

    return curves_of_text(load(name, version, device), text, way, MOST[way])


@st.cache_data(max_entries=32, show_spinner="Deleting places …")
def _curves_of_pair(
    name: str, version: str, device: str, content: bytes, shape: tuple[int, ...], way: str
) -> TextCurves:
    from core.evidence.texts import curves_of_text

    pair = np.frombuffer(content, np.uint8).reshape(shape)
    return curves_of_text(load(name, version, device), pair, way, **OF_PAIR)


def evidence_of(name: str) -> Evidence | None:
    """What was measured here with these weights over the test split; None if nothing was, or its file is damaged."""
    return _evidence_in(name, "evidence.json")


def evidence_to_show(name: str) -> Evidence | None:
    """The same; where nothing was measured here, what the archive states that the checkpoint came in."""
    return evidence_of(name) or ((stated := _evidence_in(name, STATED_EVIDENCE)) and replace(stated, is_stated=True))


def _evidence_in(name: str, file: str) -> Evidence | None:
    path = folder_of(name) / file
    evidence = _read(path, path.stat().st_mtime_ns) if path.is_file() else None
    return evidence if evidence and evidence.weights == about(name).sha256 else None


@st.cache_resource(max_entries=64, show_spinner=False)
def _read(path: Path, stamp: int) -> Evidence | None:
    try:
        return Evidence.read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None
