"""The training loop of all recipes. Weights are averaged, and chosen on the dev split; a run can be resumed."""

import copy
import io
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel
from tqdm import tqdm

from core.device import without_denormals
from core.files import write
from core.training.losses import Loss
from core.training.metrics import Evaluation
from core.training.schedules import Schedule

SAVE_EVERY = 300  # seconds
Prepared = tuple[dict[str, Any], Tensor]  # arguments of the model; classes [b] or class probabilities [b, classes]
# Runs a model on a prepared batch, and returns its output and a term to add to the loss.
Forward = Callable[[Any, dict[str, Any], Tensor], tuple[Tensor, Tensor | float]]


def run_model(model: nn.Module, inputs: dict[str, Tensor], targets: Tensor) -> tuple[Tensor, float]:
    """The model's output, with nothing to add to the loss."""
    return model(**inputs), 0.0


def fit(
    model: nn.Module,
    epoch_batches: Callable[[int], Sequence[Any]],
    prepare: Callable[[Any], Prepared],
    evaluate: Callable[[nn.Module], Evaluation],
    schedule: Schedule,
    state_file: Path,
    resume: bool = False,
    perturbed: Tensor | None = None,
    fingerprint: str = "",
    loss: Loss = nn.functional.cross_entropy,
    forward: Forward = run_model,
    until: float | None = None,
    keeps_best: bool = False,
    progress: bool = True,
    on_evaluation: Callable[[nn.Module, list[dict[str, float]]], None] | None = None,
) -> dict[str, Any]:
    """Train a model. It ends in evaluation mode with the averaged weights that were best on the dev split.

    Args:
        model: model to train.
        epoch_batches: function that returns the batches of epoch e, always the same ones in the same order.
        prepare: function that converts a batch to arguments of the model and targets; it may use torch's random
            generators.
        evaluate: function that returns accuracy and loss of a model on the dev split.
        schedule: optimizer, learning rate and number of epochs.
        state_file: file to which the state of the run is saved at each evaluation, and every ``SAVE_EVERY`` seconds.
        resume: whether to continue from ``state_file`` if it exists, with the same result as an uninterrupted run.
        perturbed: word vectors that ``schedule.perturbation`` moves.
        fingerprint: fingerprint of the run; the state of a run with another one is refused.
        loss: function of the model's output and the targets.
        forward: function that runs the model on a batch; its extra loss is not in the history.
        until: share of the training after which to stop, with the averaged weights of that step; then nothing is
            evaluated or chosen.
        keeps_best: whether an interrupt ends the training with the best weights so far, instead of stopping it without.
        progress: whether a bar shows the steps.
        on_evaluation: function to call after each evaluation with the averaged network and "history". It must not use
            torch's random generators.

    Returns:
        "dev_accuracy" of the best weights; the "step" at which they were reached; the planned "steps"; "minutes" of
        training in total; "history"; and "kept". For every evaluation, "history" holds its "step", the "train_loss" and
        "train_accuracy" over the batches since the previous evaluation, and the "dev_loss" and "dev_accuracy" of the
        averaged weights. Accuracy on mixed samples counts the class with the larger share. "kept" holds averaged
        weights by share of the training, kept at the first evaluation at or after each share in ``schedule.kept``.
        "interrupted" is True if an interrupt ended the training.

    Raises:
        ValueError: ``state_file`` is damaged or belongs to another run.
    """
    state_file.parent.mkdir(parents=True, exist_ok=True)
    run = _State(model, schedule, perturbed, loss, forward)
    if resume and state_file.exists():
        run.restore_state(state_file, fingerprint)
    per_epoch = len(epoch_batches(0))
    saved = time.monotonic()
    total = per_epoch * schedule.epochs
    last = total if until is None else round(until * total)
    evaluate_every = math.ceil(per_epoch / schedule.evaluations)
    evaluated = run.step // evaluate_every * evaluate_every
    began, interrupted = time.monotonic() - run.seconds, {}
    with (
        tqdm(total=last, initial=run.step, unit="step", desc=state_file.stem, disable=not progress) as bar,
        without_denormals() as thread,
    ):
        for batch in _batches(epoch_batches, per_epoch, run.step, last):
            if until is None and run.waited_too_long(per_epoch):
                break
            try:
                batch_loss = thread.submit(run.train_step, *prepare(batch), total).result()
            except KeyboardInterrupt:
                if not (keeps_best and run.history):
                    raise
                interrupted = {"interrupted": True}
                break
            bar.update()
            is_evaluated = until is None and (run.step % evaluate_every == 0 or run.step == total)
            if is_evaluated:
                dev = run.evaluate(evaluate, may_choose=run.step > schedule.chosen_after * per_epoch)
                bar.set_postfix(loss=f"{batch_loss:.3f}", dev=f"{dev:.4f}", best=f"{run.best['dev_accuracy']:.4f}")
                if any(evaluated < share * total <= run.step for share in schedule.kept):
                    run.keep_weights(total)
                evaluated = run.step
                if on_evaluation:
                    on_evaluation(run.average.module, run.history)
            if is_evaluated or run.step == last or time.monotonic() - saved > SAVE_EVERY:
                saved = time.monotonic()
                run.seconds = saved - began
                run.save_state(state_file, fingerprint)
    model.load_state_dict(run.best_weights if until is None else run.average.module.state_dict())
    model.eval()
    result = {"steps": total, "minutes": round(run.seconds / 60, 1), "history": run.history, "kept": run.kept}
    return run.best | result | interrupted


def _batches(epoch_batches: Callable[[int], Sequence[Any]], per_epoch: int, first: int, last: int) -> Iterator[Any]:
    """Yield the batches first to last - 1, counted from 0 through all epochs."""
    for epoch in range(first // per_epoch, math.ceil(last / per_epoch)):
        yield from epoch_batches(epoch)[max(0, first - epoch * per_epoch) : last - epoch * per_epoch]


COUNTS = ("n_samples", "n_correct", "total_loss")  # summed over the batches since the last evaluation
# Fields of a run that are saved in addition to modules.
PLAIN = ("step", "seconds", "best", "best_weights", "history", "kept", *COUNTS)


class _State:
    """Everything that changes during training."""

    def __init__(
        self,
        model: nn.Module,
        schedule: Schedule,
        perturbed: Tensor | None,
        loss: Loss,
        forward: Forward = run_model,
    ):
        self.model, self.schedule, self.perturbed, self.loss, self.forward = model, schedule, perturbed, loss, forward
        self.trained = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = schedule.optimizer(self.trained)
        self.average = AveragedModel(model, multi_avg_fn=moving_average(schedule.decay))
        self.average.update_parameters(model)  # the average starts from the initial weights
        self.average.requires_grad_(False)
        self.step, self.seconds = 0, 0.0
        self.best, self.best_weights = {"dev_accuracy": -1.0, "step": 0}, copy.deepcopy(model.state_dict())
        self.history: list[dict[str, float]] = []
        self.kept: dict[float, dict[str, Tensor]] = {}
        self._forget_batches()

    def _forget_batches(self) -> None:
        """Reset the counts of samples, correct samples and their loss."""
        self.n_samples, self.n_correct, self.total_loss = 0, 0, 0.0

    def train_step(self, inputs: dict[str, Tensor], targets: Tensor, total: int) -> float:
        """Update the weights and their average with one batch, and return the loss."""
        self.step += 1
        for group in self.optimizer.param_groups:
            group.update(self.schedule.settings(self.step, total))
        self.model.train()
        self.optimizer.zero_grad()
        outputs, added = self.forward(self.model, inputs, targets)
        loss = self.loss(outputs, targets)
        (loss + added).backward()
        if self.perturbed is not None and self.schedule.perturbation:
            with perturbed_by(self.perturbed, self.schedule.perturbation):
                perturbed_outputs, added = self.forward(self.model, inputs, targets)
                (self.loss(perturbed_outputs, targets) + added).backward()
        nn.utils.clip_grad_norm_(self.trained, self.schedule.clip)
        self.optimizer.step()
        self.average.update_parameters(self.model)
        labels = targets if targets.ndim == 1 else targets.argmax(-1)
        self.n_samples += len(labels)
        self.n_correct += int((outputs.argmax(-1) == labels).sum())
        self.total_loss += loss.item() * len(labels)
        return loss.item()

    def evaluate(self, evaluate: Callable[[nn.Module], Evaluation], may_choose: bool = True) -> float:
        """Measure the averaged weights' accuracy on the dev split, and keep them if they are the best choice so far."""
        averaged = self.average.module.eval()
        dev = evaluate(averaged)
        train = {"train_loss": self.total_loss / self.n_samples, "train_accuracy": self.n_correct / self.n_samples}
        self.history.append({"step": self.step, **train, "dev_loss": dev.loss, "dev_accuracy": dev.accuracy})
        self._forget_batches()
        if may_choose and dev.accuracy > self.best["dev_accuracy"]:
            self.best = {"dev_accuracy": dev.accuracy, "step": self.step}
            self.best_weights = copy.deepcopy(averaged.state_dict())
        return dev.accuracy

    def waited_too_long(self, per_epoch: int) -> bool:
        """Whether no better weights were found for as many epochs as the schedule's patience."""
        patience = self.schedule.patience
        return bool(patience) and self.step - self.best["step"] >= patience * per_epoch

    def keep_weights(self, total: int) -> None:
        """Keep the averaged weights for the share of all steps done so far."""
        self.kept[round(self.step / total, 2)] = copy.deepcopy(self.average.module.state_dict())

    def save_state(self, file: Path, fingerprint: str) -> None:
        """Write the state of the run, completely or not at all."""
        plain = {name: getattr(self, name) for name in PLAIN}
        modules = {name: getattr(self, name).state_dict() for name in ("model", "average", "optimizer")}
        state = plain | modules | {"random": random_state(), "fingerprint": fingerprint}
        content = io.BytesIO()  # on a full disk torch itself would raise an unclear error
        torch.save(state, content)
        write(file, content.getvalue())

    def restore_state(self, file: Path, fingerprint: str) -> None:
        """Restore a saved state.

        Raises:
            ValueError: the state is damaged or belongs to another run.
        """
        try:
            state = torch.load(file, weights_only=True, map_location=self.trained[0].device)
            saved_by = state["fingerprint"]
        except (MemoryError, torch.OutOfMemoryError, PermissionError):  # the file may be fine
            raise
        except Exception as error:  # torch raises nearly any error on a damaged file
            raise ValueError(f"{file} is damaged: start again without --resume") from error
        if saved_by != fingerprint:
            raise ValueError(f"{file} belongs to a run with other settings or data: start again without --resume")
        for name in PLAIN:
            setattr(self, name, state[name])
        for name in ("model", "average", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        set_random_state(state["random"])


def moving_average(decay: float) -> Callable[..., None]:
    """Make a function that updates an exponential moving average of weights in place.

    The decay is smaller at first, so that the average soon forgets the initial weights.
    """

    @torch.no_grad()
    def update(averaged: list[Tensor], current: list[Tensor], n_averaged: Tensor) -> None:
        n = int(n_averaged)
        torch._foreach_lerp_(averaged, current, 1 - min(decay, n / (n + 10)))

    return update


@contextmanager
def perturbed_by(parameter: Tensor, distance: float) -> Iterator[None]:
    """A context that moves the parameter by a distance along its gradient, which increases the loss."""
    before = parameter.data
    gradient = cast(Tensor, parameter.grad)  # of the loss at the unmoved parameter
    parameter.data = before + gradient * (distance / (gradient.norm() + 1e-12))
    try:
        yield
    finally:
        parameter.data = before


def random_state() -> dict[str, Tensor]:
    """The state of every random generator that dropout uses."""
    state = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        state["cuda"] = torch.cuda.get_rng_state()
    return state


def set_random_state(state: dict[str, Tensor]) -> None:
    """Restore the output of ``random_state``."""
    torch.set_rng_state(state["cpu"].cpu())
    if "cuda" in state and torch.cuda.is_available():
        torch.cuda.set_rng_state(state["cuda"].cpu())
