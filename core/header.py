"""Reads the header of a weights file (safetensors): the names and positions of its tensors, not their values."""

import json
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from core.json_files import check_values

MAX_HEADER = 1 << 20  # bytes
MAX_AXES = 8
BYTES = {"F8_E4M3": 1, "F16": 2, "BF16": 2, "F32": 4}  # bytes per number, for each dtype that networks are stored in


class StoredTensor(NamedTuple):
    """A tensor in a weights file.

    Attributes:
        dtype: a key of ``BYTES``.
        start, end: range of its bytes, counted from the beginning of the file.
    """

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


def read_header(path: Path) -> dict[str, StoredTensor]:
    """Read which tensors a file holds, in the order of their bytes.

    Raises:
        ValueError: the file cannot be read, has gaps between its tensors, or holds a tensor of another dtype.
    """
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > MAX_HEADER:
                raise ValueError(f"its header has {size:,} bytes, wanted at most {MAX_HEADER:,}")
            header = json.loads(file.read(size))
        check_values(header)
        header.pop("__metadata__", None)
        stored = {name: _read_entry(name, entry, 8 + size) for name, entry in header.items()}
        tensors = dict(sorted(stored.items(), key=lambda item: (item[1].start, item[1].end)))
        _check_filled(tensors, 8 + size, path.stat().st_size)
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} cannot be read as safetensors: {error}") from None
    return tensors


def _read_entry(name: str, entry: Any, offset: int) -> StoredTensor:
    """Check a tensor's entry in the header, and count its bytes from the beginning of the file."""
    dtype, shape, (start, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
    if dtype not in BYTES:
        raise ValueError(f"tensor {name:.60} is {dtype!s:.20}, wanted one of {', '.join(BYTES)}")
    if len(shape) > MAX_AXES or any(type(n) is not int or n < 0 for n in (*shape, start, end)):
        raise ValueError(f"tensor {name:.60} has the shape {shape!r:.40} and the bytes {start!r:.20} to {end!r:.20}")
    if end - start != prod(shape) * BYTES[dtype]:
        raise ValueError(f"tensor {name:.60} has {end - start:,} bytes for the shape {shape}")
    return StoredTensor(dtype, tuple(shape), offset + start, offset + end)


def _check_filled(tensors: dict[str, StoredTensor], start: int, end: int) -> None:
    """Raise ValueError unless the tensors fill the bytes from start to end without gaps."""
    for name, tensor in tensors.items():
        if tensor.start != start:
            raise ValueError(f"tensor {name:.60} begins at byte {tensor.start:,}, wanted {start:,}")
        start = tensor.end
    if start != end:
        raise ValueError(f"its tensors end at byte {start:,}, and the file at {end:,}")
