"""Archives are unpacked and checked one at a time, the first come first: each takes a second and some memory."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BufferedIOBase
from pathlib import Path

from core.manifest import Manifest

_QUEUE = ThreadPoolExecutor(1, "checks")


def unpack(file: BufferedIOBase, name: str, folder: Path, backbones: Mapping[str, str]) -> Manifest:
    """As ``core.zoo.unpack.unpack``, after those that came before."""
    return _QUEUE.submit(_unpack, file, name, folder, backbones).result()


def _unpack(file: BufferedIOBase, name: str, folder: Path, backbones: Mapping[str, str]) -> Manifest:
    from core.zoo.unpack import unpack  # PyTorch with it

    return unpack(file, name, folder, backbones)
