"""Claims of Heinsen 2019 (EM routing)."""

from collections.abc import Callable
from functools import partial

import numpy as np

from core import manifest
from core.analysis.poses import compare_with_first
from core.ledger.claim import Claim, Measured, of_checkpoint, points
from core.measured import store

PAPER, TOYS = "EM routing", "em-smallnorb"
CLOSE = 0.005  # relative difference of numbers that the paper calls "approximately" so many
NEAR_1 = 0.1  # of a ratio of norms


def _parameters(count: Callable[[], int], theirs: int) -> Measured:
    ours = count()
    return Measured(f"{ours:,}", "agrees" if abs(ours - theirs) <= CLOSE * theirs else "does not agree")


def _of_smallnorb() -> int:
    return manifest.describe(TOYS).metrics.parameters


def _of_sst(n_classes: int) -> int:
    """Parameters of the network over GPT-2 large, which has 37 layers of 1,280."""
    from core.models import EMSST, EMSSTConfig  # imports PyTorch
    from core.training.metrics import count_parameters

    return count_parameters(EMSST(EMSSTConfig(n_layers=37, d_hidden=1280, n_classes=n_classes, d_detect=64)))


def _norms(turned: str) -> Measured | None:
    """How far the norms of pose vectors stray from those of the first view, over all test toys."""
    arrays = store.read("poses", TOYS)
    if arrays is None:
        return None
    ratios = np.nanmean(compare_with_first(arrays[turned]).norm, axis=(0, 2))
    text = f"ratio to the first view's norm {ratios.min():.2f} to {ratios.max():.2f}, mean over toys"
    return Measured(text, "agrees" if np.abs(ratios - 1).max() <= NEAR_1 else "does not agree")


def _return() -> Measured | None:
    """By how much the poses of the last azimuth are nearer to the first's than those of the opposite one, over toys."""
    from scipy.stats import ttest_1samp  # half a second to import

    arrays = store.read("poses", TOYS)
    if arrays is None:
        return None
    distance = np.nanmean(compare_with_first(arrays["azimuth"]).distance, axis=2)
    nearer = distance[:, distance.shape[1] // 2] - distance[:, -1]
    low, high = ttest_1samp(nearer, 0.0).confidence_interval()
    text = f"{nearer.mean():.2f} nearer to the first pose vector's at 340 degrees than at 180, relative to its norm"
    return Measured(text, points(low, high).verdict, low, high)


def _of_poses(place: str, claim: str, theirs: str, measure: Callable[[], Measured | None]) -> Claim:
    """A claim that the poses of all test toys can judge."""
    command = f"python -m core.measured poses {TOYS} --data DIR"
    return Claim(PAPER, place, claim, theirs, command, f"{TOYS}/poses.npz", measure)


SST_FILE, HOW_COUNTED = "../core/models/em_sst.py", "python -m pytest tests/core/models/test_em_sst.py"

CLAIMS = (
    Claim(
        PAPER,
        "table 2",
        "Parameters of the smallNORB network",
        "272,000",
        f"python -m core.training {TOYS} --data DIR",
        f"{TOYS}/metrics.json",
        partial(_parameters, _of_smallnorb, 272_000),
    ),
    of_checkpoint(PAPER, "table 3", "Accuracy on SST-5 (ours over MiniLM, not GPT-2 large)", "em-sst5"),
    of_checkpoint(PAPER, "table 4", "Accuracy on SST-2 (ours over MiniLM, not GPT-2 large)", "em-sst2"),
    Claim(
        PAPER,
        "section 5.1",
        "Parameters of the SST network over GPT-2 large",
        "140,000",
        HOW_COUNTED,
        SST_FILE,
        partial(_parameters, partial(_of_sst, 5), 140_000),
    ),
    _of_poses("figure 6", "Norms of pose vectors stay as a toy turns", "near 1", partial(_norms, "azimuth")),
    _of_poses("figure 7", "Norms of pose vectors stay as the camera rises", "near 1", partial(_norms, "elevation")),
    _of_poses("figure 6", "After a full turn the pose vectors are back near the first", "", _return),
    Claim(
        PAPER,
        "table 2",
        "Accuracy on smallNORB's photographs",
        "99.1%",
        why="the photographs are not shipped here; ours is measured on rendered toys",
    ),
    Claim(PAPER, "table 3", "Accuracy over GPT-2 large on SST-5", "58.5%", why="GPT-2 large is not trained on here"),
)
