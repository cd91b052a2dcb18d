"""Whether a picture tells the truth: for one text live, and for a whole test split as it was measured."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from numpy import ndarray

from core.analysis.faithfulness import TextCurves
from core.json_files import read_json
from core.manifest import STATED_EVIDENCE, Manifest
from core.measured.evidence.record import Evidence, Figure, Ranking
from core.trace import BY_KIND
from dashboard.runs.checkpoints import about, folder_of, load, with_cpu_fallback
from dashboard.runs.kept import Kept
from dashboard.sessions.models import when_removed

if TYPE_CHECKING:
    from core.networks.probe import Probe

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

_probes: Kept["Probe"] = Kept(16)  # by name, version, device, and the text or the pictures
POINTS_OF_PAIR, DRAWS_OF_PAIR = 10, 10  # of pictures fewer random orders: each run takes some milliseconds


def unit_of(kind: str) -> str:
    """What is ranked and deleted for a kind of network, in the singular."""
    return BY_KIND[kind].ranked_unit


def curves_of_text(
    name: str, device: str, text: str, way: str, exactly: bool = False, tell: Callable[[float], None] | None = None
) -> TextCurves:
    """The probability of the answer as words are deleted and given in the order of each ranking.

    Args:
        way: "masked" or "removed".
        exactly: every word by itself and every point, however long the text is.
        tell: called with the share that is done. What is done stays, if it raises an error.

    Raises:
        ValueError: the text has only one word (or sentence), or cannot be read.
    """
    return with_cpu_fallback(_curves, name, device, text, way, exactly, tell)[0]


def curves_of_pair(
    name: str, device: str, pair: ndarray, way: str, exactly: bool = False, tell: Callable[[float], None] | None = None
) -> TextCurves:
    """The same for the places of a pair of pictures, uint8 [2, y, x]."""
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
    """A sample as a network sees it, and every answer to some of its parts that was asked for.

    Args:
        what: is done meanwhile, for the user.
    """
    from core.measured.evidence.probes import probe

    def read() -> "Probe":
        with st.spinner(what):
            return probe(load(name, version, device), sample)

    key = sample if isinstance(sample, str) else (sample.tobytes(), sample.shape)
    return _probes.get((name, version, device, key), read)


def _forget(removed: Manifest) -> None:
    """Free what was read with a checkpoint that was removed."""
    _probes.forget(lambda key: key[:2] == (removed.name, removed.version))


when_removed.append(_forget)


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
        return Evidence.read(read_json(path))
    except ValueError:
        return None
