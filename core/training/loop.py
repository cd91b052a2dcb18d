"""One training loop for every recipe: averaged weights, chosen on the dev split, resumable at any moment."""

import copy
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from tqdm import tqdm

Batch = tuple[Tensor, Tensor]  # input, class


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


def fit(
    model: nn.Module,
    epoch_batches: Callable[[int], Sequence[Batch]],
    evaluate: Callable[[nn.Module], float],
    schedule: Schedule,
    state_file: Path,
    resume: bool = False,
    attacked: nn.Parameter | None = None,
    fingerprint: str = "",
) -> dict[str, float]:
    """Train ``model``; leave it with the averaged weights that were best on the dev split.

    Args:
        epoch_batches: the batches of epoch e, the same ones in the same order whenever asked.
        evaluate: accuracy on the dev split.
        state_file: where everything that is needed to go on is kept, renewed at each evaluation.
        attacked: the word vectors that ``schedule.adversary`` moves.
        fingerprint: says what is trained; a state of another is refused.
        resume: go on from ``state_file`` where it exists; the result is that of one uninterrupted run.

    Raises:
        ValueError: ``state_file`` belongs to another run.

    Returns:
        {"dev_accuracy": of the weights kept, "step": when they were reached, "steps": in all,
        "minutes": spent on them all, sittings added up}
    """
    device = next(model.parameters()).device
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=schedule.lr, weight_decay=schedule.weight_decay, fused=True)
    average = copy.deepcopy(model).requires_grad_(False)
    averaged = [a for a, p in zip(average.parameters(), model.parameters(), strict=True) if p.requires_grad]
    per_epoch = len(epoch_batches(0))
    total = per_epoch * schedule.epochs
    every = math.ceil(per_epoch / schedule.evaluations)
    best = {"dev_accuracy": -1.0, "step": 0, "steps": total}
    best_weights, done, seconds = copy.deepcopy(average.state_dict()), 0, 0.0

    if resume and state_file.exists():
        state = torch.load(state_file, weights_only=True, map_location=device)
        if state["fingerprint"] != fingerprint:
            raise ValueError(f"{state_file} belongs to a run with other settings: start anew without --resume")
        done, best, best_weights = state["step"], state["best"], state["best_weights"]
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        seconds = state["seconds"]
        set_random_state(state["random"])
    began = time.monotonic() - seconds

    def keep() -> None:
        state_file.parent.mkdir(parents=True, exist_ok=True)
        part = state_file.with_suffix(".part")
        torch.save(
            {
                "step": step,
                "fingerprint": fingerprint,
                "seconds": time.monotonic() - began,
                "best": best,
                "best_weights": best_weights,
                "model": model.state_dict(),
                "average": average.state_dict(),
                "optimizer": optimizer.state_dict(),
                "random": random_state(),
            },
            part,
        )
        part.replace(state_file)

    bar = tqdm(total=total, initial=done, unit="step", desc=state_file.stem)
    for epoch in range(done // per_epoch, schedule.epochs):
        batches = epoch_batches(epoch)
        for step in range(max(done, epoch * per_epoch) + 1, (epoch + 1) * per_epoch + 1):
            inputs, classes = batches[(step - 1) % per_epoch]
            for group in optimizer.param_groups:
                group["lr"] = schedule.lr * _rate(step, total, schedule.warmup)
            model.train()
            inputs, classes = inputs.to(device), classes.to(device)
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(inputs), classes)
            loss.backward()
            if attacked is not None and schedule.adversary:
                with moved_against(attacked, schedule.adversary):
                    nn.functional.cross_entropy(model(inputs), classes).backward()
            nn.utils.clip_grad_norm_(trained, schedule.clip)
            optimizer.step()
            weight = 1 - min(schedule.decay, step / (step + 10))  # the first steps are forgotten sooner
            torch._foreach_lerp_(averaged, [p.detach() for p in trained], weight)
            bar.update()
            if step % every == 0 or step == total:
                accuracy = evaluate(average.eval())
                if accuracy > best["dev_accuracy"]:
                    best = {"dev_accuracy": accuracy, "step": step, "steps": total}
                    best_weights = copy.deepcopy(average.state_dict())
                bar.set_postfix(loss=f"{loss.item():.3f}", dev=f"{accuracy:.4f}", best=f"{best['dev_accuracy']:.4f}")
                keep()
    bar.close()
    model.load_state_dict(best_weights)
    return best | {"minutes": round((time.monotonic() - began) / 60, 1)}


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


def _rate(step: int, total: int, warmup: int) -> float:
    return min(1.0, step / warmup) * 0.5 * (1 + math.cos(math.pi * step / total))
