"""Atomic file writes, and the folder for what is downloaded."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """This program's folder in the user's cache directory."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "routescope"


def write(path: Path, content: bytes) -> None:
    """Write a file completely or not at all: to a temporary name first, then renamed."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
