"""python -m core.sweep attention --data DIR: train a network with and without a part of it, into one table."""

import argparse
import sys
from pathlib import Path

from core.datasets import data_root
from core.sweep import attention
from core.zoo import PRETRAINED
from core.zoo.measured import keep_sweep

SCRATCH = PRETRAINED / ".training" / "sweeps"


def main(arguments: list[str] | None = None) -> int:
    """Run a sweep and write its table; 0, or 2 after one clear line on bad input."""
    parser = argparse.ArgumentParser(prog="python -m core.sweep", description=main.__doc__)
    sweeps = parser.add_subparsers(dest="sweep", required=True, metavar="SWEEP")
    one = sweeps.add_parser(attention.NAME, help="AGT with s_l in 15 layers, in 3, in 1", description=attention.__doc__)
    one.add_argument("--data", type=Path, metavar="DIR", help="the treebank; ROUTESCOPE_DATA/sst unless given")
    one.add_argument("--scratch", type=Path, metavar="DIR", default=SCRATCH, help="for a checkpoint a training")
    one.add_argument("--seeds", type=int, default=3, metavar="N")
    one.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    args = parser.parse_args(arguments)
    try:
        if args.seeds < 1:
            raise ValueError(f"--seeds is {args.seeds}, wanted at least 1")
        data = args.data or data_root() / attention.BASE.corpus
        table = attention.sweep(data, args.scratch, args.device, args.seeds)
        print(table.drop(columns="hardware").to_string(index=False))
        print(keep_sweep(args.sweep, table))
    except (ValueError, RuntimeError, OSError) as error:
        print(f"core.sweep: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
