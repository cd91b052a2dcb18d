"""python -m core models: the command that lists all checkpoints, or creates a recipe."""

import argparse
import json
import sys

from core import manifest
from core.titles import titles_of


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    help = "list all checkpoints with their parameters and accuracies, or create a recipe"
    command = commands.add_parser("models", help=help)
    command.add_argument("--json", action="store_true", help="print the list as JSON")
    command.add_argument("--markdown", action="store_true", help="print the table of pretrained/README.md")
    command.add_argument("--new", metavar="NAME", help="create a recipe and a card for a small network of this name")
    command.add_argument("--kind", metavar="KIND", help="kind of the new network: dragg, cccaps or drnn")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
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
