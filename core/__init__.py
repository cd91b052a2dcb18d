"""Routing and attention models that record every step of a run.

``explain(zoo.load(NAME), text)`` returns a ``Trace``, whose fields ``traces`` describes; ``explain_many`` returns the
traces of many texts. ``zoo`` loads and lists checkpoints, ``edits`` defines the changes that can be made inside a run,
and ``cuts`` and ``doses`` measure their effect. ``RoutingClassifier`` trains a network on your own texts, as an
estimator of scikit-learn. ``Client`` asks a running dashboard for traces. ``routing`` holds the algorithms as plain
PyTorch, and ``lab`` runs them without a network.

``core.types`` lists the axis letters of einsums and shape annotations.

``core`` is plain PyTorch and does not depend on the dashboard; only ``plot`` imports it, to draw a trace.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core import plot as plot  # lets traces draw themselves
from core import traces  # registers the trace class of every kind, so that any stored trace can be read
from core.trace import Trace
from core.version import __version__ as __version__

if TYPE_CHECKING:
    from core import edits, lab, routing, zoo
    from core.client import Client
    from core.fit.estimator import RoutingClassifier
    from core.networks.effects import cuts, doses
    from core.networks.many import explain_many
    from core.networks.run import explain

__all__ = [
    "Client",
    "RoutingClassifier",
    "Trace",
    "cuts",
    "doses",
    "edits",
    "explain",
    "explain_many",
    "lab",
    "routing",
]
__all__ += ["traces", "zoo"]

# Imported on first use: most need PyTorch, which takes seconds to import.
FUNCTIONS = {
    "Client": "core.client",
    "explain": "core.networks.run",
    "explain_many": "core.networks.many",
    "cuts": "core.networks.effects",
    "doses": "core.networks.effects",
    "RoutingClassifier": "core.fit.estimator",
}
MODULES = ("edits", "lab", "routing", "zoo")


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return import_module(f"core.{name}")
    if name not in FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(FUNCTIONS[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
