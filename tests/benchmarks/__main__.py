"""python -m tests.benchmarks [NAME ...]: every performance figure of README, measured in one run."""

import argparse
import json
import sys

import torch

from tests.benchmarks import documents, pages, routing, serve, server, toys, windows
from tests.benchmarks.figure import Figure

BENCHMARKS = {
    "server": server.server,
    "start": server.start,
    "memory": server.memory,
    "serve": serve.serve,
    "scrub": pages.scrub,
    "payload": pages.payload,
    "em": routing.em,
    "documents": documents.documents,
    "windows": windows.windows,
    "toys": toys.toys,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all unless given: " + ", ".join(BENCHMARKS))
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    unknown = set(args.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    if args.device == "cuda" and not torch.cuda.is_available():
        print("there is no CUDA device here: all is measured on the CPU", file=sys.stderr)
        args.device = "cpu"
    figures: list[tuple[str, Figure]] = []
    for name in args.names or BENCHMARKS:
        figures += [(name, figure) for figure in BENCHMARKS[name](args.device)]
        print(f"{name} measured", file=sys.stderr)
    if args.json:
        print(json.dumps([{"benchmark": name} | vars(f) | {"of_bar": f.of_bar} for name, f in figures], indent=1))
        return 0
    print("| figure | measured | bar | of the bar used | NAME |\n|---|---|---|---|---|")
    for name, f in figures:
        bar, used = "-", "-"
        if f.bar is not None:
            bar, used = f"{'≥ ' if f.at_least else ''}{f.bar:,g} {f.unit}", f"{f.of_bar:.2f}"
        print(f"| {f.name} | {f.measured:,.3g} {f.unit} | {bar} | {used} | `{name}` |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
