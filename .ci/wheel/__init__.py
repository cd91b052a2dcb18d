"""Routescope: routing and attention models that record every step of a run.

``explain(zoo.load(NAME), text)`` returns a ``Trace``. Everything here is from ``routescope.core``, which is documented;
the command ``routescope`` opens the dashboard.
"""

from typing import TYPE_CHECKING, Any

from routescope import core
from routescope.core import __all__
from routescope.core import __version__ as __version__

if TYPE_CHECKING:
    from routescope.core import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(core, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return dir(core)
