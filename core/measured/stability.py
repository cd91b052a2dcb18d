"""Measures how like a network's units are to those of its other trainings, which differ in the seed only."""

import numpy as np
from numpy import ndarray

from core.analysis.unit_match import match_common
from core.measured import store
from core.measured.trainings import find_trainings


def measure_stability(name: str) -> tuple[dict[str, ndarray], str]:
    """The arrays "stability" of ``core.measured.store``, and a phrase for the texts.

    Raises:
        ValueError: the units of the network or of another training are not measured, or not on the same texts, or there
            is no other training.
    """
    others = find_trainings(name)
    if not others:
        raise ValueError(f"there is no other training of {name}: make one by `python -m core.training {name} --seed 1`")
    own = _units_of(name)
    columns: dict[str, list[ndarray]] = {key: [] for key in ("partner", "correlation", "others", "by_chance")}
    for other in others.values():
        its = _units_of(other)
        if str(its["data"]) != str(own["data"]):
            raise ValueError(f"the units of {other} are measured on {its['data']}, those of {name} on {own['data']}")
        matches = match_common((own["words"], own["lift"]), (its["words"], its["lift"]))
        n, rows = len(own["numbers"]), matches.first
        columns["partner"].append(_at(rows, its["numbers"][matches.second], n, 0))
        for key in ("correlation", "others", "by_chance"):
            columns[key].append(_at(rows, getattr(matches, key), n, np.nan))
    arrays = {key: np.stack(values) for key, values in columns.items()}
    return {"numbers": own["numbers"], "seeds": np.array([*others]), **arrays}, str(own["data"])


def _units_of(name: str) -> dict[str, ndarray]:
    units = store.read("units", name)
    if units is None:
        raise ValueError(f"the units of {name} are not measured: `python -m core.measured units {name}` measures them")
    return units


def _at(rows: ndarray, values: ndarray, n: int, rest: float) -> ndarray:
    """n values: these ones at their rows, and ``rest`` elsewhere."""
    filled = np.full(n, rest, dtype=values.dtype)
    filled[rows] = values
    return filled
