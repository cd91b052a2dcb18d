"""python -m tests.benchmarks [NAME ...]: measure the performance figures."""

import argparse
import json
import sys
from datetime import date

import torch

from tests.benchmarks import (
    api,
    batch,
    cuts,
    documents,
    hostile,
    lab,
    pages,
    results,
    routing,
    serve,
    server,
    toys,
    training,
    units,
    windows,
)
from tests.benchmarks.results import Result

BENCHMARKS = {
    "server": server.server,
    "hold": server.hold,
    "language": server.language,
    "start": server.start,
    "memory": server.memory,
    "serve": serve.serve,
    "scrub": pages.scrub,
    "edit": pages.edit,
    "payload": pages.payload,
    "em": routing.em,
    "documents": documents.documents,
    "windows": windows.windows,
    "toys": toys.toys,
    "drag": toys.drag,
    "toy-memory": toys.toy_memory,
    "cuts": cuts.cuts,
    "batch": batch.batch,
    "lab": lab.lab,
    "api": api.api,
    "training": training.training,
    "units": units.units,
    "hostile": hostile.hostile,
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command; argparse exits with 2 on bad input."""
    args = _parse(arguments)
    if args.markdown:
        print(results.to_markdown(results.read()))
        return 0
    measured = []
    for name in args.names or BENCHMARKS:
        today = date.today().isoformat()
        measured += [Result(name, figure, today) for figure in BENCHMARKS[name](args.device)]
        print(f"{name} measured", file=sys.stderr)
    if args.keep:
        results.keep(measured)
    if args.json:
        print(json.dumps([result.to_row() | {"of_bar": result.figure.used_share} for result in measured], indent=1))
    else:
        print(results.to_markdown(measured))
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    help = f"benchmarks to run (default: all): {', '.join(BENCHMARKS)}"
    parser.add_argument("names", nargs="*", metavar="NAME", help=help)
    help = "device of the models (default: cpu)"
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help=help)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--keep", action="store_true", help="save the figures in results.json (CPU only)")
    help = "print results.json as README's table and measure nothing"
    parser.add_argument("--markdown", action="store_true", help=help)
    args = parser.parse_args(arguments)
    if unknown := sorted(set(args.names) - set(BENCHMARKS)):
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    if args.device == "cuda" and args.keep:
        parser.error("--keep is for the figures on a CPU")
    if args.device == "cuda" and not torch.cuda.is_available():
        print("there is no CUDA device here: all is measured on the CPU", file=sys.stderr)
        args.device = "cpu"
    return args


if __name__ == "__main__":
    sys.exit(main())
