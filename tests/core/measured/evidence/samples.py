"""The contents of a small evidence.json, and functions that make its records."""

from typing import Any


def figure(mean: float, half: float = 0.02, name: str = "mean") -> dict[str, Any]:
    """A stored mean; its interval extends by ``half`` to each side."""
    return {name: mean, "interval": [round(mean - half, 4), round(mean + half, 4)], "n": 100}


def accuracy(mean: float, change: float, half: float = 0.02) -> dict[str, Any]:
    """A stored accuracy and its change, with intervals that extend by ``half`` to each side."""
    return figure(mean, half, "accuracy") | {"change": figure(change, half)}


def capsule(share: float, active: float, dead: float) -> dict[str, Any]:
    """A stored output capsule, without the accuracy that the network has without it."""
    return {"share": figure(share), "active": figure(active), "dead": figure(dead), "nearest": figure(0.2)}


def ranking(aopc: float, random: float = 0.1) -> dict[str, Any]:
    """A stored ranking whose figures are all ``aopc``; ``random`` is the one for a random ranking."""
    figures = {name: [figure(aopc)] * 5 for name in ("comprehensiveness", "sufficiency")}
    areas = {name: figure(aopc) for name in ("aopc", "deletion", "insertion", "tau")}
    return {"n": 100} | figures | areas | {"over_random": figure(aopc - random)}


def plausibility(precision: float) -> dict[str, Any]:
    """A stored comparison of a ranking with marked phrases; 0.4 is the precision of a random ranking."""
    return {"average_precision": figure(precision), "f1": figure(precision), "over_random": figure(precision - 0.4)}


RANKINGS = {
    "coupling": ranking(0.2),
    "integrated gradients": ranking(0.3),
    "drop-one": ranking(0.35),
    "random": ranking(0.1),
}
EVIDENCE: dict[str, Any] = {
    "weights": "abc",
    "n": 100,
    "sample": "100 of the 200 texts of the official test split, evenly spaced",
    "command": "python -m core evidence tiny --data sst --limit 100",
    "shares": [0.01, 0.05, 0.1, 0.2, 0.5],
    "trained_iterations": 3,
    "iterations": [{"n_iters": t, **accuracy(0.5 + t / 100, (t - 3) / 100, 0.005)} for t in range(1, 7)],
    "couplings": {
        "trained": accuracy(0.53, 0, 0),
        "uniform": accuracy(0.53, 0.0),
        "first": accuracy(0.5, -0.03),
        "shuffled": accuracy(0.43, -0.1),
        "random": accuracy(0.43, -0.1),
        "another text's": accuracy(0.43, -0.1),
    },
    "capsules": {
        "n": 100,
        "of": [
            capsule(0.6, 0.9, 0.0) | accuracy(0.33, -0.2),
            capsule(0.4, 0.9, 0.0) | accuracy(0.53, 0),
            capsule(0.0, 0.02, 1.0) | accuracy(0.53, 0, 0),
        ],
    },
    "rankings": {"masked": RANKINGS, "removed": RANKINGS | {"coupling": ranking(0.1)}},
    "phrases": {
        "share": 0.3,
        "caveat": "Labels of phrases are no rationales.",
        "rankings": {"coupling": plausibility(0.6), "drop-one": plausibility(0.5), "random": plausibility(0.4)},
    },
}
