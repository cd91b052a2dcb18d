"""python -m core evidence NAME: the command that measures whether a network's pictures are true."""

import argparse
import os
import sys
from pathlib import Path

from core import cli, manifest
from core.commands import options


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    help = "measure how faithful a model's pictures are, on the test split"
    command = commands.add_parser("evidence", help=help)
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    options.add_data(command)
    help = "measure N evenly spaced test samples (default: 2,210)"
    command.add_argument("--limit", type=options.positive, default=2210, metavar="N", help=help)
    help = "file for the result (default: evidence.json next to the weights)"
    command.add_argument("--out", type=Path, metavar="F.json", help=help)
    cli.add_engine(command)
    help = "local processes (default: one per core)"
    command.add_argument("--workers", type=options.positive, default=os.cpu_count() or 1, metavar="N", help=help)
    cli.add_device(command)
    options.add_progress(command)
    command.set_defaults(run=run, stopped=cli.KEPT)


def run(args: argparse.Namespace) -> None:
    """Measure whether a model's rankings of words show what its answers depend on, and print the path of the file.

    The sentence of its badge goes to the other stream, so that a program reads only the path.
    """
    from core.datasets import folder_of
    from core.fit.own_file import held_out, own_file
    from core.json_files import read_json
    from core.measured.evidence.badge import badge_of
    from core.measured.evidence.measure import engine_of, measure, official_split
    from core.measured.evidence.record import Evidence

    file = own_file(args.name)
    data = options.own_path(file.name, args) if file else args.data or folder_of(manifest.describe(args.name).corpus)
    engine = engine_of(args.engine, args.workers, args.address, args.device)
    read = held_out if file else official_split
    path = measure(args.name, data, args.limit, args.device, engine, options.shows_progress(args), args.out, read)
    print(path)
    print(f"Its picture: {badge_of(Evidence.read(read_json(path))).text}.", file=sys.stderr)
