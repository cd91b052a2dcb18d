"""Sentences on routings of clouds of votes, and on equal shares, to which they are compared."""

import numpy as np

from core.analysis.scenes import OUTLIER, Clouds, means
from core.sentences.comparison import Routed
from core.sentences.routing_names import about


def describe_equal_shares(made: Clouds) -> str:
    """Say what equal shares would give: the baseline of all routings of clouds."""
    n_clouds, n_capsules = len(made.centres), made.votes.shape[1]
    off = np.linalg.norm(made.votes.mean(0)[:n_clouds] - made.centres, axis=-1).mean()
    return (
        f"Equal shares, to compare (crosses): each input gives {1 / n_capsules:.0%} to its own cloud. "
        f"The means, plain averages of all votes, are {off:.2f} off."
    )


def describe_clouds(run: Routed, made: Clouds) -> list[str]:
    """Say which share goes to the inputs' own cloud, and how far means are off centres, one sentence per iteration."""
    n, outliers = len(made.centres), made.members == OUTLIER
    sentences = []
    for c, mean in zip(run.coupling, means(run.coupling, made.votes), strict=True):
        off = np.linalg.norm(mean[:n] - made.centres, axis=-1).mean()
        if run.normalize == "input":
            shares = f"{(c[:, :n] * made.belongs).sum(0).mean():.0%} of a cloud's intake comes from its own inputs"
        else:
            shares = f"inputs give {c[:, :n][made.belongs].mean():.0%} to their own cloud"
            shares += f", and outliers give {c[outliers, :n].sum(1).mean():.0%} to clouds" if outliers.any() else ""
        sentences.append(f"{about(run.name).subject}: {shares}. The means are {off:.2f} off their centres.")
    return sentences
