"""Routing and attention models whose every step can be watched.

Axis letters of einsums and shape annotations are listed in ``core.types``.

``core`` is plain PyTorch. It knows nothing of the dashboard that shows it.
"""

from typing import TYPE_CHECKING, Any

from core import traces  # every kind's class of trace, so that any stored one can be read
from core.trace import Trace

if TYPE_CHECKING:
    from core.run import explain

__all__ = ["Trace", "explain", "traces"]


def __getattr__(name: str) -> Any:
    """``explain`` on its first use: PyTorch takes seconds to import, and not all of core needs it."""
    if name != "explain":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from core.run import explain

    return explain
