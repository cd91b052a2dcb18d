"""Networks outside this package. ROUTESCOPE_NETWORKS names their packages, which Python must be able to import."""

import os
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType


def import_added(module: str) -> list[ModuleType]:
    """Import the module of this name in each package that has one.

    Args:
        module: name of the module, for example "trace".

    Raises:
        ImportError: there is no such package, or the module cannot be imported.
    """
    return [import_module(f"{package}.{module}") for package in _packages() if find_spec(f"{package}.{module}")]


def added_pages() -> dict[str, Path]:
    """The folders of the packages that have a page, by name."""
    folders = {package.rpartition(".")[2]: find_spec(f"{package}.page") for package in _packages()}
    return {name: Path(page.origin).parent for name, page in folders.items() if page and page.origin}


def _packages() -> Iterator[str]:
    yield from os.environ.get("ROUTESCOPE_NETWORKS", "").split()
