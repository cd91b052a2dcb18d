"""Trains networks, and writes the checkpoint of a recipe."""

import copy
import dataclasses
import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from core import zoo
from core.datasets import Split, ViewSubset
from core.device import pick_device
from core.files import write
from core.measured import store
from core.measured.answers import arrays_of
from core.training.card import Card, model_card
from core.training.loop import fit
from core.training.metrics import Evaluation, answers, count_parameters, figures, hardware, measure, score, toys_of
from core.training.recipes import FULL, Form, Recipe, Training

VERSION = 3  # increase it when older states of runs can no longer be resumed


@dataclass(frozen=True)
class Trained:
    """A trained network that is not saved yet.

    Args:
        checkpoint: checkpoint with the weights that were best on the dev split, or those at the end of the training.
        dev, test: these splits of the corpus.
        n: number of samples per epoch.
        run: dictionary returned by ``fit``, without "kept". After trainings that went on from each other, it is that
            of the last one, with the minutes of all, and "before" has those of the others.
        kept: averaged weights by the share of the first training after which they were kept.
        preparation: minutes before the first step.
        close: function that deletes files needed only for training; call it when the checkpoint is saved.
    """

    checkpoint: zoo.Checkpoint
    dev: Split | ViewSubset
    test: Split | ViewSubset
    n: int
    run: dict[str, Any]
    kept: dict[float, dict[str, torch.Tensor]]
    preparation: float
    close: Callable[[], None]


def train_network(
    training: Training,
    data: Path,
    scratch: Path,
    name: str,
    device: str = "auto",
    resume: bool = False,
    limit: int | None = None,
    task: str = "",
    until: float | None = None,
    keeps_best: bool = False,
    progress: bool = True,
    watch: Callable[[zoo.Checkpoint, list[dict[str, float]]], None] | None = None,
    initial: Mapping[str, torch.Tensor] | None = None,
) -> Trained:
    """Train a network, and go on with ``training.further`` if there is one.

    Args:
        training: settings of the training.
        data: folder with the dataset as released.
        scratch: folder for the state of the run and for large files.
        name: name of the checkpoint and of the files in ``scratch``.
        device: as in ``core.device.pick_device``.
        resume: whether to continue from the state in ``scratch``, if there is one.
        limit: maximal number of training samples, taken from the first; all if None.
        task: task of the network, in words.
        until: share of the training after which to stop. The samples of the dev split are then trained on too, and
            choose nothing, and no training goes on from it.
        keeps_best, progress: as in ``core.training.loop.fit``.
        watch: function to call after each evaluation with the network and its history, as "history" in
            ``core.training.loop.fit``.
        initial: weights to start from; those of the training if None.

    Raises:
        ValueError: the folder does not hold the data, or the state in ``scratch`` is damaged or belongs to
            another run.
    """
    split, dev, test = training.splits(data)
    if limit is not None:
        split = split.first(limit)
    if until is not None:
        split = training.joined(split, dev)
    target = pick_device(device)
    torch.manual_seed(training.seed)
    began = time.monotonic()
    job = training.start(split, target, data, scratch / f"{name}.hidden")
    if initial is not None:
        job.model.load_state_dict(initial)
    preparation = round((time.monotonic() - began) / 60, 1)
    checkpoint = zoo.Checkpoint(
        name=name,
        kind=training.kind,
        corpus=training.corpus,
        task=task,
        classes=split.classes,
        model=job.model,
        reader=job.reader,
        device=target,
    )

    def on_dev(model: torch.nn.Module) -> zoo.Checkpoint:
        return dataclasses.replace(checkpoint, model=model, reader=job.dev_reader or job.reader)

    def evaluate(model: torch.nn.Module) -> Evaluation:
        job.before_evaluation(model)
        return score(on_dev(model), dev, job.loss)

    settings = {
        "kind": training.kind,
        "training": dataclasses.asdict(training),
        "rendered": training.rendered_by(data),
        "begins_with": training.begins_with(),
        "limit": limit,
        "device": target.type,
        **({} if initial is None else {"initial": _digest(initial)}),
        **({"data": sha256} if (sha256 := training.data_sha256(data)) else {}),
    }
    run = fit(
        job.model,
        epoch_batches=job.epoch_batches,
        prepare=job.prepare,
        evaluate=evaluate,
        schedule=training.schedule,
        state_file=scratch / f"{name}.pt",
        resume=resume,
        perturbed=job.perturbed,
        loss=job.loss,
        fingerprint=fingerprint(settings),
        until=until,
        forward=job.forward,
        keeps_best=keeps_best,
        progress=progress,
        on_evaluation=None if watch is None else lambda model, history: watch(on_dev(model), history),
    )
    kept = run.pop("kept")
    if until is not None:
        job.before_evaluation(job.model)
    elif training.further is not None:
        options = {"device": device, "resume": resume, "limit": limit, "task": task}
        weights = copy.deepcopy(job.model.state_dict())
        job.close()
        last = train_network(training.further, data, scratch, f"{name}-further", **options, initial=weights)
        minutes = round(run["minutes"] + last.run["minutes"], 1)
        of_all = last.run | {"minutes": minutes, "before": [run, *last.run.get("before", [])]}
        return dataclasses.replace(
            last,
            checkpoint=dataclasses.replace(last.checkpoint, name=name),
            run=of_all,
            kept=kept,
            preparation=round(preparation + last.preparation, 1),
        )
    return Trained(checkpoint, dev, test, len(split), run, kept, preparation, job.close)


def _digest(weights: Mapping[str, torch.Tensor]) -> str:
    """The sha256 of weights."""
    return hashlib.sha256(b"".join(value.cpu().numpy().tobytes() for value in weights.values())).hexdigest()


def fingerprint(settings: Mapping[str, Any]) -> str:
    """Identify a run: the sha256 of ``VERSION`` and of its settings as sorted JSON."""
    content = json.dumps({"version": VERSION, "settings": settings}, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def train(
    recipe: Recipe,
    data: Path,
    out: Path,
    device: str = "auto",
    resume: bool = False,
    limit: int | None = None,
    form: Form = FULL,
) -> None:
    """Train the network of a recipe, save it to out/NAME/, and measure the saved network on the dev and test splits.

    Args:
        recipe: recipe of the checkpoint.
        data, device, resume, limit: as in ``train_network``.
        out: folder of all checkpoints.
        form: form of the recipe.
    """
    training, card = recipe.training(form), recipe.card(data, form)
    scratch, name = out / ".training", recipe.checkpoint(form)
    trained = train_network(training, data, scratch, name, device, resume, limit, card.task)
    on_all = recipe.on_all and limit is None
    on_dev = trained.run["dev_accuracy"] if on_all else None
    if on_all:
        trained.close()
        until = trained.run["step"] / trained.run["steps"]
        again = train_network(training, data, scratch, f"{name}-on-all", device, resume, limit, card.task, until)
        minutes = round(trained.run["minutes"] + again.run["minutes"], 1)
        preparation = round(trained.preparation + again.preparation, 1)
        trained = dataclasses.replace(again, run=trained.run | {"minutes": minutes}, preparation=preparation)
    folder, new = out / name, out / ".training" / name
    zoo.save(trained.checkpoint, new)
    saved = zoo.load_folder(new, device)  # measured with rounded weights, as shipped
    labels, given = answers(saved, trained.test)
    store.save_in(new, "answers", arrays_of(labels == given, saved.corpus, len(saved.classes), data), saved.sha256)
    metrics = {
        "parameters": count_parameters(saved.model),
        "dev": measure(saved, trained.dev) if on_dev is None else {"accuracy": on_dev, "n": len(trained.dev)},
        "test": figures(labels == given, toys_of(trained.test)),
        "paper": _paper_score(card, len(trained.test)),
        "training": {
            "command": recipe.command(form),
            "form": str(form) if limit is None else f"trial on the first {limit} samples",
            "corpora": training.corpora(data),
            **_record(training, card, trained, on_all),
        },
    }
    write(new / "metrics.json", json.dumps(metrics, indent=1).encode())
    write(new / "README.md", model_card(name, card.text, zoo.describe_folder(new)).encode())
    folder.mkdir(parents=True, exist_ok=True)
    for file in new.iterdir():  # moved together, so that old accuracies are not next to new weights for long
        file.replace(folder / file.name)
    new.rmdir()
    for share, kept in kept_checkpoints(trained).items():
        zoo.save(kept, out / ".training" / f"{name}{form.suffix}-{share:g}")
    trained.close()
    in_paper = "" if card.paper is None else f", the paper's {card.paper:.1%}"
    print(f"{folder}: test accuracy {metrics['test']['accuracy']:.1%}{in_paper}")


def kept_checkpoints(trained: Trained) -> dict[float, zoo.Checkpoint]:
    """The network after each share of the training for which weights were kept."""
    checkpoints = {}
    for share, weights in trained.kept.items():
        model = copy.deepcopy(trained.checkpoint.model)
        model.load_state_dict(weights)
        name = f"{trained.checkpoint.name}-{share:g}"
        checkpoints[share] = dataclasses.replace(trained.checkpoint, model=model, name=name)
    return checkpoints


def _paper_score(card: Card, n: int) -> dict[str, Any]:
    """The paper's score for metrics.json; n is the number of our test samples."""
    differs = {"differs": card.differs} if card.differs else {}
    return {"accuracy": card.paper, "source": card.source, "n": card.n_paper or n} | differs


def _record(training: Training, card: Card, trained: Trained, on_all: bool) -> dict[str, Any]:
    """The record of a training for metrics.json."""
    chosen = (
        "weights chosen on the dev split" if training.schedule.may_choose else "weights from the end of the training"
    )
    if on_all:
        chosen = f"before, {len(trained.dev):,} of them were held out and chose how long to train"
    begins_with = {"begins_with": sha256} if (sha256 := training.begins_with()) else {}
    return {
        "data": f"{card.data}: {trained.n:,} labelled samples per epoch; {chosen}",
        "seed": training.seed,
        **begins_with,
        "schedule": dataclasses.asdict(training.schedule),
        "hardware": hardware(trained.checkpoint.device),
        "torch": torch.__version__,
        "preparation_minutes": trained.preparation,
        **trained.run,
    }
