"""Runs of a pair of pictures with edits, or with a rectangle covered."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy import ndarray

from core.analysis.poses import nearest_toy
from core.edits import Edit
from core.traces.em import EMPlacesTrace
from dashboard.runs.checkpoints import about, measured, n_steps
from dashboard.runs.edits import N_DOSES, DosedRuns, EditedRun, apply_edits, make_cuts
from dashboard.runs.kept import BY_CONTENT
from dashboard.runs.loaded import load, with_cpu_fallback
from dashboard.runs.pictures import CATEGORIES, TOYS, run_pair

Box = tuple[int, int, int, int]  # left, right, upper and lower edge in percent of a picture's sides


@dataclass(frozen=True, eq=False)
class PictureRun:
    """The run of a pair of pictures through a model. It has the methods of ``TextRun``.

    Attributes:
        name, device: name and device of the model.
        pair: pictures, uint8 [2, y, x].
        sample: Python that makes the pair; None for an uploaded or covered pair.
        n_iters: number of iterations to show.
    """

    name: str
    device: str
    pair: ndarray
    sample: str | None
    n_iters: int

    @property
    def subject(self) -> str:
        """A value that identifies the pair."""
        return hashlib.sha256(self.pair.tobytes()).hexdigest()

    def edited(self, edits: tuple[Edit, ...]) -> EditedRun:
        """Run the pair with edits; those that do not fit are left out."""
        return apply_edits(self._run_with, {edit: edit for edit in edits})

    def _run_with(self, edits: tuple[Edit, ...]) -> EMPlacesTrace:
        """Run the pair with edits, which must all fit."""
        if not edits:
            return run_pair(self.name, self.device, self.pair)
        return with_cpu_fallback(_edited, self.name, self.device, self.pair, tuple(map(str, edits)))[0]

    def doses(self, edit: Edit, ends: tuple[float, float], edits: tuple[Edit, ...]) -> DosedRuns:
        """Run the pair with one edit in many doses."""
        forms = tuple(map(str, edits))
        return with_cpu_fallback(_doses, self.name, self.device, self.pair, str(edit), ends, forms)[0]

    def cuts(self, edits: tuple[Edit, ...], by: str, progress: Callable[[float], None] | None = None) -> ndarray:
        """The fall of each class's log-odds without each capsule [i, j, k], after the trained number of iterations."""
        forms = tuple(map(str, edits))
        return with_cpu_fallback(make_cuts, self.name, self.device, self.pair, forms, by, progress)[0]


def cover(pair: ndarray, box: Box) -> ndarray:
    """Cover a rectangle of both pictures with their mean grey."""
    _, height, width = pair.shape
    left, right = (round(width * edge / 100) for edge in box[:2])
    top, bottom = (round(height * edge / 100) for edge in box[2:])
    covered = pair.copy()
    covered[:, top:bottom, left:right] = round(float(pair.mean()))
    return covered


def nearest_built_in_toy(trace: EMPlacesTrace) -> tuple[str, float] | None:
    """The built-in toy with the measured pose vectors nearest to the class capsules of a run, and their distance.

    None if the poses were not measured with these weights.
    """
    arrays = measured("built_in", trace.model)
    if arrays is None:
        return None
    trained = about(trace.model).model["n_iters"]
    views = arrays["views"]
    capsules = trace.parts_to_classes.capsules[trained - 1].reshape(len(trace.classes), *views.shape[2:])
    row, distance = nearest_toy(capsules, arrays["toys"], views)
    category, instance = arrays["toys"][row].tolist()
    return f"{TOYS[category][instance]} ({CATEGORIES[category]})", distance


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def _edited(name: str, version: str, device: str, pair: ndarray, edits: tuple[str, ...]) -> EMPlacesTrace:
    from core import explain

    return explain(load(name, version, device), pair, n_steps(name), edits).by_place()


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def _doses(name: str, version: str, device: str, pair: ndarray, edit: str, ends: tuple, edits: tuple) -> DosedRuns:
    from core.networks import effects

    values = np.linspace(*ends, N_DOSES)
    runs = effects.doses(load(name, version, device), pair, edit, values.tolist(), n_steps(name), edits)
    return DosedRuns(values, *runs)
