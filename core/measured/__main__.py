"""python -m core.measured QUANTITY NAME: measure a checkpoint on its dataset and save the result."""

import argparse
import sys
from pathlib import Path

import numpy as np

from core import cli

with cli.importing():
    from core import zoo
    from core.analysis.constituents import table
    from core.datasets import folder_of
    from core.measured import (
        changes,
        constituents,
        examples,
        features,
        harder,
        poses,
        readout,
        selections,
        split,
        stability,
        store,
        trainings,
        unit_views,
        units,
    )

MEASURES = {
    "poses": poses.measure_test_split,
    "built_in": poses.measure_built_in,
    "elevations": poses.measure_elevations,
    "features": features.measure_sample,
    "changes": changes.measure_test_split,
    "selections": selections.measure_test_split,
    "constituents": constituents.measure_split,
    "harder": harder.measure_split,
    "examples": examples.measure,
    "units": units.measure_test_split,
    "reading": units.measure_reading,
    "views": unit_views.measure_test_split,
}
TABLES = {"constituents": table, "harder": harder.table}  # of the quantities that can be measured on the dev split
FILES = {"poses": ("poses", "grid")}  # the files of a quantity, if it has several
UNSAVED = {"harder"}  # quantities of which only the table is printed
SPLITS = ("test", "dev")


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 2 after one clear line on bad input."""
    return cli.run(_parser(), measure, arguments)


def measure(args: argparse.Namespace) -> None:
    """Measure a checkpoint, save the result and print its files; or only print a table, as on the dev split."""
    if args.limit is not None and args.quantity != "split":
        raise ValueError("--limit works only with split")
    if args.split != "test" and args.quantity not in TABLES:
        raise ValueError("--split works only with constituents and harder")
    if args.quantity == "trainings":
        print(*trainings.keep_trainings(args.name, args.data), sep="\n")
        return
    if args.quantity == "stability":
        sha256 = zoo.describe(args.name).sha256
        arrays, data = stability.measure_stability(args.name)
        print(store.save(args.quantity, args.name, arrays | {"data": np.array(data)}, sha256))
        return
    is_saved = args.split == "test" and args.quantity not in UNSAVED
    files, sha256 = FILES.get(args.quantity, (args.quantity,)), zoo.describe(args.name).sha256
    if is_saved:
        for file in files:
            store.check_keeps(file, args.name)
    checkpoint = zoo.load(args.name, args.device)
    folder = args.data or folder_of(checkpoint.corpus)
    if args.quantity == "readout":
        others = [zoo.load(name, args.device) for name in args.beside]
        arrays, data = readout.measure_test_split(checkpoint, folder, others)
    elif args.beside:
        raise ValueError("--beside works only with readout")
    elif args.quantity == "split":
        arrays, data = split.measure_test_split(checkpoint, folder, args.limit)
    elif args.quantity in TABLES:
        arrays, data = MEASURES[args.quantity](checkpoint, folder, args.split)
        rows = TABLES[args.quantity](arrays).to_string(index=False, float_format="{:.3f}".format, na_rep="")
        print(f"{data}:\n{rows}")
    else:
        arrays, data = MEASURES[args.quantity](checkpoint, folder)
    if is_saved:
        for file in files:
            print(store.save(file, args.name, arrays | {"data": np.array(data)}, sha256))


def _parser() -> argparse.ArgumentParser:
    parser = cli.Parser(prog="python -m core.measured", description=__doc__)
    parser.add_argument(
        "quantity",
        choices=(*MEASURES, "split", "readout", "trainings", "stability"),
        help="poses: pose vectors of every smallNORB test toy, in two turns and from all directions; "
        "built_in: pose vectors of the fifty rendered toys; "
        "elevations: how often the test toys are named rightly from low and from high; "
        "features: features of a sample of smallNORB's training pairs; "
        "changes: accuracy on changed pictures of the test toys; "
        "selections: words that an AGT network's layers select; "
        "constituents: how often the selected phrases are constituents of the treebank's trees; "
        "harder: accuracy on pairs made harder, by class: prints a table and saves nothing; "
        "split: confusion matrix and certainties over the test split of texts; "
        "readout: how well a toy's direction can be predicted from a network's features; "
        "examples: what it answers on the examples of its page; "
        "units: what its capsules, parts, layers or components take and do on its test split; "
        "reading: the same on the sentences that come with the program; "
        "views: from where the parts of a network of toys are active, and what their poses follow; "
        "trainings: what your trainings of a shipped network with other seeds answer; "
        "stability: how like its units are to those of these trainings, where all their units are measured",
    )
    parser.add_argument("name", metavar="NAME", help="name of a checkpoint")
    help = "folder of its dataset (default: ROUTESCOPE_DATA/CORPUS)"
    parser.add_argument("--data", type=Path, metavar="DIR", help=help)
    parser.add_argument("--beside", nargs="+", default=(), metavar="NAME", help="readout: networks to compare with")
    help = "constituents, harder: split to measure; dev prints a table and saves nothing (default: test)"
    parser.add_argument("--split", choices=SPLITS, default="test", help=help)
    help = "split: measure N evenly spaced texts (default: all)"
    parser.add_argument("--limit", type=int, metavar="N", help=help)
    cli.add_device(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
