"""python -m core units NAME: the command that says what the units of a network take and do."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy import ndarray

from core import cli, manifest
from core.measured import store
from core.sentences.unit_views import followed, say_activation, say_pose
from core.sentences.units import INPUTS, label, most_taken, say_effect, say_rule, say_static
from core.sentences.words import capital, listed
from core.stored import BY_KIND

N_WORDS = 8
MIN_TEXTS = 10  # as in ``core.measured.own_units``, which imports PyTorch
LIMIT = 10_000  # texts of a file that are measured, if no other number is asked for


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    help = "say what each capsule, part, layer or component takes and does over a test split"
    command = commands.add_parser("units", help=help)
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    help = (
        "measure again, on this folder of the dataset as released, or on the held-out texts of this file, which the "
        "network learned from; save the result next to the weights"
    )
    command.add_argument("--data", type=Path, metavar="PATH", help=help)
    help = "measure on your own texts instead: .txt, .csv, .tsv, .jsonl or .parquet; nothing is saved without --out"
    command.add_argument("--texts", type=Path, metavar="FILE", help=help)
    help = "column of --texts (default: a guess, which is printed)"
    command.add_argument("--text", metavar="COLUMN", help=help)
    help = f"measure N evenly spaced texts of --texts, at least {MIN_TEXTS} (default: {LIMIT:,})"
    command.add_argument("--limit", type=int, metavar="N", help=help)
    help = "also save what --texts gives in this folder: the arrays, and the texts that stand for each tenth"
    command.add_argument("--out", type=Path, metavar="DIR", help=help)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    cli.add_engine(command)
    help = "local processes that read --texts (default: one per core)"
    command.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help=help)
    cli.add_device(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print what the units of a network take and do, after measuring them if a folder or a file is given.

    Raises:
        ValueError: the units are not measured and nothing to measure on is given, or an option is wrong.
    """
    about = manifest.describe(args.name)
    if args.texts is not None:
        kept = _measure_texts(args)
    elif args.text or args.out or args.limit is not None:
        raise ValueError("--text, --out and --limit work only with --texts")
    else:
        if args.data is not None:
            _measure(args)
        kept = store.read("units", args.name)
    if kept is None:
        raise ValueError(f"the units of {args.name} are not measured; --data PATH or --texts FILE measures them")
    views = store.read("views", args.name)
    row_of = {number: row for row, number in enumerate(views["numbers"].tolist())} if views else {}
    unit, input = BY_KIND[about.kind].inner_unit, INPUTS[BY_KIND[about.kind].reads]
    if args.json:
        records = list(as_records(kept, about.classes, unit))
        for record in records if views else ():
            record["pose_follows"] = followed(views, row_of[record["number"]])
        print(json.dumps(records, indent=1))
        return
    print(f"{args.name}, {len(kept['numbers'])} {unit}s, {kept['data']}")
    for u in np.argsort(-kept["matters"], kind="stable"):
        print(f"\n{capital(label(kept, u, unit))}")
        print(f"  {say_rule(kept, u, unit, input)}")
        if words := most_taken(kept, u, N_WORDS):
            print(f"  It takes most of {listed(words)}.")
        print(f"  {say_effect(kept, u, about.classes, unit, input)} {say_static(kept, u, input)}")
        if views:
            row = row_of[kept["numbers"][u]]
            print(f"  {say_activation(views, row)}\n  {say_pose(views, row)}")


def _measure(args: argparse.Namespace) -> None:
    """Measure the units, and the same on the program's sentences or over views, and save both."""
    from core import zoo
    from core.fit.own_file import own_file
    from core.fit.units import measure_units
    from core.measured import unit_views, units

    if own_file(args.name):
        return measure_units(args.name, args.data, LIMIT, args.device, args.workers)
    about = manifest.describe(args.name)
    second = {"views": unit_views.measure_test_split}
    if BY_KIND[about.kind].reads == "text":
        second = {"reading": units.measure_reading}
    measures = {"units": units.measure_test_split, **second}
    for quantity in measures:
        store.check_keeps(quantity, args.name)
    checkpoint, sha256 = zoo.load(args.name, args.device), about.sha256
    for quantity, measure in measures.items():
        arrays, data = measure(checkpoint, args.data)
        store.save(quantity, args.name, arrays | {"data": np.array(data)}, sha256)


def _measure_texts(args: argparse.Namespace) -> dict[str, ndarray]:
    """Measure the units on the texts of a file, and return the arrays "units"."""
    from core import zoo
    from core.batch.columns import choose_texts
    from core.measured import own_units
    from core.measured.evidence.measure import engine_of

    if args.data is not None:
        raise ValueError("--data and --texts are two sources of texts: give one")
    limit = LIMIT if args.limit is None else args.limit
    for option, value, least in (("workers", args.workers, 1), ("limit", limit, MIN_TEXTS)):
        if value < least:
            raise ValueError(f"--{option} is {value}, wanted at least {least}")
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
    column = choose_texts(args.texts, args.text)
    if args.text is None:
        print(f"Texts are in the column {column} (guessed).", file=sys.stderr)
    checkpoint = zoo.load(args.name, args.device)
    own = own_units.read(args.texts, column, limit)
    engine = engine_of(args.engine, args.workers, args.address, args.device)
    measured = own_units.measure(checkpoint, own, args.device, engine)
    if args.out is not None:
        for quantity, arrays in measured.items():
            store.save_in(args.out, quantity, arrays, checkpoint.sha256)
    return measured["units"]


def as_records(kept: Mapping[str, ndarray], classes: tuple[str, ...], unit: str) -> Iterator[dict[str, Any]]:
    """One record per unit, with numbers and text only."""
    plain = ("matters", "flips", "idle", "evenness", "between", "selective", "accuracy", "base", "low", "high")
    for u, number in enumerate(kept["numbers"].tolist()):
        yield {
            "unit": unit,
            "number": number,
            "name": str(kept["names"][u]),
            "rule": str(kept["rules"][u]),
            "aim": str(kept["aims"][u]),
            "alike": [int(v) for v in str(kept["alike"][u]).split()],
            "words": most_taken(kept, u, N_WORDS),
            "effect": dict(zip(classes, map(float, kept["effect"][u]), strict=True)),
            **{name: float(kept[name][u]) for name in plain},
        }
