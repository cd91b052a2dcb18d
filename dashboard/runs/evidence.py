"""The faithfulness of a picture: computed for one text or pair of pictures, and read from files for a test split."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from numpy import ndarray

from core.analysis.faithfulness import TextCurves
from core.json_files import read_json
from core.manifest import STATED_EVIDENCE, Manifest
from core.measured.evidence.record import Evidence
from dashboard.runs.checkpoints import about, folder_of, record_of
from dashboard.runs.kept import Kept, key_of
from dashboard.runs.loaded import load, with_cpu_fallback
from dashboard.sessions.models import when_removed

if TYPE_CHECKING:
    from core.networks.probe import Probe

_probes: Kept["Probe"] = Kept(16)  # by name, version, device, and text or pictures
POINTS_OF_PAIR, DRAWS_OF_PAIR = 10, 10  # fewer than for texts, because each run takes some milliseconds


def curves_of_sample(
    name: str,
    device: str,
    sample: str | ndarray,
    way: str,
    exactly: bool = False,
    progress: Callable[[float], None] | None = None,
) -> TextCurves:
    """The probability of the answer as the parts of a sample are deleted and given in the order of each ranking.

    Args:
        sample: a text, whose parts are words or sentences; or a pair of pictures, uint8 [2, y, x], with their places.
        way: "masked" or "removed".
        exactly: whether to compute every point and delete parts one by one, however many there are.
        progress: function to call with the finished share. If it raises an error, finished runs are kept.

    Raises:
        ValueError: the text has only one word (or sentence), or the sample cannot be read.
    """
    return with_cpu_fallback(_curves, name, device, sample, way, exactly, progress)[0]


def _curves(
    name: str,
    version: str,
    device: str,
    sample: str | ndarray,
    way: str,
    exactly: bool,
    progress: Callable[[float], None] | None,
) -> TextCurves:
    from core.measured.evidence.curves import Amount, curves_of

    read = _probe(name, version, device, sample)
    n = len(read.parts)
    if exactly:
        amount = None
    elif isinstance(sample, str):
        amount = Amount.within(n, len(read.rankings), way)
    else:
        amount = Amount(min(n, POINTS_OF_PAIR), n, DRAWS_OF_PAIR)
    return curves_of(read, way, record_of(name).ranked_unit, amount, progress)


def _probe(name: str, version: str, device: str, sample: str | ndarray) -> "Probe":
    """The probe of a sample, which caches all answers."""
    from core.measured.evidence.probes import probe

    def read() -> "Probe":
        with st.spinner("Reading the text …" if isinstance(sample, str) else "Looking at the pictures …"):
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
    measured = evidence_of(name)
    if measured:
        return measured
    stated = _evidence_in(name, STATED_EVIDENCE)
    return replace(stated, is_stated=True) if stated else None


def _evidence_in(name: str, file: str) -> Evidence | None:
    """The evidence in a file of a checkpoint; None if it is missing, damaged, or about other weights."""
    path = folder_of(name) / file
    evidence = _read(path, path.stat().st_mtime_ns) if path.is_file() else None
    return evidence if evidence and evidence.weights == about(name).sha256 else None


@st.cache_resource(max_entries=64, show_spinner=False)
def _read(path: Path, stamp: int) -> Evidence | None:
    """The evidence in a file; None if it is damaged. ``stamp`` is only a part of the cache's key."""
    try:
        return Evidence.read(read_json(path))
    except ValueError:
        return None
