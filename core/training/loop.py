"""One training loop for every recipe: averaged weights, chosen on the dev split, resumable at any moment."""

import copy
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from core.training.losses import Loss

Prepared = tuple[dict[str, Tensor], Tensor]  # arguments of the model, classes [b] or their probabilities [b, classes]


@dataclass(frozen=True)
class Schedule:
    """AdamW: warm-up to ``lr``, then cosine decay to 0 over all epochs; an exponential average of the weights.

    With an adversary each batch is seen twice, the second time with the word vectors moved by that
    length where it hurts most (adversarial training: Miyato, Dai, Goodfellow 2017, eq. 5-6, here
    on the vectors of the words of a batch together).
    """

    epochs: int
    lr: float
    warmup: int = 200  # steps
    weight_decay: float = 0.0
    clip: float = 5.0
    adversary: float = 0.0  # length of the step against the word vectors; 0 is none
    decay: float = 0.999  # of the average, a step
    evaluations: int = 2  # an epoch

    def optimizer(self, trained: list[nn.Parameter]) -> torch.optim.Optimizer:
        return torch.optim.AdamW(trained, weight_decay=self.weight_decay, fused=True)

    def settings(self, step: int, total: int) -> dict[str, Any]:
        """Of the optimizer at step 1 to total."""
        return {"lr": self.lr * min(1.0, step / self.warmup) * _cosine(step / total)}


@dataclass(frozen=True)
class OneCycle(Schedule):
    """RAdam in one cycle: the rate rises linearly from ``lr_least`` to ``lr`` over the first tenth and falls by a
    cosine, while beta1 falls from .999 to .8991 and rises again (Heinsen 2019, section 4).
    """

    lr_least: float = 1e-5
    rise: float = 0.1
    beta1_most: float = 0.999
    beta1_least: float = 0.8991

    def optimizer(self, trained: list[nn.Parameter]) -> torch.optim.Optimizer:
        return torch.optim.RAdam(trained, weight_decay=self.weight_decay)

    def settings(self, step: int, total: int) -> dict[str, Any]:
        done = step / total
        up = done / self.rise if done < self.rise else _cosine((done - self.rise) / (1 - self.rise))
        beta1 = self.beta1_most - (self.beta1_most - self.beta1_least) * up
        return {"lr": self.lr_least + (self.lr - self.lr_least) * up, "betas": (beta1, 0.999)}


def fit(
    model: nn.Module,
    epoch_batches: Callable[[int], Sequence[Any]],
    prepare: Callable[[Any], Prepared],
    evaluate: Callable[[nn.Module], float],
    schedule: Schedule,
    state_file: Path,
    resume: bool = False,
    attacked: nn.Parameter | None = None,
    fingerprint: str = "",
    loss: Loss = nn.functional.cross_entropy,
) -> dict[str, float]:
    """Train ``model``; leave it with the averaged weights that were best on the dev split, in evaluation mode.

    Args:
        epoch_batches: the batches of epoch e, the same ones in the same order whenever asked.
        prepare: a batch to what the model takes and should answer; it may draw from torch's generators.
        evaluate: accuracy on the dev split.
        state_file: where everything that is needed to go on is kept, renewed at each evaluation.
        resume: go on from ``state_file`` where it exists; the result is that of one uninterrupted run.
        attacked: the word vectors that ``schedule.adversary`` moves.
        fingerprint: says what is trained; a state of another is refused.
        loss: of what the model answers and what it should.

    Raises:
        ValueError: ``state_file`` belongs to another run.

    Returns:
        {"dev_accuracy": of the weights kept, "step": when they were reached, "steps": in all,
        "minutes": spent on them all, sittings added up}
    """
    run = _Run(model, schedule, attacked, loss)
    if resume and state_file.exists():
        run.restore(state_file, fingerprint)
    per_epoch = len(epoch_batches(0))
    total = per_epoch * schedule.epochs
    every = math.ceil(per_epoch / schedule.evaluations)
    began = time.monotonic() - run.seconds
    with tqdm(total=total, initial=run.step, unit="step", desc=state_file.stem) as bar:
        for epoch in range(run.step // per_epoch, schedule.epochs):
            for batch in epoch_batches(epoch)[run.step % per_epoch :]:
                lost = run.learn(*prepare(batch), total)
                bar.update()
                if run.step % every == 0 or run.step == total:
                    accuracy = run.judge(evaluate)
                    bar.set_postfix(loss=f"{lost:.3f}", dev=f"{accuracy:.4f}", best=f"{run.best['dev_accuracy']:.4f}")
                    run.seconds = time.monotonic() - began
                    run.keep(state_file, fingerprint)
    model.load_state_dict(run.best_weights)
    model.eval()
    return run.best | {"steps": total, "minutes": round(run.seconds / 60, 1)}


class _Run:
    """All that changes while a model is trained."""

    def __init__(self, model: nn.Module, schedule: Schedule, attacked: nn.Parameter | None, loss: Loss):
        self.model, self.schedule, self.attacked, self.loss = model, schedule, attacked, loss
        self.trained = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = schedule.optimizer(self.trained)
        self.average = copy.deepcopy(model)
        self.averaged = [p for p in self.average.parameters() if p.requires_grad]
        self.average.requires_grad_(False)
        self.step, self.seconds = 0, 0.0
        self.best, self.best_weights = {"dev_accuracy": -1.0, "step": 0}, copy.deepcopy(model.state_dict())

    def learn(self, inputs: dict[str, Tensor], classes: Tensor, total: int) -> float:
        """One step of the optimizer and of the average; the loss."""
        self.step += 1
        schedule = self.schedule
        for group in self.optimizer.param_groups:
            group.update(schedule.settings(self.step, total))
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.loss(self.model(**inputs), classes)
        loss.backward()
        if self.attacked is not None and schedule.adversary:
            with moved_against(self.attacked, schedule.adversary):
                self.loss(self.model(**inputs), classes).backward()
        nn.utils.clip_grad_norm_(self.trained, schedule.clip)
        self.optimizer.step()
        weight = 1 - min(schedule.decay, self.step / (self.step + 10))  # the first steps are forgotten sooner
        torch._foreach_lerp_(self.averaged, [p.detach() for p in self.trained], weight)
        for ours, theirs in zip(self.average.buffers(), self.model.buffers(), strict=True):  # running statistics
            ours.copy_(theirs)
        return loss.item()

    def judge(self, evaluate: Callable[[nn.Module], float]) -> float:
        """Accuracy of the averaged weights, which are kept where they are the best so far."""
        accuracy = evaluate(self.average.eval())
        if accuracy > self.best["dev_accuracy"]:
            self.best = {"dev_accuracy": accuracy, "step": self.step}
            self.best_weights = copy.deepcopy(self.average.state_dict())
        return accuracy

    def keep(self, file: Path, fingerprint: str) -> None:
        """Write the state, whole or not at all."""
        file.parent.mkdir(parents=True, exist_ok=True)
        plain = {name: getattr(self, name) for name in ("step", "seconds", "best", "best_weights")}
        parts = {name: getattr(self, name).state_dict() for name in ("model", "average", "optimizer")}
        part = file.with_suffix(".part")
        torch.save(plain | parts | {"random": random_state(), "fingerprint": fingerprint}, part)
        part.replace(file)

    def restore(self, file: Path, fingerprint: str) -> None:
        state = torch.load(file, weights_only=True, map_location=self.trained[0].device)
        if state["fingerprint"] != fingerprint:
            raise ValueError(f"{file} belongs to a run with other settings: start anew without --resume")
        for name in ("step", "seconds", "best", "best_weights"):
            setattr(self, name, state[name])
        for name in ("model", "average", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        set_random_state(state["random"])


@contextmanager
def moved_against(parameter: nn.Parameter, length: float) -> Iterator[None]:
    """Meanwhile the parameter stands ``length`` further along its gradient, where the loss is higher."""
    kept = parameter.data
    parameter.data = kept + parameter.grad * (length / (parameter.grad.norm() + 1e-12))
    try:
        yield
    finally:
        parameter.data = kept


def random_state() -> dict[str, Tensor]:
    """The state of every generator that dropout draws from."""
    state = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        state["cuda"] = torch.cuda.get_rng_state()
    return state


def set_random_state(state: dict[str, Tensor]) -> None:
    torch.set_rng_state(state["cpu"].cpu())
    if "cuda" in state and torch.cuda.is_available():
        torch.cuda.set_rng_state(state["cuda"].cpu())


def _cosine(done: float) -> float:
    """From 1 to 0."""
    return 0.5 * (1 + math.cos(math.pi * done))
