"""Networks outside this package. ROUTESCOPE_NETWORKS names their packages, which Python must be able to import."""

import os
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType


def import_added(module: str) -> list[ModuleType]:
    """Import the module of this name from every package that has one.

    Args:
        module: name of the module, for example "trace".

    Raises:
        ImportError: a package does not exist, or the module cannot be imported.
    """
    return [import_module(spec.name) for spec in _specs(module) if spec]


def added_pages() -> dict[str, Path]:
    """The folders of the packages that have a page, by folder name."""
    folders = [Path(page.origin).parent for page in _specs("page") if page and page.origin]
    return {folder.name: folder for folder in folders}


def _specs(module: str) -> Iterator[ModuleSpec | None]:
    """Find the module of this name in each package; None if the package lacks it."""
    for package in os.environ.get("ROUTESCOPE_NETWORKS", "").split():
        try:
            yield find_spec(f"{package}.{module}")
        except ImportError as error:
            raise ImportError(f"ROUTESCOPE_NETWORKS names {package}, which cannot be imported: {error}") from None
