"""python -m core.datasets.toyrig OUT: write rendered toys in the format of smallNORB's official files."""

import argparse
import sys
from pathlib import Path

from core import cli
from core.datasets.toyrig import INSTANCES
from core.datasets.toyrig.render import render


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 2 after one clear line on bad input."""
    return cli.run(_parser(), render_splits, arguments)


def render_splits(args: argparse.Namespace) -> None:
    """Render one split, or both."""
    if args.limit is not None and args.limit < 1:
        raise ValueError(f"--limit is {args.limit}, wanted at least 1")
    for split in [args.split] if args.split else INSTANCES:
        render(args.out, split, args.limit)


def _parser() -> argparse.ArgumentParser:
    parser = cli.Parser(prog="python -m core.datasets.toyrig", description=__doc__)
    help = "folder for the files; what an interrupted run finished is kept"
    parser.add_argument("out", type=Path, metavar="OUT", help=help)
    parser.add_argument("--split", choices=tuple(INSTANCES), help="split to render (default: both)")
    parser.add_argument("--limit", type=int, metavar="N", help="render the first N pairs of each split only")
    return parser


if __name__ == "__main__":
    sys.exit(main())
