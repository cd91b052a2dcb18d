"""python -m core.zoo COMMAND: convert published weights to our format."""

import argparse
import sys
from pathlib import Path

from core import cli, manifest, zoo
from core.zoo import heinsen


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 2 after one clear line on bad input."""
    return cli.run(_parser(), lambda args: args.run(args), arguments)


def import_weights(args: argparse.Namespace) -> None:
    """Convert a file from the author of EM routing to a checkpoint with a new name."""
    if (args.file is None) == (args.download is None):
        raise ValueError("import-heinsen needs either FILE.pt or --download")
    name = args.name or (args.download and f"heinsen-{args.download}")
    if name is None:
        raise ValueError("import-heinsen FILE.pt needs --name")
    zoo.check_name(name)
    folder = (args.out or manifest.user_folder()) / name
    if args.download:
        heinsen.download_heinsen(args.download, folder)
    else:
        heinsen.import_heinsen(args.file, folder)
    print(f"{folder}: {zoo.describe_folder(folder).metrics.parameters:,} parameters")


def _parser() -> argparse.ArgumentParser:
    parser = cli.Parser(prog="python -m core.zoo", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("import-heinsen", help="convert the weights published with the EM routing paper")
    command.add_argument("file", type=Path, metavar="FILE.pt", nargs="?", help="file of published weights")
    help = f"download the weights from {heinsen.REPOSITORY} instead"
    command.add_argument("--download", choices=tuple(heinsen.PUBLISHED), help=help)
    command.add_argument("--name", help="name of the new checkpoint (default with --download: heinsen-DOWNLOAD)")
    help = "folder of checkpoints (default: ROUTESCOPE_MODELS, or a folder in the user's cache directory)"
    command.add_argument("--out", type=Path, metavar="DIR", help=help)
    command.set_defaults(run=import_weights)
    return parser


if __name__ == "__main__":
    sys.exit(main())
