"""python -m core.datasets.toyrig OUT: rendered toys as smallNORB's official files."""

import argparse
import sys
from pathlib import Path

from core.datasets.toyrig import INSTANCES
from core.datasets.toyrig.render import render


def main(arguments: list[str] | None = None) -> int:
    """Render; 0, or 2 after one clear line on bad input."""
    parser = argparse.ArgumentParser(prog="python -m core.datasets.toyrig", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder; what it holds of a stopped run is kept")
    parser.add_argument("--split", choices=tuple(INSTANCES), help="both unless given")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N pairs of each split only")
    args = parser.parse_args(arguments)
    try:
        if args.limit is not None and args.limit < 1:
            raise ValueError(f"--limit is {args.limit}, wanted at least 1")
        for split in [args.split] if args.split else INSTANCES:
            render(args.out, split, args.limit)
    except (ValueError, OSError) as error:
        print(f"core.datasets.toyrig: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
