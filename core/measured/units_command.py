"""python -m core units NAME: the command that says what the units of a network take and do."""

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy import ndarray

from core import cli, manifest
from core.measured import store
from core.sentences.units import INPUTS, label, most_taken, say_effect, say_rule, say_static
from core.sentences.words import capital, listed
from core.trace import BY_KIND

N_WORDS = 8


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    help = "say what each capsule, part, layer or component takes and does over a test split"
    command = commands.add_parser("units", help=help)
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    help = "measure again, on this folder of the dataset as released, and save the result next to the weights"
    command.add_argument("--data", type=Path, metavar="DIR", help=help)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    cli.add_device(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print what the units of a network take and do, after measuring them if a folder is given.

    Raises:
        ValueError: the units are not measured and no folder is given.
    """
    about = manifest.describe(args.name)
    if args.data is not None:
        _measure(args)
    kept = store.read("units", args.name)
    if kept is None:
        raise ValueError(f"the units of {args.name} are not measured; --data DIR measures them")
    unit, input = BY_KIND[about.kind].inner_unit, INPUTS[BY_KIND[about.kind].reads]
    if args.json:
        print(json.dumps(list(as_records(kept, about.classes, unit)), indent=1))
        return
    print(f"{args.name}, {len(kept['numbers'])} {unit}s, {kept['data']}")
    for u in np.argsort(-kept["matters"], kind="stable"):
        print(f"\n{capital(label(kept, u, unit))}")
        print(f"  {say_rule(kept, u, unit, input)}")
        if words := most_taken(kept, u, N_WORDS):
            print(f"  It takes most of {listed(words)}.")
        print(f"  {say_effect(kept, u, about.classes, unit, input)} {say_static(kept, u, input)}")


def _measure(args: argparse.Namespace) -> None:
    """Measure the units, and the same on the program's sentences, and save both."""
    from core import zoo
    from core.measured import units

    measures = {"units": units.measure_test_split, "reading": units.measure_reading}
    for quantity in measures:
        store.check_keeps(quantity, args.name)
    checkpoint = zoo.load(args.name, args.device)
    sha256 = manifest.describe(args.name).sha256
    if BY_KIND[checkpoint.kind].reads == "pictures":
        del measures["reading"]
    for quantity, measure in measures.items():
        arrays, data = measure(checkpoint, args.data)
        store.save(quantity, args.name, arrays | {"data": np.array(data)}, sha256)


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
