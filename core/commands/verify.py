"""python -m core verify FIGURE: the command that checks an exported figure."""

import argparse
from pathlib import Path

from core import cli
from core.sentences.words import capital

HELP = "check that an exported figure is as it was exported, and compute its numbers again"
ABOUT = f"""{HELP}.

It prints one sentence. Exit codes: 0 the same, or numbers intact but not computed again; 1 a number was changed or
differs, or the network has other weights; 2 the file cannot be read. Checksums show mistakes and careless edits. They
are no signature: somebody who wants to deceive can write others. Only numbers that were computed again are proved."""


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    unwrapped = argparse.RawDescriptionHelpFormatter
    command = commands.add_parser("verify", help=HELP, description=ABOUT, formatter_class=unwrapped)
    command.add_argument("figure", type=Path, metavar="FIGURE", help=".svg, .pdf, .html, .json, .npz or .ipynb")
    help = "the text, if it is not in the file; repeat it for each run if they read different texts"
    command.add_argument("--text", action="append", default=[], metavar="TEXT", help=help)
    help = "folder of the network (default: the checkpoint that the figure names)"
    command.add_argument("--network", type=Path, metavar="FOLDER", help=help)
    cli.add_device(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Verify a figure, print the outcome, and return the exit code."""
    from core.provenance.verify import verify

    outcome = verify(args.figure, args.text, args.network, args.device)
    is_name = outcome.sentence.startswith(args.figure.name)  # which keeps its first letter
    print(outcome.sentence if is_name else capital(outcome.sentence))
    return outcome.code
