"""Routing and attention models that record every step of a run.

Axis letters of einsums and shape annotations are listed in ``core.types``.

``core`` is plain PyTorch and does not depend on the dashboard.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core import traces  # registers the trace class of every kind, so that any stored trace can be read
from core.trace import Trace

if TYPE_CHECKING:
    from core import edits
    from core.effects import cuts, doses
    from core.run import explain

__all__ = ["Trace", "cuts", "doses", "edits", "explain", "traces"]

# Imported on first use: they need PyTorch, which takes seconds to import.
MODULES = {"explain": "core.run", "cuts": "core.effects", "doses": "core.effects"}


def __getattr__(name: str) -> Any:
    if name == "edits":
        return import_module("core.edits")
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(MODULES[name]), name)
