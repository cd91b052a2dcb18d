"""python -m core.sweep SWEEP --data DIR: train many networks into one table."""

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core import cli

with cli.importing():
    from core import engines
    from core.datasets import data_root
    from core.measured import store
    from core.sweep.sweep import Sweep
    from core.sweep.sweeps import SWEEPS
    from core.sweep.table import complete, train_case


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sweep, write its table, and return the exit code."""
    return cli.run(_parser(), run, arguments)


def run(args: argparse.Namespace) -> None:
    """Train the networks that are missing from a sweep's table."""
    sweep: Sweep = args.sweep
    seeds = sweep.seeds if args.seeds is None else args.seeds
    if seeds < 1:
        raise ValueError(f"--seeds is {seeds}, wanted at least 1")
    data = (args.data or data_root() / sweep.corpus).absolute()
    measure = partial(train_case, sweep=sweep, data=data, device=args.device, scratch=args.scratch)
    engine = {
        "local": partial(engines.local, measure, workers=args.workers, device=args.device),
        "ray": partial(engines.on_ray, measure, address=args.address),
    }[args.engine]
    table = args.out or store.SWEEPS / f"{sweep.name}.parquet"
    complete(sweep.case, sweep.cases(seeds, **_chosen(sweep, args)), engine, table, fixed=sweep.fixed)
    print(table)


def _chosen(sweep: Sweep, args: argparse.Namespace) -> dict[str, tuple[Any, ...]]:
    """The values on the command line for each of the sweep's choices.

    Raises:
        ValueError: a choice does not allow a value.
    """
    chosen = {name: tuple(getattr(args, name)) for name in sweep.choices if getattr(args, name)}
    for name, values in chosen.items():
        allowed = sweep.choices[name]
        if unknown := [value for value in values if allowed and value not in allowed]:
            raise ValueError(f"--{name} has {unknown[0]}, wanted some of {', '.join(allowed)}")
    return chosen


def _parser() -> argparse.ArgumentParser:
    parser = cli.Parser(prog="python -m core.sweep", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="SWEEP")
    for sweep in SWEEPS.values():
        description = f"{sweep.description} Rows that are already in the table are not trained again."
        command = commands.add_parser(sweep.name, help=sweep.help, description=description)
        command.set_defaults(sweep=sweep, stopped=cli.KEPT)
        _add_options(command, sweep)
    return parser


def _add_options(command: argparse.ArgumentParser, sweep: Sweep) -> None:
    data = f"folder of {sweep.corpus}" if sweep.corpus else "folder with one folder per corpus"
    command.add_argument("--data", type=Path, metavar="DIR", help=f"{data} (default: in ROUTESCOPE_DATA)")
    for name, allowed in sweep.choices.items():
        command.add_argument(
            f"--{name}",
            nargs="+",
            type=str if allowed else int,
            metavar="CORPUS" if name == "corpora" else name[:-1].upper(),
            help=f"train only some of these: {', '.join(allowed)}" if allowed else "train only these numbers",
        )
    cli.add_engine(command)
    help = "local processes (default: one per core, or one on a GPU)"
    command.add_argument("--workers", type=int, metavar="N", default=os.cpu_count(), help=help)
    command.add_argument("--out", type=Path, metavar="F.parquet", help="file of the table (default: the shipped one)")
    command.add_argument(
        "--scratch",
        type=lambda folder: Path(folder).absolute(),
        metavar="DIR",
        default=sweep.scratch,
        help="folder for training states, so that interrupted trainings can resume",
    )
    help = f"trainings per network (default: {sweep.seeds})"
    command.add_argument("--seeds", type=int, metavar="N", help=help)
    cli.add_device(command)


if __name__ == "__main__":
    sys.exit(main())
