"""Checks quickly which published numbers the shipped files and the data at hand confirm.

Four things are checked. The parameter counts of table 7 of Ren and Lu (2022). For each routing over texts, the numbers
of one run against the paper's equations, worked out once more from the run's parts. For each network with evidence, the
badge: it must come from these very weights. And accuracy: each answer to some test samples must be the one that was
kept when the whole split was measured.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from core import explain, manifest, zoo
from core.checkpoint import Checkpoint
from core.datasets import folder_of, read_split
from core.ledger.claim import evidence_of
from core.ledger.table_7 import count_parameters
from core.measured import answers as kept_answers
from core.measured.evidence.badge import badge_of
from core.measured.evidence.measure import evenly
from core.networks import network_of
from core.networks.workings import weights_of
from core.training.metrics import answers
from core.worked import work
from core.worked.step import ABSOLUTE, RELATIVE

N_SAMPLES = 500
MAX_OTHER = 0.01  # share of answers that may differ from the kept ones: other processors round differently
TEXT = "The acting is superb, but the plot never earns its two long hours."

Progress = Callable[[str], None]


class Found(StrEnum):
    """The result of a check."""

    CONFIRMED = "confirmed"
    DIFFERS = "differs"
    NOT_CHECKED = "not checked"


class Check(NamedTuple):
    """A published number, and what was found.

    Attributes:
        result: whether the number is confirmed.
        published: name of the number, and its value if that is short.
        here: finding in words, or the reason why nothing was checked.
    """

    result: Found
    published: str
    here: str

    def __str__(self) -> str:
        return f"{self.result:<12} {self.published}: {self.here}"


def check(
    names: Sequence[str] = (), n: int = N_SAMPLES, device: str = "auto", tell: Progress = lambda name: None
) -> Iterator[Check]:
    """Yield the result of each check.

    Args:
        names: checkpoints to check; all shipped ones if there are none, and then table 7 too.
        n: number of test samples of each network.
        device: device of the networks.
        tell: function to call with the name of each network before it is checked.

    Raises:
        ValueError: there is no such checkpoint.
    """
    if not names:
        yield _check_counts()
    shipped = [name for name in manifest.folders() if (manifest.PRETRAINED / name).is_dir()]
    for name in names or shipped:
        tell(name)
        yield from _check_badge(name)
        try:
            checkpoint = zoo.load(name, device)
        except RuntimeError as error:  # a package is missing
            yield Check(Found.NOT_CHECKED, f"accuracy of {name}", str(error))
            continue
        yield from _check_equations(checkpoint)
        yield from _check_accuracy(checkpoint, n)


def _check_counts() -> Check:
    cells = count_parameters()
    n_agree = int(cells["agree"].sum())
    published = "parameters in table 7 of Ren and Lu (2022)"
    return Check(_holds(n_agree == len(cells)), published, f"{n_agree} of {len(cells)} counts agree")


def _check_badge(name: str) -> Iterator[Check]:
    """Compute the badge again; evidence of other weights does not count."""
    if not (manifest.folder_of(name) / "evidence.json").exists():
        return
    evidence = evidence_of(name)
    here = "its evidence is that of other weights" if evidence is None else badge_of(evidence).text
    yield Check(_holds(evidence is not None), f"badge of {name}", here)


def _check_equations(checkpoint: Checkpoint) -> Iterator[Check]:
    """Compare the numbers of a picture with those that the equations give, for every input and every iteration."""
    network = network_of(checkpoint)
    if network.record.reads != "text" or not network.is_routed(checkpoint.model):
        return
    trace, weights, pairs = explain(checkpoint, TEXT), weights_of(checkpoint, TEXT), []
    for (t, *cell), share in np.ndenumerate(trace.cells.values):
        pairs += [(step.value, share) for step in work(trace, cell, t + 1, weights) if step.is_share]
    ours, theirs = np.array(pairs).reshape(-1, 2).T
    is_equal = np.isclose(ours, theirs, rtol=RELATIVE, atol=ABSOLUTE)
    here = f"{is_equal.sum():,} of {len(pairs):,} numbers of a run equal the paper's equations"
    yield Check(_holds(0 < len(pairs) == is_equal.sum()), f"picture of {checkpoint.name}", here)


def _check_accuracy(checkpoint: Checkpoint, n: int) -> Iterator[Check]:
    """Compare answers to evenly spaced test samples with those that were kept."""
    name, accuracy = checkpoint.name, manifest.describe(checkpoint.name).metrics.test.accuracy
    if accuracy is None:
        return
    published, kept = f"test accuracy of {name}, {accuracy:.1%}", kept_answers.read(name)
    if kept is None:
        yield Check(Found.NOT_CHECKED, published, "its answers were not kept")
        return
    bits, data = kept
    folder = folder_of(checkpoint.corpus)
    try:
        split = read_split(checkpoint.corpus, folder, "test", len(checkpoint.classes))
    except (ValueError, OSError) as error:
        yield Check(Found.NOT_CHECKED, published, str(error))
        return
    if len(split) != len(bits):
        here = f"there are {len(split):,} samples here, and it was measured on {len(bits):,}: {data}"
        yield Check(Found.NOT_CHECKED, published, here)
        return
    sample = evenly(range(len(split)), n)
    labels, given = answers(checkpoint, split.take(sample))
    n_same = int(((labels == given) == bits[sample]).sum())
    is_same = n_same >= (1 - MAX_OTHER) * len(sample) and abs(bits.mean() - accuracy) < 1e-6
    here = f"{n_same:,} of {len(sample):,} answers are those kept, and {bits.mean():.1%} of all kept are right"
    yield Check(_holds(is_same), published, here)


def _holds(is_so: bool) -> Found:
    return Found.CONFIRMED if is_so else Found.DIFFERS
