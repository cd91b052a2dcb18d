"""Claims of Heinsen 2019 (EM routing)."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from numpy import ndarray

from core import manifest
from core.analysis.poses import compare_with_first
from core.analysis.readout import summarize
from core.analysis.verdict import judge_direction
from core.ledger.claim import COUNT, Claim, Measured, checkpoint_claim, compare_share, differs_of, observed
from core.measured import store

PAPER, TOYS = "EM routing", "em-smallnorb"
CLOSE = 0.005  # relative tolerance for numbers that the paper calls approximate
NEAR_1 = 0.1  # tolerance of a ratio of norms
STAYS = 0.02  # a cosine that rises by less than this is said to stay
ON_PHOTOGRAPHS = 0.991  # the paper's accuracy on smallNORB's photographs (table 2)
PHOTOGRAPHS = "only 20 photographs, ten of them of one car; the network learned from rendered toys"


def _parameters(count: Callable[[], int], theirs: int) -> Measured:
    """Observe whether a network has about as many parameters as the paper's."""
    ours = count()
    return observed(f"{ours:,}", abs(ours - theirs) <= CLOSE * theirs)


def _count_for_smallnorb() -> int:
    """The parameters of the shipped network for smallNORB."""
    return manifest.describe(TOYS).metrics.parameters


def _count_for_sst(n_classes: int) -> int:
    """The parameters of the network over GPT-2 large, which has 37 layers with 1,280 components."""
    from core.models import EMSST, EMSSTConfig  # imports PyTorch
    from core.training.metrics import count_parameters

    return count_parameters(EMSST(EMSSTConfig(n_layers=37, d_hidden=1280, n_classes=n_classes, d_detect=64)))


def _norms(turned: str) -> Measured | None:
    """Measure how far the norms of pose vectors deviate from those in the first view, over all test toys."""
    arrays = store.read("poses", TOYS)
    if arrays is None:
        return None
    ratios = np.nanmean(compare_with_first(arrays[turned]).norm, axis=(0, 2))
    text = f"mean norm over toys, divided by the first view's: {ratios.min():.2f} to {ratios.max():.2f}"
    return observed(text, bool(np.abs(ratios - 1).max() <= NEAR_1), f"the rule: 1 plus or minus {NEAR_1} is near 1")


def _return() -> Measured | None:
    """Measure how much nearer to the first azimuth's poses the last azimuth's are than the opposite azimuth's."""
    arrays = store.read("poses", TOYS)
    if arrays is None:
        return None
    distance = np.nanmean(compare_with_first(arrays["azimuth"]).distance, axis=2)
    text = "the distance to the first pose vector v is smaller at 340 degrees than at 180, by {:.2f} of the norm of v"
    return _over_toys(text, distance[:, distance.shape[1] // 2] - distance[:, -1])


def _angle_returns() -> Measured | None:
    """Measure how much higher the cosine to the first pose vector is at the last azimuth than at the opposite one."""
    arrays = store.read("poses", TOYS)
    if arrays is None:
        return None
    cosine = np.nanmean(compare_with_first(arrays["azimuth"]).cosine, axis=2)
    text = "the cosine to the first pose vector is larger at 340 degrees than at 180, by {:.2f}"
    return _over_toys(text, cosine[:, -1] - cosine[:, cosine.shape[1] // 2])


def _over_toys(text: str, values: ndarray) -> Measured:
    """Judge the claim that a mean over toys is above 0; ``text`` has a placeholder for the mean."""
    from scipy.stats import ttest_1samp  # half a second to import

    low, high = map(float, ttest_1samp(values, 0.0).confidence_interval())
    return Measured(text.format(values.mean()), judge_direction(low, high), low, high)


def _angle_stays() -> Measured | None:
    """Test whether the angle to the first pose vector grows as the camera rises, and does not shrink again."""
    arrays = store.read("poses", TOYS)
    if arrays is None:
        return None
    cosine = np.nanmean(compare_with_first(arrays["elevation"]).cosine, axis=(0, 2))
    text = f"the smallest cosine to the first pose vector is {cosine.min():.2f}; at 70 degrees, it is {cosine[-1]:.2f}"
    return observed(text, bool(cosine[-1] - cosine.min() < STAYS < 1 - cosine[-1]))


def _graphics() -> Measured | None:
    """Measure how well a linear readout predicts a toy's direction from its poses, and from the pixels."""
    arrays = store.read("readout", TOYS)
    if arrays is None:
        return None
    rows = pd.DataFrame({name: values for name, values in arrays.items() if values.ndim})
    linear = summarize(rows[rows["method"] == "linear"]).query("category == 'all'")
    r2 = linear.set_index(["network", "features", "direction"])["r2"].sort_index()
    directions = sorted(set(linear["direction"]))
    poses, pixels = (r2[source][directions].tolist() for source in ((TOYS, "poses"), ("none", "pixels")))
    shown = " and ".join(
        f"{name} {pose:.2f} (pixels {pixel:.2f})" for name, pose, pixel in zip(directions, poses, pixels, strict=True)
    )
    is_more = all(pose > pixel for pose, pixel in zip(poses, pixels, strict=True))
    return observed(
        f"R² of a linear readout of poses: {shown}", is_more, "the rule: the R² of poses is above that of pixels"
    )


def _photographs() -> Measured | None:
    """The share of our photographs that the shipped network classifies correctly."""
    try:
        photographs = manifest.describe(TOYS).metrics.photographs
    except ValueError:
        return None
    if photographs.interval is None:
        return None
    return compare_share(
        f"{TOYS}: {photographs.n_right} of {photographs.n}, {photographs.accuracy:.0%}",
        photographs.interval,
        ON_PHOTOGRAPHS,
        PHOTOGRAPHS,
    )


def _poses_claim(place: str, claim: str, theirs: str, measure: Callable[[], Measured | None]) -> Claim:
    """A claim that the poses of all test toys can judge."""
    command = f"python -m core.measured poses {TOYS} --data DIR"
    return Claim(PAPER, place, claim, theirs, command, f"{TOYS}/poses.npz", measure, differs=differs_of(TOYS))


SST_FILE, HOW_COUNTED = "../core/models/em_sst.py", "python -m pytest tests/core/models/test_em_sst.py"

CLAIMS = (
    Claim(
        PAPER,
        "table 2",
        "Parameters of the smallNORB network",
        "272,000",
        f"python -m core.training {TOYS} --data DIR",
        f"{TOYS}/metrics.json",
        partial(_parameters, _count_for_smallnorb, 272_000),
        kind=COUNT,
    ),
    checkpoint_claim(PAPER, "table 3", "Accuracy on SST-5 (ours reads MiniLM, not GPT-2 large)", "em-sst5"),
    checkpoint_claim(PAPER, "table 4", "Accuracy on SST-2 (ours reads MiniLM, not GPT-2 large)", "em-sst2"),
    checkpoint_claim(PAPER, "table 3", "Accuracy on SST-5 (ours reads SmolLM2, not GPT-2 large)", "em-lm-sst5"),
    checkpoint_claim(PAPER, "table 4", "Accuracy on SST-2 (ours reads SmolLM2, not GPT-2 large)", "em-lm-sst2"),
    Claim(
        PAPER,
        "section 5.1",
        "Parameters of the SST network over GPT-2 large",
        "140,000",
        HOW_COUNTED,
        SST_FILE,
        partial(_parameters, partial(_count_for_sst, 5), 140_000),
        kind=COUNT,
    ),
    _poses_claim("figure 6", "Pose vectors keep their norms as a toy turns", "near 1", partial(_norms, "azimuth")),
    _poses_claim(
        "figure 7", "Pose vectors keep their norms as the camera rises", "near 1", partial(_norms, "elevation")
    ),
    _poses_claim("figure 6", "After a full turn, pose vectors are nearly the same as at the start", "", _return),
    _poses_claim(
        "figure 6", "As a toy turns, the angle to the first pose vector grows, then shrinks", "", _angle_returns
    ),
    _poses_claim(
        "figure 7",
        "As the camera rises, the angle to the first pose vector grows and does not shrink",
        "",
        _angle_stays,
    ),
    Claim(
        PAPER,
        "section 5",
        "Poses hold the view, a form of “reverse graphics”",
        "",
        f"python -m core.measured readout {TOYS} --data DIR",
        f"{TOYS}/readout.npz",
        _graphics,
        differs=differs_of(TOYS),
    ),
    checkpoint_claim(PAPER, "table 2", "Accuracy on smallNORB's test split (ours reads rendered toys)", TOYS),
    Claim(
        PAPER,
        "table 2",
        "Accuracy on smallNORB's photographs",
        f"{ON_PHOTOGRAPHS:.1%}",
        f"python -m core evaluate {TOYS} --pictures DIR",
        f"{TOYS}/metrics.json",
        _photographs,
    ),
    Claim(
        PAPER,
        "table 3",
        "Accuracy over GPT-2 large on SST-5",
        "58.5%",
        why="we train no network that reads GPT-2 large",
    ),
    Claim(
        PAPER,
        "table 4",
        "Accuracy over GPT-2 large on SST-2",
        "95.6%",
        why="we train no network that reads GPT-2 large",
    ),
)
