"""python -m core.measured QUANTITY NAME: measure a checkpoint on its dataset and save the result."""

import argparse
import sys
from pathlib import Path

import numpy as np

from core import cli, zoo
from core.datasets import folder_of
from core.measured import features, poses, selections, store

MEASURES = {
    "poses": poses.measure_test_split,
    "features": features.measure_sample,
    "selections": selections.measure_test_split,
}


def main(arguments: list[str] | None = None) -> int:
    """Run a command; 0, or 2 after one clear line on bad input."""
    return cli.run(_parser(), measure, arguments)


def measure(args: argparse.Namespace) -> None:
    """Measure a checkpoint and print the path of the result."""
    sha256 = zoo.describe(args.name).sha256
    checkpoint = zoo.load(args.name, args.device)
    arrays, data = MEASURES[args.quantity](checkpoint, args.data or folder_of(checkpoint.corpus))
    print(store.save(args.quantity, args.name, arrays | {"data": np.array(data)}, sha256))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core.measured", description=__doc__)
    parser.add_argument(
        "quantity",
        choices=tuple(MEASURES),
        help="poses: the pose vectors of smallNORB's test toys; features: of a sample of its training pairs; "
        "selections: the words that an AGT's layers select",
    )
    parser.add_argument("name", metavar="NAME", help="a checkpoint")
    parser.add_argument("--data", type=Path, metavar="DIR", help="its dataset; ROUTESCOPE_DATA/CORPUS unless given")
    cli.add_device(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
