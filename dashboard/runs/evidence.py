"""The faithfulness of a picture: computed live for one text, and read from the file for a whole test split."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from numpy import ndarray

from core.analysis.faithfulness import TextCurves
from core.json_files import read_json
from core.manifest import STATED_EVIDENCE, Manifest
from core.measured.evidence.record import Estimate, Evidence, Ranking
from core.trace import BY_KIND
from dashboard.runs.checkpoints import about, folder_of, load, with_cpu_fallback
from dashboard.runs.kept import Kept, key_of
from dashboard.sessions.models import when_removed

if TYPE_CHECKING:
    from core.networks.probe import Probe

__all__ = [
    "Estimate",
    "Evidence",
    "Ranking",
    "curves_of_pair",
    "curves_of_text",
    "evidence_of",
    "evidence_to_show",
    "unit_of",
]

_probes: Kept["Probe"] = Kept(16)  # by name, version, device, and text or pictures
POINTS_OF_PAIR, DRAWS_OF_PAIR = 10, 10  # fewer than for texts, because each run takes some milliseconds


def unit_of(kind: str) -> str:
    """The unit of the parts that are ranked and deleted for a kind of network, in the singular."""
    return BY_KIND[kind].ranked_unit


def curves_of_text(
    name: str, device: str, text: str, way: str, exactly: bool = False, tell: Callable[[float], None] | None = None
) -> TextCurves:
    """The probability of the answer as words are deleted and given in the order of each ranking.

    Args:
        way: "masked" or "removed".
        exactly: whether to compute every point and delete words one by one, however long the text is.
        tell: function to call with the finished share. If it raises an error, finished runs are kept.

    Raises:
        ValueError: the text has only one word (or sentence), or cannot be read.
    """
    return with_cpu_fallback(_curves, name, device, text, way, exactly, tell)[0]


def curves_of_pair(
    name: str, device: str, pair: ndarray, way: str, exactly: bool = False, tell: Callable[[float], None] | None = None
) -> TextCurves:
    """``curves_of_text`` for the places of a pair of pictures, uint8 [2, y, x]."""
    return with_cpu_fallback(_curves_of_pair, name, device, pair, way, exactly, tell)[0]


def _curves(
    name: str, version: str, device: str, text: str, way: str, exactly: bool, tell: Callable[[float], None] | None
) -> TextCurves:
    from core.measured.evidence.curves import Amount, curves_of

    read = _probe(name, version, device, text, "Reading the text …")
    amount = None if exactly else Amount.within(len(read.parts), len(read.rankings), way)
    return curves_of(read, way, unit_of(about(name).kind), amount, tell)


def _curves_of_pair(
    name: str, version: str, device: str, pair: ndarray, way: str, exactly: bool, tell: Callable[[float], None] | None
) -> TextCurves:
    from core.measured.evidence.curves import Amount, curves_of

    read = _probe(name, version, device, pair, "Looking at the pictures …")
    n = len(read.parts)
    amount = None if exactly else Amount(min(n, POINTS_OF_PAIR), n, DRAWS_OF_PAIR)
    return curves_of(read, way, unit_of(about(name).kind), amount, tell)


def _probe(name: str, version: str, device: str, sample: str | ndarray, what: str) -> "Probe":
    """The probe of a sample, which caches all answers.

    Args:
        what: message for the user while the sample is read.
    """
    from core.measured.evidence.probes import probe

    def read() -> "Probe":
        with st.spinner(what):
            return probe(load(name, version, device), sample)

    return _probes.get((name, version, device, key_of(sample)), read)


def _forget(removed: Manifest) -> None:
    """Remove the probes of a deleted checkpoint from the cache."""
    _probes.forget(lambda key: key[:2] == (removed.name, removed.version))


when_removed.append(_forget)


def evidence_of(name: str) -> Evidence | None:
    """The evidence measured here with a checkpoint's current weights; None if there is none or its file is damaged."""
    return _evidence_in(name, "evidence.json")


def evidence_to_show(name: str) -> Evidence | None:
    """The evidence measured here or, if there is none, the evidence that the checkpoint's archive states."""
    return evidence_of(name) or ((stated := _evidence_in(name, STATED_EVIDENCE)) and replace(stated, is_stated=True))


def _evidence_in(name: str, file: str) -> Evidence | None:
    path = folder_of(name) / file
    evidence = _read(path, path.stat().st_mtime_ns) if path.is_file() else None
    return evidence if evidence and evidence.weights == about(name).sha256 else None


@st.cache_resource(max_entries=64, show_spinner=False)
def _read(path: Path, stamp: int) -> Evidence | None:
    try:
        return Evidence.read(read_json(path))
    except ValueError:
        return None
