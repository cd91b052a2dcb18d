"""A small training that can be stopped."""

import torch

from core.training import loop, schedules
from core.training.metrics import Evaluation


class Stopped(Exception):
    """The stop of a training, as if it were killed."""


COSINE = schedules.Schedule(epochs=4, lr=1e-2, warmup=3, decay=0.9, perturbation=0.1)


def small_run(state_file, resume=False, stop_at=None, schedule=COSINE, until=None):
    """Fit a small network with dropout; raise Stopped at the evaluation number ``stop_at``, if given."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 2))
    data = torch.randn(40, 4, generator=torch.Generator().manual_seed(1))
    labels = (data[:, 0] > 0).long()
    n_evaluations = 0

    def evaluate(average):
        nonlocal n_evaluations
        n_evaluations += 1
        if n_evaluations == stop_at:
            raise Stopped
        outputs = average(data)
        correct = (outputs.argmax(1) == labels).double().mean()
        return Evaluation(correct.item(), torch.nn.functional.cross_entropy(outputs, labels).item())

    def batches(epoch):
        starts = [(epoch + n) % 5 for n in range(5)]  # five batches; each epoch begins with another one
        return [(data[k::5], labels[k::5]) for k in starts]

    best = loop.fit(
        model,
        batches,
        lambda batch: ({"input": batch[0]}, batch[1]),
        evaluate,
        schedule,
        state_file,
        resume,
        perturbed=model[0].weight,
        until=until,
    )
    return model.state_dict(), best
