"""python -m core COMMAND: the models on the command line."""

import argparse
import json
import os
import platform
import shlex
import sys
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import core
from core import cli, manifest
from core.analysis.verdict import Verdict
from core.files import write
from core.fit.command import add_parser as add_fit
from core.measured.units_command import add_parser as add_units
from core.provenance.command import add_parser as add_verify
from core.sentences.naming import forms_in_lines
from core.titles import titles_of

if TYPE_CHECKING:
    from core.checkpoint import Checkpoint
    from core.datasets import Split, ViewSubset

OTHERS = """other commands, each with its own --help:
  python -m core.training   train the checkpoint of a recipe
  python -m core.sweep      train many networks into one table
  python -m core.measured   measure a checkpoint on its dataset, for example its poses
  python -m core.datasets   check or fetch a dataset
  python -m core.zoo        convert published weights

python -m core.training.head trains an EM head over your own transformer.
streamlit run streamlit_app.py opens the dashboard, python -m dashboard.serve starts several servers of it."""
EDITS = "\n".join(
    [
        "forms of --edit:",
        *forms_in_lines(),
        "",
        "Use the names that the summary prints: a word as typed, a class, or a unit with its number from 1, as in",
        "drop:never, 'capsule:capsule 1' or 'couple:never,capsule 1=0'. If a word occurs several times, the#2 is the",
        "second one. A bare number counts from 0: drop:11 is word 12. If a network has two routings, end the edit",
        "with @0 or @1 to choose one.",
    ]
)

# PyTorch takes seconds to import and ``models`` does not need it, so modules that import it are imported where used.


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 2 after one clear line on bad input, or 1 from ``verify``."""
    return cli.run(_parser(), _run, arguments)


def _run(args: argparse.Namespace) -> int | None:
    """Run the chosen command, after a notice if the user's checkpoint of this name is left out."""
    if sentence := manifest.left_out().get(getattr(args, "name", "")):
        print(sentence, file=sys.stderr)
    return args.run(args)


def models(args: argparse.Namespace) -> None:
    """List all checkpoints, or write the skeleton of a new one."""
    if (args.new is None) != (args.kind is None):
        raise ValueError("models needs both --new NAME and --kind KIND")
    if args.new:
        _write_skeleton(args.new, args.kind)
        return
    described, broken = manifest.survey()
    for sentence in broken:
        print(sentence, file=sys.stderr)
    rows = []
    titles = titles_of(described)
    for name, about in described.items():
        metrics = about.metrics
        rows.append(
            {
                "name": name,
                "title": titles[name],
                "task": about.task,
                "parameters": metrics.parameters,
                "accuracy": metrics.test.accuracy,
                "interval": metrics.test.interval,
                "paper": metrics.paper.accuracy,
                "verdict": metrics.verdict,
                "differs": metrics.paper.differs,
            }
        )
    if args.json:
        print(json.dumps(rows, indent=1))
        return
    if args.markdown:
        print("| checkpoint | task | parameters | accuracy | 95% interval | the paper's |\n|---|---|---|---|---|---|")
        for r in rows:
            interval = " to ".join(_percent(bound) for bound in r["interval"] or ()) or "none"
            differs = f"{r['verdict']}: {r['differs']}" if r["differs"] else r["verdict"]
            paper = ", ".join(filter(None, (_percent(r["paper"], "none"), differs)))
            accuracy = f"{_percent(r['accuracy'])} | {interval}"
            print(f"| `{r['name']}` | {r['task']} | {r['parameters']:,} | {accuracy} | {paper} |")
        return
    print(f"{'name':<22}{'parameters':>11}{'accuracy':>12}{'paper':>8}  network")
    for row in rows:
        accuracies = f"{_percent(row['accuracy']):>12}{_percent(row['paper'], ''):>8}"
        print(f"{row['name']:<22}{row['parameters']:>11,}{accuracies}  {row['title']}")


def _write_skeleton(name: str, kind: str) -> None:
    from core.training.skeleton import write_skeleton

    recipe, card = write_skeleton(name, kind)
    print(f"{recipe}: the training and the sizes of the network\n{card}: its card")
    print(f"Train it within a minute: python -m core.training {name}")
    print(f'Then: python -m core explain {name} "we saw the key by the lock"')


def _percent(accuracy: float | None, none: str = "unmeasured") -> str:
    return none if accuracy is None else f"{accuracy:.1%}"


def explain(args: argparse.Namespace) -> None:
    """Run a model on one input and print a summary, or print or write the whole trace."""
    if (args.text is None) == (args.image is None):
        raise ValueError("explain needs either TEXT or --image")
    if args.out and args.out.suffix not in (".json", ".npz"):
        raise ValueError(f"--out is {args.out}, wanted a name that ends in .json or .npz")
    from core import zoo

    checkpoint = zoo.load(args.name, args.device)
    text = sys.stdin.read() if args.text == "-" else args.text
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


def evaluate(args: argparse.Namespace) -> None:
    """Print a model's accuracy on an official split, or on a folder of labelled pictures."""
    if args.data and args.pictures:
        raise ValueError("evaluate takes --data or --pictures, not both")
    if args.keep and (args.pictures or args.split != "test" or args.limit or args.iterations or args.edit):
        raise ValueError("--keep needs the whole test split and the unchanged network")
    from core import zoo
    from core.measured import store
    from core.measured.answers import arrays_of, check_replaces
    from core.networks.admit import admit_edits, describe_with_form
    from core.training.metrics import answers, figures, toys_of

    checkpoint = zoo.load(args.name, args.device)
    if args.iterations is not None:
        checkpoint = checkpoint.with_iterations(args.iterations)
    split = _labelled(checkpoint, args)
    if args.limit is not None:
        split = split.first(args.limit)
    if args.keep:
        check_replaces(args.name, len(split))
        store.check_keeps("answers", args.name)
    edits = admit_edits(checkpoint, args.edit)
    labels, given = answers(checkpoint, split, _shows_progress(args), edits)
    accuracy = figures(labels == given, None if args.pictures else toys_of(split))
    result = accuracy | _by_class(labels, given, split.classes)
    if args.keep:
        arrays = arrays_of(labels == given, checkpoint.corpus, len(split.classes), _folder(checkpoint, args))
        store.save("answers", args.name, arrays, checkpoint.sha256)
        if manifest.describe(args.name).metrics.test.accuracy is None:
            manifest.keep_accuracy(manifest.folder_of(args.name), accuracy)
    if args.json:
        print(json.dumps(result | {"edits": [str(edit) for edit in edits]}))
        return
    edited = f", edited: {'; '.join(describe_with_form(checkpoint, edit) for edit in edits)}" if edits else ""
    print(f"{args.name}: {result['accuracy']:.1%} of {result['n']:,} right{edited}")
    if args.pictures:
        by_class = ", ".join(f"{name} {share:.0%}" for name, share in result["by_class"].items())
        print(f"mean over classes {result['mean_over_classes']:.1%}: {by_class}")


def _by_class(labels: np.ndarray, given: np.ndarray, classes: tuple[str, ...]) -> dict[str, Any]:
    """Accuracy per class, and its mean over the classes."""
    by_class = {}
    for k, name in enumerate(classes):
        is_right = given[labels == k] == k
        if len(is_right):
            by_class[name] = float(is_right.mean())
    return {"by_class": by_class, "mean_over_classes": sum(by_class.values()) / len(by_class)}


def _labelled(checkpoint: "Checkpoint", args: argparse.Namespace) -> "Split | ViewSubset":
    """The samples that the arguments of ``evaluate`` choose."""
    if args.pictures:
        from core.pictures.labelled import read_labelled

        return read_labelled(args.pictures)
    from core.datasets import read_split
    from core.fit.own_file import held_out, own_file

    if file := own_file(args.name):
        if args.split != "test" or args.keep:
            raise ValueError(f"{args.name} learned from {file.name}: only its held-out texts can be evaluated")
        return held_out(checkpoint, _own_path(file.name, args))[0]
    return read_split(checkpoint.corpus, _folder(checkpoint, args), args.split, len(checkpoint.classes))


def _folder(checkpoint: "Checkpoint", args: argparse.Namespace) -> Path:
    """The folder of the checkpoint's dataset: the argument --data, or the default one."""
    from core.datasets import folder_of

    return args.data or folder_of(checkpoint.corpus)


def _own_path(name: str, args: argparse.Namespace) -> Path:
    """The path of the file that a checkpoint learned from, which --data must name."""
    if not args.data:
        raise ValueError(f"{args.name} learned from {name}: name that file with --data")
    return args.data


def batch(args: argparse.Namespace) -> None:
    """Run every text in a file through a model, and print the path of the table."""
    from core.batch.run import start

    options = {name: getattr(args, name) for name in ("column", "device", "traces", "engine", "address", "workers")}
    print(start(args.name, args.file, args.out, **options))


def evidence(args: argparse.Namespace) -> None:
    """Measure whether a model's rankings of words show what its answers depend on, and print the path of the file."""
    from core.datasets import folder_of
    from core.fit.own_file import held_out, own_file
    from core.measured.evidence.measure import engine_of, measure, official_split

    file = own_file(args.name)
    data = _own_path(file.name, args) if file else args.data or folder_of(manifest.describe(args.name).corpus)
    engine = engine_of(args.engine, args.workers, args.address, args.device)
    read = held_out if file else official_split
    print(measure(args.name, data, args.limit, args.device, engine, _shows_progress(args), args.out, read))


def push(args: argparse.Namespace) -> None:
    """Write a checkpoint for the Hugging Face Hub, and print what is in the folder and the command that uploads it."""
    from core.zoo.push import push

    files = push(args.name, args.to)
    size = sum((args.to / file).stat().st_size for file in files) / 1e6
    print(f"{args.to}: {len(files)} files, {size:.1f} MB")
    print(f"Upload it: hf upload YOU/{args.name} {shlex.quote(str(args.to))}")


def ledger(args: argparse.Namespace) -> None:
    """Print the papers' claims with our measurements, or print the findings."""
    if args.findings:
        from core.ledger.findings import markdown

        print(*markdown(), sep="\n")
        return
    from core.ledger import read
    from core.ledger.words import lines

    claims = read(args.paper, verdict=args.verdict)
    if args.json:
        print(json.dumps(claims.astype(object).where(claims.notna(), None).to_dict("records"), indent=1))
    else:
        print(*lines(claims), sep="\n")


def check(args: argparse.Namespace) -> None:
    """Print which published numbers the shipped files and the data at hand confirm; RuntimeError if any differs."""
    from core.check import Found, check

    def tell(name: str) -> None:
        if _shows_progress(args):
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


def _parser() -> argparse.ArgumentParser:
    unwrapped = argparse.RawDescriptionHelpFormatter
    parser = cli.Parser(prog="python -m core", description=__doc__, epilog=OTHERS, formatter_class=unwrapped)
    versions = f"Routescope {core.__version__}, PyTorch {version('torch')}, Python {platform.python_version()}"
    parser.add_argument("--version", action="version", version=versions)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    edit_forms = {"epilog": EDITS, "formatter_class": unwrapped}

    help = "list all checkpoints with their parameters and accuracies, or create a recipe"
    command = commands.add_parser("models", help=help)
    command.add_argument("--json", action="store_true", help="print the list as JSON")
    command.add_argument("--markdown", action="store_true", help="print the table of pretrained/README.md")
    command.add_argument("--new", metavar="NAME", help="create a recipe and a card for a small network of this name")
    command.add_argument("--kind", metavar="KIND", help="kind of the new network: dragg, cccaps or drnn")
    command.set_defaults(run=models)

    command = commands.add_parser(
        "explain", help="run a model on a text or a pair of pictures and show every iteration", **edit_forms
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
    _add_edit(command)
    command.add_argument("--out", type=Path, metavar="FILE", help="write the whole trace to FILE.json or FILE.npz")
    command.add_argument("--json", action="store_true", help="print the whole trace as JSON")
    cli.add_device(command)
    command.set_defaults(run=explain)

    command = commands.add_parser("evaluate", help="measure a model's accuracy on an official split", **edit_forms)
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    _add_data(command)
    help = "evaluate on a folder of toy pictures instead; each file name contains the category"
    command.add_argument("--pictures", type=Path, metavar="DIR", help=help)
    command.add_argument("--split", default="test", help="name of the split (default: test)")
    command.add_argument("--limit", type=int, metavar="N", help="evaluate on the first N samples only")
    command.add_argument("--iterations", type=int, metavar="N", help="routing iterations (default: the trained number)")
    _add_edit(command)
    help = "save next to the weights which test samples were answered correctly, and the accuracy if none is saved yet"
    command.add_argument("--keep", action="store_true", help=help)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    _add_progress(command)
    cli.add_device(command)
    command.set_defaults(run=evaluate)

    command = commands.add_parser("batch", help="run every text in a file; resumes an interrupted batch")
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    help = "file with one text per row: .txt, .csv, .tsv, .jsonl or .parquet"
    command.add_argument("file", type=Path, metavar="FILE", help=help)
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the table")
    help = 'column with the texts (default: "text", or the only column)'
    command.add_argument("--text", "--column", dest="column", metavar="COLUMN", help=help)
    command.add_argument("--traces", action="store_true", help="also save the trace of every text as NAME.npz")
    command.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="run in local processes, or on a Ray cluster whose workers can reach FILE and DIR",
    )
    command.add_argument("--address", metavar="HOST:PORT", help="address of the Ray cluster's head")
    command.add_argument("--workers", type=int, metavar="N", help="local processes (default: one per core)")
    cli.add_device(command)
    command.set_defaults(run=batch, stopped=cli.KEPT)

    add_fit(commands)

    help = "measure how faithful a model's pictures are, on the test split"
    command = commands.add_parser("evidence", help=help)
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    _add_data(command)
    help = "measure N evenly spaced test samples (default: 2,210)"
    command.add_argument("--limit", type=_positive, default=2210, metavar="N", help=help)
    help = "file for the result (default: evidence.json next to the weights)"
    command.add_argument("--out", type=Path, metavar="F.json", help=help)
    cli.add_engine(command)
    help = "local processes (default: one per core)"
    command.add_argument("--workers", type=_positive, default=os.cpu_count() or 1, metavar="N", help=help)
    cli.add_device(command)
    _add_progress(command)
    command.set_defaults(run=evidence, stopped=cli.KEPT)

    add_units(commands)

    help = "write a checkpoint into a folder that the Hugging Face Hub takes as it is"
    command = commands.add_parser("push", help=help)
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    help = "new or empty folder, an empty clone of a repository, or the folder of an earlier push"
    command.add_argument("--to", type=Path, required=True, metavar="FOLDER", help=help)
    command.set_defaults(run=push)

    command = commands.add_parser("ledger", help="list the papers' claims with our measurements")
    help = "list one paper only: DR-AGG, CCCaps, AGT, DRNN or EM routing"
    command.add_argument("--paper", default="", metavar="P", help=help)
    verdicts = [verdict.value for verdict in Verdict]
    help = f"list one verdict only: {', '.join(verdicts)}"
    command.add_argument("--verdict", default="", choices=verdicts, metavar="V", help=help)
    command.add_argument("--json", action="store_true", help="print the list as JSON")
    command.add_argument("--findings", action="store_true", help="print our findings as Markdown instead")
    command.set_defaults(run=ledger)

    help = "check in five minutes which published numbers the shipped files and your data confirm"
    command = commands.add_parser("check", help=help)
    command.add_argument("names", metavar="NAME", nargs="*", help="name of a checkpoint (default: all shipped ones)")
    help = "test samples of each network (default: 500)"
    command.add_argument("--samples", type=_positive, default=500, metavar="N", help=help)
    cli.add_device(command)
    _add_progress(command)
    command.set_defaults(run=check)

    add_verify(commands)
    return parser


def _positive(text: str) -> int:
    """Convert an argument to a whole number of at least 1."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def _add_data(command: argparse.ArgumentParser) -> None:
    help = "folder of the dataset as released (default: ROUTESCOPE_DATA/CORPUS), or the file of your own texts"
    command.add_argument("--data", type=Path, metavar="DIR", help=help)


def _add_progress(command: argparse.ArgumentParser) -> None:
    help = "show a progress bar on stderr even if that is not a terminal"
    command.add_argument("--progress", action="store_true", help=help)


def _shows_progress(args: argparse.Namespace) -> bool:
    return args.progress or sys.stderr.isatty()


def _add_edit(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--edit",
        action="append",
        default=[],
        metavar="EDIT",
        help="change something inside the run, for example drop:never; may be repeated; all forms are below",
    )


if __name__ == "__main__":
    sys.exit(main())
