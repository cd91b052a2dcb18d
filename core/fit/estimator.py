"""A classifier of texts for scikit-learn, whose networks can be looked into like all others."""

import dataclasses
import json
import shutil
from numbers import Integral
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, cast

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted

from core import zoo
from core.checkpoint import Checkpoint
from core.device import pick_device
from core.files import write
from core.fit.arrays import as_classes, as_texts, divide, names_of
from core.fit.data import OwnData
from core.fit.pickled import from_files, to_files
from core.fit.record import record_of
from core.fit.routes import encoder_of
from core.fit.training import OwnTraining, training_of
from core.manifest import METRICS, describe_folder, user_folder
from core.networks.many import run_texts
from core.scores import unmeasured
from core.training.metrics import count_parameters, measure
from core.training.run import train_network

CORPUS = "own texts"  # of the checkpoint, and its task
MAX_SEED = 2**31 - 1


class RoutingClassifier(ClassifierMixin, BaseEstimator):
    """A network that routes words to classes, trained on texts and labels as ``python -m core fit`` trains it.

    The one difference: with few texts, the learning rate rises for at most a tenth of the steps.

    ``core.explain(classifier.checkpoint_, text)`` shows every step of a run. A pickle holds the files of the
    checkpoint, and only the name or folder of its transformer.

    Args:
        routing: "reversed", "standard", "kmeans", "em", "attention" or "windows".
        encoder: "minilm", the folder of another transformer, or "bilstm" or "words", which are trained too; None for
            the routing's usual one.
        epochs: number of epochs; the training's own if None.
        learning_rate: highest learning rate; the training's own if None.
        batch_size: number of texts per batch.
        random_state: seed of the weights, the batches and the division; a generator, from which it is drawn; or None
            for a different one in each fit.
        device: "auto", "cpu", "cuda", "cuda:1" or "mps", as in ``core.zoo.load``.
        verbose: whether bars show how far a training is.

    Attributes:
        classes_: the labels, sorted, of the dtype of y [k].
        class_prior_: share of each class among the training texts [k].
        checkpoint_: the network, a ``core.checkpoint.Checkpoint``. Its classes are the labels as texts.
        metrics_: parameters, accuracy on the texts that chose the weights ("dev"), and the record of the training.
    """

    classes_: ndarray
    class_prior_: Float[ndarray, " k"]
    checkpoint_: Checkpoint
    metrics_: dict[str, Any]

    def __init__(
        self,
        routing: str = "reversed",
        encoder: str | None = None,
        *,
        epochs: int | None = None,
        learning_rate: float | None = None,
        batch_size: int = 32,
        random_state: int | np.random.RandomState | None = 0,
        device: str = "auto",
        verbose: bool = False,
    ):
        self.routing = routing
        self.encoder = encoder
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> Self:
        """Train on texts and labels. A tenth of the texts of each class chooses the weights, and is not trained on.

        Args:
            X: texts [n]. Those without a word are left out. Of a long text, the first 400 words are read.
            y: label of each text [n], all texts or all numbers.

        Raises:
            TypeError: X is not a list of texts.
            ValueError: X and y differ in length; y lacks labels; a class has fewer than two different texts; or a
                parameter has a wrong value.
        """
        texts = as_texts(X)
        classes, numbers = as_classes(y)
        check_consistent_length(texts, numbers)
        seed = self._seed()
        training = self._training(divide(texts, numbers, names_of(classes), seed), seed)
        checkpoint, metrics = self._train(training)
        self.classes_, self.class_prior_ = classes, np.bincount(numbers) / len(numbers)
        self.checkpoint_, self.metrics_ = checkpoint, metrics
        return self

    def predict_proba(self, X: Any) -> Float[ndarray, "n k"]:
        """The probability of each class, in the order of ``classes_``, for texts [n].

        A text that the network cannot read, such as one without a word, gets ``class_prior_``. The lengths of capsules
        are divided by their sum.

        Raises:
            NotFittedError: this is not fitted.
            TypeError: X is not a list of texts.
        """
        check_is_fitted(self)
        results = run_texts(self.checkpoint_, as_texts(X))
        rows = [self.class_prior_ if result.summary is None else result.summary.probabilities for result in results]
        scores = np.array(rows, float).reshape(len(rows), len(self.classes_))
        return scores / scores.sum(1, keepdims=True)

    def predict(self, X: Any) -> ndarray:
        """The most probable label of each text. Arguments and errors as in ``predict_proba``."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(1)]

    def save(self, name: str, replace: bool = False) -> Path:
        """Write the network among your checkpoints, where commands and pages find it, and return its folder.

        Args:
            name: name of the checkpoint.
            replace: whether an earlier checkpoint of this name is deleted.

        Raises:
            NotFittedError: this is not fitted.
            ValueError: the name is not allowed, or taken.
        """
        check_is_fitted(self)
        zoo.check_name(name)
        folder = user_folder() / name
        if folder.exists():
            if not replace:
                raise ValueError(f"there is a checkpoint {name}: choose another name, or pass replace=True")
            describe_folder(folder)  # refuses a folder of another kind, which must not be deleted
            shutil.rmtree(folder)
        zoo.save(self.checkpoint_, folder)
        write(folder / METRICS, json.dumps(self.metrics_, indent=1).encode())
        return folder

    def __getstate__(self) -> dict[str, Any]:
        """The state for a pickle: the files of the checkpoint in place of the network."""
        state = dict(super().__getstate__())
        if (checkpoint := state.pop("checkpoint_", None)) is not None:
            state |= {"checkpoint_files": to_files(checkpoint), "checkpoint_name": checkpoint.name}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Load the network from the files in a pickle. Where its device is missing, another one is chosen."""
        state = dict(state)
        files, name = state.pop("checkpoint_files", None), state.pop("checkpoint_name", "")
        super().__setstate__(state)
        if files is not None:
            self.checkpoint_ = from_files(files, name, self.device)

    def __sklearn_tags__(self) -> Tags:
        """The facts about this estimator that scikit-learn asks for: it reads texts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array, tags.input_tags.two_d_array, tags.input_tags.string = True, False, True
        return tags

    def _seed(self) -> int:
        """The seed of this fit. Errors as in scikit-learn's ``check_random_state``."""
        generator = check_random_state(self.random_state)
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(generator.randint(MAX_SEED))

    def _training(self, data: OwnData, seed: int) -> OwnTraining:
        """The training with the given parameters. Errors as in ``fit``."""
        encoder = encoder_of(self.routing, None if self.encoder is None else str(self.encoder))
        training = training_of(self.routing, encoder, data, CORPUS, seed)
        if self.learning_rate is not None:
            if not self.learning_rate > 0:
                raise ValueError(f"learning_rate is {self.learning_rate}, wanted more than 0")
            schedule = dataclasses.replace(training.schedule, lr=float(self.learning_rate))
            training = dataclasses.replace(training, schedule=schedule)
        batch = _whole("batch_size", self.batch_size)
        training = dataclasses.replace(training, batch=batch, given=data, progress=bool(self.verbose))
        return training.fitted(len(data.train), None if self.epochs is None else _whole("epochs", self.epochs))

    def _train(self, training: OwnTraining) -> tuple[Checkpoint, dict[str, Any]]:
        """Train a network in a temporary folder, and return its checkpoint and metrics."""
        target, data, name = pick_device(self.device), cast(OwnData, training.given), f"my-{self.routing}"
        gpus = [target] if target.type == "cuda" else []
        with (
            TemporaryDirectory(prefix="routescope-") as folder,
            torch.random.fork_rng(gpus),  # the caller's generators stay as they are
        ):
            scratch, shows_bars = Path(folder), training.progress
            trained = train_network(training, scratch, scratch, name, str(target), task=CORPUS, progress=shows_bars)
            # Its weights are rounded now, as they will be in a pickle and in a folder.
            checkpoint = from_files(to_files(trained.checkpoint), name, str(target))
        learned_from = f"{len(data.train):,} texts given in Python; {len(data.dev):,} others chose the weights"
        return checkpoint, {
            **unmeasured(count_parameters(checkpoint.model)),
            "dev": measure(checkpoint, data.dev),
            "training": record_of(self._call(), learned_from, training, trained),
        }

    def _call(self) -> str:
        """The Python call that makes the checkpoint, without the folder of a transformer."""
        default = type(self)().get_params()
        given = {key: value for key, value in self.get_params().items() if value != default[key]}
        if self.encoder is not None:
            given["encoder"] = Path(self.encoder).name
        arguments = ", ".join(f"{key}={value!r}" for key, value in given.items())
        return f"RoutingClassifier({arguments}).fit(X, y)"


def _whole(name: str, value: Any) -> int:
    """A parameter that is a whole number, as a number that JSON has; ValueError unless it is at least 1."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} is {value!r:.60}, wanted a whole number of at least 1")
    return int(value)
