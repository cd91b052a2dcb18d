"""python -m core.sweep SWEEP --data DIR: train many networks into one table."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

from core.datasets import data_root
from core.measured.store import SWEEPS
from core.sweep import aggregation, attention, capsules, engines, iterations, windows
from core.sweep.engines import Row
from core.sweep.table import complete
from core.zoo import PRETRAINED

SCRATCH = PRETRAINED / ".training" / "sweeps"


def main(arguments: list[str] | None = None) -> int:
    """Run a sweep and write its table; 0, or 2 after one clear line on bad input."""
    args = _parser().parse_args(arguments)
    try:
        if args.seeds < 1:
            raise ValueError(f"--seeds is {args.seeds}, wanted at least 1")
        args.run(args)
    except (ValueError, RuntimeError, OSError) as error:
        print(f"core.sweep: {error}", file=sys.stderr)
        return 2
    return 0


def sweep_attention(args: argparse.Namespace) -> None:
    data = args.data or data_root() / attention.BASE.corpus
    table = attention.sweep(data, args.scratch, args.device, args.seeds)
    print(table.drop(columns=["hardware", "recipe"]).to_string(index=False))


def sweep_windows(args: argparse.Namespace) -> None:
    asked = {name: tuple(getattr(args, name)) for name in windows.ASKED if getattr(args, name)}
    for name, known in windows.ASKED.items():
        if strange := [value for value in asked.get(name, ()) if known and value not in known]:
            raise ValueError(f"--{name} has {strange[0]}, wanted some of {', '.join(map(str, known))}")
    todo = windows.grid(args.seeds, **asked) if asked else windows.cases(args.seeds)
    _complete(windows, todo, args)


def sweep_cases(sweep: ModuleType, args: argparse.Namespace) -> None:
    _complete(sweep, sweep.cases(args.seeds), args)


def _complete(sweep: ModuleType, todo: Iterable, args: argparse.Namespace) -> None:
    """Run what the table of a sweep lacks, on the engine that is asked for."""
    call = partial(sweep.measure, root=(args.data or data_root()).absolute(), device=args.device)

    def run(cases: list) -> Iterator[Row]:
        if args.engine == "ray":
            return engines.on_ray(call, cases, args.address)
        return engines.local(call, cases, args.workers)

    table = args.out or SWEEPS / f"{sweep.NAME}.parquet"
    complete(sweep.Case, todo, run, table)
    print(table)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core.sweep", description=main.__doc__)
    sweeps = parser.add_subparsers(dest="sweep", required=True, metavar="SWEEP")
    one = sweeps.add_parser(attention.NAME, help="AGT with s_l in 15 layers, in 3, in 1", description=attention.__doc__)
    one.add_argument("--data", type=Path, metavar="DIR", help="the treebank; ROUTESCOPE_DATA/sst unless given")
    one.add_argument("--scratch", type=Path, metavar="DIR", default=SCRATCH, help="for a checkpoint a training")
    one.set_defaults(run=sweep_attention)
    two = sweeps.add_parser(
        windows.NAME,
        help="disconnected networks by window, unit, pooling, task and training size",
        description=f"{windows.__doc__} Without a list of any kind: what the paper varies, one thing at a time. What "
        "the table has is not trained again.",
    )
    for name, known in windows.ASKED.items():
        kind = int if name in ("sizes", "windows") else str
        help = ", ".join(map(str, known)) or "any"
        two.add_argument(
            f"--{name}", nargs="+", type=kind, metavar={"corpora": "CORPUS"}.get(name, name[:-1].upper()), help=help
        )
    two.set_defaults(run=sweep_windows)
    others = {
        capsules: "CCCaps by embedding, routing and loss, on AG's News",
        aggregation: "DR-AGG beside pooling and self-attention, on SST-5, SST-2 and IMDB",
        iterations: "DR-AGG by iterations and capsules, on SST-2",
    }
    more = []
    for module, help in others.items():
        said = f"{module.__doc__} What the table has is not trained again."
        more.append(sweeps.add_parser(module.NAME, help=help, description=said))
        more[-1].set_defaults(run=partial(sweep_cases, module))
    for sweep in (two, *more):
        sweep.add_argument(
            "--data", type=Path, metavar="DIR", help="a folder a corpus in it; ROUTESCOPE_DATA unless given"
        )
        sweep.add_argument("--engine", choices=("local", "ray"), default="local", help="processes here, or Ray")
        sweep.add_argument("--workers", type=int, metavar="N", default=os.cpu_count(), help="all cores unless given")
        sweep.add_argument("--address", metavar="HOST:PORT", help="of a Ray cluster's head")
        sweep.add_argument("--out", type=Path, metavar="F.parquet", help="the table; the shipped one unless given")
    for sweep in (one, two, *more):
        sweep.add_argument("--seeds", type=int, default=3, metavar="N")
        sweep.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    return parser


if __name__ == "__main__":
    sys.exit(main())
