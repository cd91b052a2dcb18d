"""python -m core check: the command that confirms published numbers."""

import argparse
import sys

from core import cli
from core.commands import options


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    help = "check in five minutes which published numbers the shipped files and your data confirm"
    command = commands.add_parser("check", help=help)
    command.add_argument("names", metavar="NAME", nargs="*", help="name of a checkpoint (default: all shipped ones)")
    help = "test samples of each network (default: 500)"
    command.add_argument("--samples", type=options.positive, default=500, metavar="N", help=help)
    cli.add_device(command)
    options.add_progress(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print which published numbers the shipped files and the data at hand confirm; RuntimeError if any differs."""
    from core.check import Found, check

    def tell(name: str) -> None:
        if options.shows_progress(args):
            print(f"checking {name}", file=sys.stderr)

    results = []
    for one in check(args.names, args.samples, args.device, tell):
        print(one, flush=True)
        results.append(one.result)
    n = {result: results.count(result) for result in Found}
    print(f"{n[Found.CONFIRMED]} published numbers confirmed, {n[Found.NOT_CHECKED]} not checked")
    if n[Found.DIFFERS]:
        differ = f"{n[Found.DIFFERS]} published number{'s differ' if n[Found.DIFFERS] > 1 else ' differs'}"
        raise RuntimeError(f"{differ} from what is found here")
