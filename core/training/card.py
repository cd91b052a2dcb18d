"""The model card of a checkpoint: its README.md."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.manifest import Manifest
from core.scores import Score
from core.sentences.words import capital
from core.zoo.front_matter import corpora_of, front_matter, terms

CARDS = Path(__file__).parent / "recipes" / "cards"


@dataclass(frozen=True)
class Card:
    """The text of a model card, without the numbers.

    Args:
        task: task of the network, in words.
        data: training data, in words.
        source: table of the paper with the accuracy.
        text: differences from the paper's training, the network's purpose, and how it reads its samples; ``{sizes}``
            is the place of the table of sizes.
        paper: test accuracy in the paper; None if not reported.
        n_paper: number of test samples in the paper; None if the same as ours.
        differs: main difference from the conditions of the paper's accuracy; "" if there is none.
    """

    task: str
    data: str
    source: str
    text: str
    paper: float | None = None
    n_paper: int | None = None
    differs: str = ""


def read_card(name: str, values: dict[str, Any], folder: Path | None = None) -> Card:
    """Read NAME.md: lines "field: value", an empty line, the text. Each {name} is replaced by its value.

    Args:
        name: name of the card.
        values: values by name.
        folder: folder of the card; ``CARDS`` if None.
    """
    content = ((folder or CARDS) / f"{name}.md").read_text(encoding="utf-8").format(**values, sizes="{sizes}")
    head, _, text = content.partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    paper, n_paper = fields.pop("paper", ""), fields.pop("n_paper", "")
    return Card(**fields, text=text, paper=float(paper) if paper else None, n_paper=int(n_paper) if n_paper else None)


def model_card(name: str, text: str, about: Manifest) -> str:
    """The README.md of a checkpoint, with front matter, and all numbers from config.json and metrics.json.

    Args:
        name: name of the checkpoint.
        text: as in ``Card``.
        about: description of the checkpoint.
    """

    def interval(score: Score) -> str:
        return " to ".join(f"{bound:.1%}" for bound in score.interval or ())

    metrics = about.metrics
    run, paper, test, dev = metrics.training, metrics.paper, metrics.test, metrics.dev
    preparation = run.get("preparation_minutes", 0)
    minutes = f"{run['minutes']} minutes" + (f", after {preparation} of preparation," if preparation else "")
    papers_row = ""
    if paper.accuracy is not None:
        verdict = ": ".join(filter(None, (metrics.verdict, paper.differs)))
        papers_row = (
            f"| test, in the paper ({paper.source}) | {paper.accuracy:.1%} | {verdict} | {paper.n or test.n:,} |\n"
        )
    photographs_line = ""
    if metrics.photographs.interval is not None:
        photographs = f"{metrics.photographs.n} photographs of smallNORB's toys, which are not part of this repository"
        which = f": {metrics.photographs.source}" if metrics.photographs.source else ""
        photographs_line = f"\nOf {photographs}, it classifies {metrics.photographs.n_right} correctly{which}."
    form = f"the recipe's {run['form']} form, " if "form" in run else ""
    has_table = "vocabulary_sha256" in about.reader and about.model.get("embedding", "plain") == "plain"
    words = " (tables of word vectors in 8 bits)" if has_table else ""
    sizes = "\n".join(["| setting | value |", "|---|---|", *(f"| {k} | {v} |" for k, v in about.model.items())])
    corpora = corpora_of(about)
    licence = "" if corpora is None else f"\n{terms(corpora)}\n"
    return f"""{front_matter(name, about)}
# {name}

{capital(about.task)}: {", ".join(about.classes)}.

| split | accuracy | 95% interval over {test.over} | samples |
|---|---|---|---|
| test | {test.accuracy:.1%} | {interval(test)} | {test.n:,} |
| dev | {dev.accuracy:.1%} | {interval(dev)} | {dev.n:,} |
{papers_row}
Made by `{run["command"]}` ({form}seed {run["seed"]}) in {minutes} on {run["hardware"]},
torch {run["torch"]}. {metrics.spread} Data: {run["data"]}.
{metrics.parameters:,} parameters, stored as float16{words} and run in float32.{photographs_line}

{text.replace("{sizes}", sizes)}{licence}"""
