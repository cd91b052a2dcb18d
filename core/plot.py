"""Lets a trace draw itself. Only this file in core imports the dashboard, and only when a picture is requested."""

from types import ModuleType
from typing import Any

from core.trace import Trace


def _load_figures() -> ModuleType:
    from dashboard.figures import of_trace

    return of_trace


def _load_saving() -> ModuleType:
    from core.provenance import saved

    return saved


def _load_widget() -> ModuleType:
    try:
        from dashboard.components import widget
    except ModuleNotFoundError as error:
        if error.name != "anywidget":
            raise
        raise ImportError("show needs the package anywidget, which is not installed: pip install anywidget") from None
    return widget


def _load_network(name: str, device: Any) -> Any:
    from core import zoo

    return zoo.load(name, device)


Trace.load_figures = staticmethod(_load_figures)
Trace.load_saving = staticmethod(_load_saving)
Trace.load_widget = staticmethod(_load_widget)
Trace.load_network = staticmethod(_load_network)
