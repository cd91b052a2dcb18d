"""Routing and attention models that record every step of a run.

Axis letters of einsums and shape annotations are listed in ``core.types``.

``core`` is plain PyTorch and does not depend on the dashboard.
"""

from typing import TYPE_CHECKING, Any

from core import traces  # registers the trace class of every kind, so that any stored trace can be read
from core.trace import Trace

if TYPE_CHECKING:
    from core.run import explain

__all__ = ["Trace", "explain", "traces"]


def __getattr__(name: str) -> Any:
    """Import ``explain`` on first use: it needs PyTorch, which takes seconds to import."""
    if name != "explain":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from core.run import explain

    return explain
