"""The front matter of a model card: YAML that the Hugging Face Hub reads, made of config.json and metrics.json."""

import re
from collections.abc import Sequence
from typing import Any

import yaml

from core.datasets import CORPORA, corpus_of
from core.datasets.corpus import Corpus
from core.inputs.minilm import MINILM
from core.inputs.smollm2 import SMOLLM2
from core.inputs.transformers import title_of
from core.manifest import Manifest
from core.sentences.words import capital
from core.stored import BY_KIND

LICENCE = "mit"  # of weights that recipes of this program make
TASKS = {"text": "text-classification", "pictures": "image-classification"}  # the Hub's names, by what a network reads
MADE = {"text": "Texts that Routescope makes", "pictures": "Toys that Routescope renders"}
ON_THE_HUB = {MINILM: f"sentence-transformers/{MINILM}", SMOLLM2: f"HuggingFaceTB/{SMOLLM2}"}
MARK = "---\n"


def front_matter(name: str, about: Manifest) -> str:
    """The front matter of a card, between its two marks.

    A network that learned from a user's texts has no licence here: its owner chooses one. An entry that is not known
    is left out.

    Args:
        name: name of the checkpoint.
        about: description of the checkpoint.
    """
    record, corpora = BY_KIND[about.kind], corpora_of(about)
    base = ON_THE_HUB.get(title_of(str(about.reader.get("backbone", ""))))
    routing = re.sub(r"[^a-z0-9]+", "-", record.title_of(about.model, about.task).lower()).strip("-")
    results = _results(about, corpora)
    entries = {
        "license": None if corpora is None else LICENCE,
        "language": "en" if corpora and record.reads == "text" else None,
        "library_name": "routescope",
        "pipeline_tag": TASKS[record.reads],
        "tags": ["routescope", routing, "interpretability"],
        "base_model": base,
        "datasets": [corpus.hub for corpus in corpora or () if corpus.hub],
        "metrics": ["accuracy"],
        "model-index": [{"name": name, "results": results}] if results else None,
    }
    known = {key: value for key, value in entries.items() if value}
    return f"{MARK}{yaml.safe_dump(known, sort_keys=False, allow_unicode=True, width=1000)}{MARK}"


def corpora_of(about: Manifest) -> list[Corpus] | None:
    """The known datasets that a network learned from; None if it is not on record that a recipe made it here."""
    names = about.metrics.training.get("corpora")
    if about.metrics.stated or not isinstance(names, list):
        return None
    return [CORPORA[name] for name in names if name in CORPORA]


def terms(corpora: Sequence[Corpus]) -> str:
    """A paragraph on the licence of a recipe's weights, and the terms of the datasets that they learned from."""
    theirs = "; ".join(f"{corpus.title} {corpus.terms}" for corpus in corpora if corpus.terms)
    datasets = f" Datasets have their own terms: {theirs}." if theirs else ""
    return f"**Terms.** The weights are under the MIT licence.{datasets}"


def without(card: str) -> str:
    """A card without its front matter."""
    if not card.startswith(MARK):
        return card
    _, closing, body = card.removeprefix(MARK).partition(f"\n{MARK}")
    return body.lstrip("\n") if closing else card


def _results(about: Manifest, corpora: list[Corpus] | None) -> list[dict[str, Any]]:
    """The accuracy on the test split, as the Hub's index of models has it; nothing if that split is not known."""
    test, reads, corpus = about.metrics.test, BY_KIND[about.kind].reads, corpus_of(about.corpus)
    if test.interval is None or (corpus and corpora is None):
        return []
    if corpus is None:
        dataset = {"name": "Held-out texts of a file", "type": "own-texts"}
    elif corpora and corpus in corpora and corpus.hub:
        dataset = {"name": corpus.title_in(len(about.classes)), "type": corpus.hub}
    else:
        dataset = {"name": MADE[reads], "type": "routescope"}
    low, high = test.interval
    measure = f"Accuracy on {test.n:,} samples, 95% interval over {test.over}: {low:.1%} to {high:.1%}"
    return [
        {
            "task": {"type": TASKS[reads], "name": capital(about.task)},
            "dataset": dataset | {"split": "test"},
            "metrics": [{"type": "accuracy", "name": measure, "value": round(float(test.accuracy or 0), 4)}],
        }
    ]
