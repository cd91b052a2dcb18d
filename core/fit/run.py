"""Trains a network on a file of texts and labels, and writes its checkpoint complete: scores, card and evidence."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core import zoo
from core.checkpoint import Checkpoint
from core.files import write
from core.fit import baselines
from core.fit.answers import Answers
from core.fit.card import card_text, conclude
from core.fit.columns import Columns
from core.fit.data import OwnData, read
from core.fit.own_file import OwnFile, examples_of, held_out
from core.fit.progress import SUFFIX, Progress, forget_states
from core.fit.record import record_of
from core.fit.routes import encoder_of
from core.fit.states import store_words
from core.fit.training import OwnTraining, file_of_states, layers_read, training_of
from core.inputs.readers import Reader, StatesReader, TransformerReader
from core.inputs.transformers import backbone
from core.json_files import read_json
from core.manifest import METRICS, check_not_shipped, user_folder
from core.measured import store
from core.measured.evidence import measure as evidence
from core.measured.evidence.measure import engine_of
from core.measured.evidence.record import EVIDENCE_FILE, Evidence
from core.measured.split import measure as measure_answers
from core.training.card import model_card
from core.training.metrics import answers, count_parameters, figures
from core.training.run import Trained, train_network

FEW_TEXTS = 25  # number of texts that are measured before another process would have started
SHOWN_NAME = 40  # characters of a file's name


@dataclass(frozen=True)
class FitTask:
    """The settings of a training on own texts.

    Args:
        path: file of texts and labels.
        columns: its columns.
        routing: a key of ``core.fit.routes.ROUTES``.
        encoder: as ``encoder_of`` takes it.
        name: name of the new checkpoint.
        seeds: number of trainings, with the seeds 0, 1, ..; the one in the middle on the dev part is kept.
        epochs: number of epochs; the training's own if None.
        group: name that several trainings on the same texts share, which then share their transformer's states.
    """

    path: Path
    columns: Columns
    routing: str
    encoder: str | None
    name: str
    seeds: int = 1
    epochs: int | None = None
    group: str = ""

    @property
    def scratch(self) -> Path:
        """The folder of states, which interrupted trainings continue from."""
        return user_folder() / ".training" / (self.group or self.name)

    @property
    def corpus(self) -> str:
        """The name of the texts, which titles and tables show. It ends like a file's, so no known corpus has it."""
        return f"{self.path.stem[:SHOWN_NAME]}{self.path.suffix}"

    @property
    def command(self) -> str:
        """The command that makes the checkpoint."""
        encoder = [] if self.encoder is None else ["--encoder", Path(self.encoder).name]
        options = ["--text", self.columns.text, "--label", self.columns.label, "--routing", self.routing, *encoder]
        more = ["--seeds", str(self.seeds)] * (self.seeds > 1)
        more += [] if self.epochs is None else ["--epochs", str(self.epochs)]
        quoted = (
            f'"{part}"' if " " in part else part for part in (self.path.name, *options, *more, "--out", self.name)
        )
        return " ".join(["python -m core fit", *quoted])

    def training(self, data: OwnData) -> OwnTraining:
        """The training with seed 0. Errors as in ``encoder_of``."""
        training = training_of(self.routing, encoder_of(self.routing, self.encoder), data, self.corpus)
        return training.fitted(len(data.train), self.epochs)


def fit(work: FitTask, device: str = "auto", resume: bool = False) -> tuple[Path, Answers]:
    """Train, measure and save a network. An interrupt ends the trainings, and the best weights so far are kept.

    Args:
        work: settings of the training.
        device: as in ``core.device.pick_device``.
        resume: whether to go on with interrupted trainings.

    Returns:
        The folder of the new checkpoint, and the network's answers to the test part.

    Raises:
        ValueError: the file, a column, the routing or the encoder cannot be used, or a shipped network has this name.
    """
    if work.seeds < 1:
        raise ValueError(f"the number of seeds is {work.seeds}, wanted at least 1")
    zoo.check_name(work.name)
    check_not_shipped(work.name)
    data = read(work.path, dataclasses.replace(work.columns, guessed=()))
    training, out = work.training(data), user_folder() / work.name
    scratch = work.scratch
    runs: list[Trained] = []
    for seed in range(work.seeds):
        trained = train_network(
            dataclasses.replace(training, seed=seed),
            work.path,
            scratch,
            f"{work.name}-seed-{seed}",
            device,
            resume,
            task=f"own texts, {work.columns.label}",
            keeps_best=True,
            watch=Progress(scratch / f"{work.name}-seed-{seed}{SUFFIX}", data.dev),
        )
        runs.append(trained)
        if "interrupted" in trained.run:
            break
    chosen = _middle(runs)
    zoo.save(runs[chosen].checkpoint, out)
    _forget_measured(out)
    saved = zoo.load_folder(out, device)  # measured with rounded weights, as it is used
    (labels, given), (dev_labels, dev_given) = (answers(saved, part, progress=True) for part in (data.test, data.dev))
    others = baselines.measure(data, _reader_of_probe(saved.reader, data, scratch), progress=True)
    result = Answers(labels, given, dev_labels == dev_given, others)
    _write(work, data, saved, runs, chosen, result, out)
    if not work.group and "interrupted" not in trained.run:
        forget_states(scratch)
    return out, result


def measure_evidence(name: str, path: Path, limit: int, device: str = "auto", workers: int = 1) -> Path:
    """Measure the evidence of a trained network on some of its held-out texts, and return the path of the file.

    Args:
        name: name of the checkpoint.
        path: file that it learned from.
        limit: number of texts.
        device: as in ``fit``.
        workers: number of processes.
    """
    n = min(limit, zoo.describe(name).metrics.test.n)
    engine = engine_of("local", workers if n > FEW_TEXTS else 1, None, device)
    return evidence.measure(name, path, limit, device, engine, read=held_out)


def evidence_in(folder: Path) -> Evidence | None:
    """The evidence in a network's folder; None if there is none, or no text has two words that could be ranked."""
    try:
        return Evidence.read(read_json(folder / EVIDENCE_FILE))
    except ValueError:
        return None


def _forget_measured(folder: Path) -> None:
    """Delete what was measured of a network that had this folder before."""
    for file in (*folder.glob("*.npz"), *folder.glob("evidence.*")):
        file.unlink()


def _middle(runs: Sequence[Trained]) -> int:
    """The training whose dev accuracy is in the middle."""
    order = sorted(range(len(runs)), key=lambda k: runs[k].run["dev_accuracy"])
    return order[len(order) // 2]


def _reader_of_probe(reader: Reader, data: OwnData, scratch: Path) -> Reader:
    """A reader with the states that a probe averages, which are stored if the network reads them word by word."""
    if isinstance(reader, StatesReader):
        transformer = reader.states
    elif isinstance(reader, TransformerReader):
        transformer = reader
    else:
        return reader
    layers = layers_read(backbone(transformer.name, str(transformer.device)))
    by_word = StatesReader.of(transformer.name, transformer.device, layers)
    texts = [*data.train.words, *data.dev.words, *data.test.words]
    return store_words(by_word, texts, file_of_states(scratch, transformer.name))


def _write(
    work: FitTask,
    data: OwnData,
    saved: Checkpoint,
    runs: Sequence[Trained],
    chosen: int,
    result: Answers,
    out: Path,
) -> None:
    """Write everything that belongs to a checkpoint besides its weights."""
    trained, n_test = runs[chosen], len(data.test)
    examples, columns = examples_of(data.test), work.columns
    texts, labels = tuple(examples), tuple(examples.values())
    own = OwnFile(work.path.name, data.sha256, columns.text, columns.label, texts, labels)
    own.save(out)
    phrase = own.phrase
    store.save_in(
        out,
        "answers",
        {"bits": np.packbits(result.right), "n": np.array([n_test]), "data": np.array(phrase)},
        saved.sha256,
    )
    store.save_in(out, "given", {"given": result.given, "data": np.array(phrase)}, saved.sha256)
    counts = measure_answers(saved, data.test, progress=True) | {"limit": np.array([0]), "data": np.array(phrase)}
    store.save_in(out, "split", counts, saved.sha256)
    seeds = [float((answers(run.checkpoint, data.test)[1] == result.labels).mean()) for run in runs]
    metrics = {
        "parameters": count_parameters(saved.model),
        "dev": figures(result.dev),
        "test": figures(result.right),
        "paper": {"accuracy": None},
        "conclusion": conclude(result),
        "others": {name: figures(right) for name, right in result.others.items()},
        **({"seeds": seeds} if len(seeds) > 1 else {}),
        "training": record_of(
            work.command,
            f"{len(data.train):,} texts of {work.path.name}; {len(data.dev):,} others chose the weights",
            dataclasses.replace(work.training(data), seed=chosen),
            trained,
        ),
    }
    write(out / METRICS, json.dumps(metrics, indent=1).encode())
    text = card_text(work.path.name, work.routing, data, result)
    write(out / "README.md", model_card(work.name, text, zoo.describe_folder(out)).encode())
