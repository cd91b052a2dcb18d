"""python -m core push NAME: the command that writes a checkpoint for the Hugging Face Hub."""

import argparse
import shlex
from pathlib import Path


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    help = "write a checkpoint into a folder that the Hugging Face Hub takes as it is"
    command = commands.add_parser("push", help=help)
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    help = "new or empty folder, an empty clone of a repository, or the folder of an earlier push"
    command.add_argument("--to", type=Path, required=True, metavar="FOLDER", help=help)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Write a checkpoint for the Hugging Face Hub, and print what is in the folder and the command that uploads it."""
    from core.zoo.push import push

    files = push(args.name, args.to)
    size = sum((args.to / file).stat().st_size for file in files) / 1e6
    print(f"{args.to}: {len(files)} files, {size:.1f} MB")
    print(f"Upload it: hf upload YOU/{args.name} {shlex.quote(str(args.to))}")
