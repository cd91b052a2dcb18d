"""python -m core COMMAND: the models on the command line."""

import argparse
import platform
import sys
from importlib.metadata import version

import core
from core import cli, manifest
from core.commands import batch, check, evaluate, evidence, explain, fit, ledger, models, push, units, verify

COMMANDS = models, explain, evaluate, batch, fit, evidence, units, push, ledger, check, verify
OTHERS = """other commands, each with its own --help:
  python -m core.training   train the checkpoint of a recipe
  python -m core.sweep      train many networks into one table
  python -m core.measured   measure a checkpoint on its dataset, for example its poses
  python -m core.datasets   check or fetch a dataset
  python -m core.zoo        convert published weights

python -m core.training.head trains an EM head over your own transformer.
streamlit run streamlit_app.py opens the dashboard, python -m dashboard.serve starts several servers of it."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 2 after one clear line on bad input, or 1 from ``verify``."""
    return cli.run(_parser(), _run, arguments)


def _run(args: argparse.Namespace) -> int | None:
    """Run the chosen command, after a notice if the user's checkpoint of this name is left out."""
    if sentence := manifest.left_out().get(getattr(args, "name", "")):
        print(sentence, file=sys.stderr)
    return args.run(args)


def _parser() -> argparse.ArgumentParser:
    unwrapped = argparse.RawDescriptionHelpFormatter
    parser = cli.Parser(prog="python -m core", description=__doc__, epilog=OTHERS, formatter_class=unwrapped)
    versions = f"Routescope {core.__version__}, PyTorch {version('torch')}, Python {platform.python_version()}"
    parser.add_argument("--version", action="version", version=versions)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
