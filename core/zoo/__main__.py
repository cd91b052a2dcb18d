"""python -m core.zoo COMMAND: convert published weights to our format."""

import argparse
import os
import re
import sys
from pathlib import Path

from core import cli, zoo
from core.zoo.heinsen import import_heinsen


def main(arguments: list[str] | None = None) -> int:
    """Run a command; 0, or 2 after one clear line on bad input."""
    return cli.run(_parser(), lambda args: args.run(args), arguments)


def import_weights(args: argparse.Namespace) -> None:
    """Convert one of the EM routing author's files to a checkpoint with a new name."""
    if not re.fullmatch(r"[\w][\w.-]*", args.name):
        raise ValueError(f"the name is {args.name!r}, wanted letters, digits, points, - and _")
    folder = (args.out or Path(os.environ.get("ROUTESCOPE_MODELS") or zoo.PRETRAINED)) / args.name
    if folder.exists():
        raise ValueError(f"{folder} exists already")
    import_heinsen(args.file, folder)
    print(f"{folder}: {zoo.describe_folder(folder).metrics.parameters:,} parameters")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core.zoo", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("import-heinsen", help="weights of the EM routing paper, as published")
    command.add_argument("file", type=Path, metavar="FILE.pt")
    command.add_argument("--name", required=True, help="of the new checkpoint")
    command.add_argument("--out", type=Path, metavar="DIR", help="ROUTESCOPE_MODELS, or pretrained/, unless given")
    command.set_defaults(run=import_weights)
    return parser


if __name__ == "__main__":
    sys.exit(main())
