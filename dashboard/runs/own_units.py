"""Units in what only one session has: its networks, and its own texts."""

from collections.abc import Mapping
from pathlib import Path

from numpy import ndarray

from core.manifest import Manifest
from core.measured import store
from dashboard.runs import checkpoints
from dashboard.runs.kept import Kept
from dashboard.sessions.models import session_models, when_removed

_kept: Kept[dict[str, ndarray] | None] = Kept(16)  # measurements of networks of sessions


def measured(measurement: str, name: str) -> dict[str, ndarray] | None:
    """``checkpoints.measured``, also for a network that only this session has."""
    own = session_models()
    if own is None or name not in own.described:
        return checkpoints.measured(measurement, name)
    folder, about = own.root / name, own.described[name]
    key = name, about.version, *store.stamp_in(folder, measurement)  # the folder is that of one session
    return _kept.get(key, lambda: store.read_in(folder, measurement, about.sha256))


def stated(measurement: str, name: str) -> dict[str, ndarray] | None:
    """``measured``, if only the archive that a network came in states it."""
    return measured(f"{measurement}{store.STATED}", name)


def measured_in(folder: Path, name: str) -> tuple[dict[str, ndarray], dict[str, ndarray]] | None:
    """The arrays "units" and "shown" that a command has saved in a folder; None if they are of other weights."""
    sha256 = checkpoints.about(name).sha256
    units, shown = (store.read_in(folder, quantity, sha256) for quantity in ("units", "shown"))
    return None if units is None or shown is None else (units, shown)


def by_number(shown: Mapping[str, ndarray] | None) -> dict[int, str] | None:
    """The texts in the arrays "shown" by their numbers; None if there are none."""
    return None if shown is None else dict(zip(shown["numbers"].tolist(), shown["texts"].tolist(), strict=True))


def _forget(removed: Manifest) -> None:
    """Remove the measurements of a deleted network from the cache."""
    _kept.forget(lambda key: key[:2] == (removed.name, removed.version))


when_removed.append(_forget)
