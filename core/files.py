"""Atomic file writes."""

from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Write a file completely or not at all: to a temporary name first, then renamed."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
