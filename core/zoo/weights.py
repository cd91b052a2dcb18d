"""Reads weights files block by block. Names and shapes are checked before any values are read."""

import hashlib
from collections.abc import Iterator, Mapping
from io import BufferedReader
from pathlib import Path

import torch
from torch import Tensor

from core.header import BYTES, StoredTensor, read_header

DTYPES = {"F8_E4M3": torch.float8_e4m3fn, "F16": torch.float16, "BF16": torch.bfloat16, "F32": torch.float32}
BLOCK = 1 << 20  # numbers


def check_weights(path: Path, sha256: str, expected: Mapping[str, Tensor]) -> None:
    """Check a weights file, with no more memory than a block.

    Args:
        path: path of the file.
        sha256: sha256 that the file must have.
        expected: tensors with the names and shapes that the file must have.

    Raises:
        ValueError: the file or one of its tensors is not as expected. The message names the first problem.
    """
    for _ in _blocks(path, sha256, _checked_tensors(path, expected)):
        pass


def read_weights(path: Path, sha256: str, expected: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors in a weights file, in float32. Arguments and errors as in ``check_weights``."""
    tensors = _checked_tensors(path, expected)
    weights = {name: torch.empty(tensor.shape) for name, tensor in tensors.items()}
    for name, start, numbers in _blocks(path, sha256, tensors):
        weights[name].flatten()[start : start + len(numbers)] = numbers
    return weights


def _checked_tensors(path: Path, expected: Mapping[str, Tensor]) -> dict[str, StoredTensor]:
    """The tensors in a file, after checking their names and shapes."""
    tensors = read_header(path)
    for name in [*expected, *tensors]:
        if name not in tensors or name not in expected:
            problem = "missing" if name in expected else "not one of this model"
            raise ValueError(f"{path}: tensor {name:.60} is {problem}")
        if tensors[name].shape != tuple(expected[name].shape):
            shape, wanted = list(tensors[name].shape), list(expected[name].shape)
            raise ValueError(f"{path}: tensor {name} is {shape}, wanted {wanted}")
    return tensors


def _blocks(path: Path, sha256: str, tensors: Mapping[str, StoredTensor]) -> Iterator[tuple[str, int, Tensor]]:
    """Yield blocks of each tensor: its name, the block's start in it, and the numbers in float32.

    Raises:
        ValueError: the file has another sha256 or holds a number that is not finite. It is raised at the end.
    """
    digest, broken = hashlib.sha256(), ""
    with path.open("rb") as file:
        # The header, or the whole file if it has no tensors.
        digest.update(file.read(min((tensor.start for tensor in tensors.values()), default=-1)))
        for name, tensor in tensors.items():
            n, start = (tensor.end - tensor.start) // BYTES[tensor.dtype], 0
            while start < n:
                content = _read(file, min(BLOCK, n - start) * BYTES[tensor.dtype])
                digest.update(content)
                numbers = torch.frombuffer(content, dtype=DTYPES[tensor.dtype]).float()
                # If one number is NaN, so are both extremes.
                if not broken and not torch.stack(numbers.aminmax()).isfinite().all():
                    broken = name
                yield name, start, numbers
                start += len(numbers)
        digest.update(file.read(1))  # empty, unless the file has grown
    if digest.hexdigest() != sha256:
        raise ValueError(f"{path} is not the file that config.json was written for: its sha256 differs")
    if broken:
        raise ValueError(f"{path}: tensor {broken} holds NaN or infinity")


def _read(file: BufferedReader, n: int) -> bytearray:
    """Read n bytes; ValueError if the file ends before."""
    content = bytearray(n)
    if file.readinto(content) != n:
        raise ValueError(f"{file.name} cannot be read as safetensors: it has become shorter")
    return content
