"""python -m core explain NAME TEXT: the command that shows every iteration of one run."""

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np

import core
from core import cli
from core.commands import options
from core.files import write


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    command = commands.add_parser(
        "explain", help="run a model on a text or a pair of pictures and show every iteration"
    )
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    command.add_argument("text", metavar="TEXT", nargs="?", help="the text, or - to read it from standard input")
    command.add_argument(
        "--image",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="left and right picture, for a network that reads pictures",
    )
    command.add_argument("--iterations", type=int, metavar="N", help="routing iterations (default: the trained number)")
    options.add_edit(command)
    command.add_argument("--out", type=Path, metavar="FILE", help="write the whole trace to FILE.json or FILE.npz")
    command.add_argument("--json", action="store_true", help="print the whole trace as JSON")
    cli.add_device(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Run a model on one input and print a summary, or print or write the whole trace."""
    if (args.text is None) == (args.image is None):
        raise ValueError("explain needs either TEXT or --image")
    if args.out and args.out.suffix not in (".json", ".npz"):
        raise ValueError(f"--out is {args.out}, wanted a name that ends in .json or .npz")
    from core import zoo

    checkpoint = zoo.load(args.name, args.device)
    text = _typed() if args.text == "-" else args.text
    sample = _pair(args.image) if args.image else text
    trace = core.explain(checkpoint, sample, args.iterations, args.edit)
    for notice in trace.notices:
        print(notice, file=sys.stderr)
    if args.out:
        write(args.out, trace.to_npz() if args.out.suffix == ".npz" else trace.to_json().encode())
    if args.json:
        print(trace.to_json())
    elif not args.out:
        print(*trace.summary(), sep="\n")


def _pair(paths: list[Path]) -> np.ndarray:
    """Read the only pair of pictures in these files, uint8 [2, y, x], and print notices to stderr."""
    from core import pictures  # imports image libraries, which only this command needs

    with ExitStack() as stack:
        pairs = pictures.read([(path.name, stack.enter_context(path.open("rb"))) for path in paths])
    for notice in pairs.notices:
        print(notice, file=sys.stderr)
    if len(pairs.images) != 1:
        raise ValueError(f"explain takes one pair of pictures, and there are {len(pairs.images)} here")
    return pairs.images[0]


def _typed() -> str:
    """The text on the standard input; ValueError if it is not in UTF-8."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise ValueError("the text on the standard input is not in UTF-8") from None
