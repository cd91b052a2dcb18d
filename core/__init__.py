"""Routing and attention models whose every step can be watched.

Axis letters mean one thing everywhere, in einsums and in shape annotations:

    b  batch            i  input capsule (a token, for text)    j  output capsule
    n  position         h  component of an output capsule       d  component of an input
    u  unknown word     t  step: routing iteration (T of them)  k  class, output of a second routing
    l  layer            w  window, so many words (a trace over layers or windows has t for these)
    a  layer with an attention              g  layer with a gate
    q  codebook                             e  codeword
    s  sentence of a document
    y  pixel, down      x  pixel, across

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
