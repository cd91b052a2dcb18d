"""python -m core fit FILE: the command that trains a network on a person's own texts."""

import argparse
import json
import os
import sys
from pathlib import Path

from core import cli
from core.files import write

LIMIT = 200  # texts on which the short form of evidence is measured
UNITS = 1000  # texts on which units are measured
MISTAKES = 100  # wrong answers whose words are masked


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    command = commands.add_parser("fit", help="train a network on your own texts and labels")
    help = "file with a row for each text: .csv, .tsv, .jsonl or .parquet"
    command.add_argument("file", type=Path, metavar="FILE", help=help)
    command.add_argument("--text", metavar="COLUMN", help="column with the texts (default: a guess, which is printed)")
    command.add_argument(
        "--label", metavar="COLUMN", help="column with the labels (default: a guess, which is printed)"
    )
    help = "reversed (the default), standard, kmeans, em, attention or windows"
    command.add_argument("--routing", default="reversed", metavar="R", help=help)
    help = "minilm (the default), the folder of another transformer, or bilstm or words, which are trained too"
    command.add_argument("--encoder", metavar="E", help=help)
    command.add_argument("--out", required=True, metavar="NAME", help="name of the new checkpoint")
    help = "number of trainings, of which the one in the middle is kept (default: 1)"
    command.add_argument("--seeds", type=int, default=1, metavar="N", help=help)
    command.add_argument("--epochs", type=int, metavar="N", help="number of epochs (default: the training's own)")
    help = "train these routings on the same texts and compare them, for example reversed,kmeans,em"
    command.add_argument("--compare", metavar="R,R", help=help)
    help = "write the table and the advice of --compare to FILE, too"
    command.add_argument("--json", type=Path, metavar="FILE", help=help)
    help = f"measure the evidence on N test texts (default: {LIMIT}; 0 for none)"
    command.add_argument("--evidence", type=int, default=LIMIT, metavar="N", help=help)
    help = f"say what each unit takes and does on N test texts (default: {UNITS:,}; 0 for none)"
    command.add_argument("--units", type=int, default=UNITS, metavar="N", help=help)
    help = f"find the word behind N wrong answers to test texts (default: {MISTAKES}; 0 for none)"
    command.add_argument("--mistakes", type=int, default=MISTAKES, metavar="N", help=help)
    command.add_argument("--resume", action="store_true", help="go on with an interrupted training")
    command.add_argument("--replace", action="store_true", help="replace a network of this name")
    help = "local processes that measure units and evidence (default: one per core)"
    command.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help=help)
    cli.add_engine(command)
    cli.add_device(command)
    command.set_defaults(run=run, stopped=cli.RESUMES)


def run(args: argparse.Namespace) -> None:
    """Train what the command line asks for, and print how good it is."""
    from core.fit import advice, compare
    from core.fit.columns import choose_columns
    from core.fit.data import read
    from core.fit.mistakes import measure_mistakes
    from core.fit.routes import encoder_of
    from core.fit.run import FitTask, fit, measure_evidence
    from core.fit.summary import lines
    from core.fit.units import measure_units
    from core.manifest import check_not_shipped, folders

    if args.workers < 1:
        raise ValueError(f"--workers is {args.workers}, wanted at least 1")
    for name in ("evidence", "units", "mistakes"):
        if getattr(args, name) < 0:
            raise ValueError(f"--{name} is {getattr(args, name)}, wanted at least 0")
    routings = [name.strip() for name in args.compare.split(",")] if args.compare else []
    names = [f"{args.out}-{routing}" for routing in routings] or [args.out]
    for name in names:
        check_not_shipped(name)
    if (there := [name for name in names if name in folders()]) and not (args.resume or args.replace):
        raise ValueError(f"there is a network {there[0]} already: choose another name, or give --replace")
    columns = choose_columns(args.file, args.text, args.label)
    encoder_of(args.routing, args.encoder)
    print(columns, file=sys.stderr)
    data = read(args.file, columns)
    for note in data.notes:
        print(note, file=sys.stderr)
    work = FitTask(args.file, columns, args.routing, args.encoder, args.out, args.seeds, args.epochs)
    if routings:
        for routing in routings:
            encoder_of(routing, args.encoder)
        options = {"engine": args.engine, "address": args.address, "workers": args.workers}
        options |= {"units": args.units, "mistakes": args.mistakes, "evidence": args.evidence}

        def keep(compared: list[compare.Compared]) -> None:
            if args.json:
                write(args.json, json.dumps(advice.summarize(compared), indent=1).encode())

        compared = compare.compare(work, routings, args.device, args.resume, **options, finished=keep)
        print(*advice.lines(compared), sep="\n")
        return
    folder, result = fit(work, args.device, args.resume)
    mistakes = [measure_mistakes(args.out, args.file, args.mistakes, args.device)] if args.mistakes else []
    if args.units:
        measure_units(args.out, args.file, args.units, args.device, args.workers)
    if args.evidence:
        measure_evidence(args.out, args.file, args.evidence, args.device, args.workers)
    print(*lines(folder, data, result, mistakes), sep="\n")
