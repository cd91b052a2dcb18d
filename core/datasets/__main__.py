"""python -m core.datasets NAME: check the checksums of a dataset's official files, or download them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core import cli
from core.datasets import CORPORA, data_root
from core.datasets.download import check, download


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return cli.run(_parser(), run, arguments)


def run(args: argparse.Namespace) -> None:
    """Check the files of a corpus, after fetching missing ones if asked to."""
    corpus = CORPORA[args.name]
    if not corpus.files:
        print(f"{corpus.title}: no released files are listed, so there is nothing to check")
        return
    folder = (args.root or data_root()) / corpus.name
    if args.download:
        download(corpus, folder)
    check(corpus, folder)
    n = len(corpus.files)
    print(f"{folder}: {n} file{'s' * (n != 1)} as released")


def _parser() -> argparse.ArgumentParser:
    names = sorted(CORPORA)
    parser = cli.Parser(prog="python -m core.datasets", description=__doc__)
    parser.add_argument("name", choices=names, metavar="NAME", help="one of " + ", ".join(names))
    help = "folder with one folder per dataset (default: ROUTESCOPE_DATA)"
    parser.add_argument("--root", type=Path, metavar="DIR", help=help)
    help = "download missing files from the official address"
    parser.add_argument("--download", action="store_true", help=help)
    return parser


if __name__ == "__main__":
    sys.exit(main())
