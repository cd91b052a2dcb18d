"""python -m core batch NAME FILE: the command that runs every text in a file."""

import argparse
from pathlib import Path

from core import cli


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    command = commands.add_parser("batch", help="run every text in a file; resumes an interrupted batch")
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    help = "file with one text per row: .txt, .csv, .tsv, .jsonl or .parquet"
    command.add_argument("file", type=Path, metavar="FILE", help=help)
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the table")
    help = 'column with the texts (default: "text", or the only column)'
    command.add_argument("--text", "--column", dest="column", metavar="COLUMN", help=help)
    command.add_argument("--traces", action="store_true", help="also save the trace of every text as NAME.npz")
    command.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="run in local processes, or on a Ray cluster whose workers can reach FILE and DIR",
    )
    command.add_argument("--address", metavar="HOST:PORT", help="address of the Ray cluster's head")
    command.add_argument("--workers", type=int, metavar="N", help="local processes (default: one per core)")
    cli.add_device(command)
    command.set_defaults(run=run, stopped=cli.KEPT)


def run(args: argparse.Namespace) -> None:
    """Run every text in a file through a model, and print the path of the table."""
    from core.batch.run import start

    options = {name: getattr(args, name) for name in ("column", "device", "traces", "engine", "address", "workers")}
    print(start(args.name, args.file, args.out, **options))
