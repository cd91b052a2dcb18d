"""What ``python -m core.poses`` and ``python -m core.composition`` share: measure once, keep beside the weights."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy import ndarray

from core import zoo
from core.checkpoint import Checkpoint
from core.datasets import folder_of
from core.measured import keep_measured

Measured = tuple[dict[str, ndarray], str]  # the arrays of a key of MEASURED, and in words what they were measured on


def command(what: str, measure: Callable[[Checkpoint, Path], Measured], arguments: list[str] | None) -> int:
    """Measure on the test split in a folder and write; 0, or 2 after one clear line on bad input."""
    parser = argparse.ArgumentParser(prog=f"python -m core.{what}", description="Measure on the test split and write.")
    parser.add_argument("name", metavar="NAME", help="a checkpoint")
    parser.add_argument("--data", type=Path, metavar="DIR", help="its dataset; ROUTESCOPE_DATA/CORPUS unless given")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    args = parser.parse_args(arguments)
    try:
        sha256 = zoo.describe(args.name).sha256
        checkpoint = zoo.load(args.name, args.device)
        arrays, said = measure(checkpoint, args.data or folder_of(checkpoint.corpus))
        print(keep_measured(what, args.name, arrays | {"data": np.array(said)}, sha256))
    except (ValueError, RuntimeError, OSError) as error:
        print(f"core.{what}: {error}", file=sys.stderr)
        return 2
    return 0
