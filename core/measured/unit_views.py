"""Measures the parts of a network of toys over views: where their scores are high, and what their poses follow."""

from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from tqdm import tqdm

from core.analysis import unit_views
from core.checkpoint import Checkpoint
from core.datasets import smallnorb
from core.datasets.smallnorb import Views
from core.networks.arrays import to_array
from core.networks.run import BATCH_SIZE
from core.pictures import thumbnails
from core.pictures.thumbnails import SIDE
from core.quantities import check_finite

STEP = 2  # every second elevation is measured: 30, 40, .. 70 degrees
N_SHOWN = 240  # views whose pictures are kept
GREY, CONTRAST = 128, 3  # no difference between average pictures, and how much larger than it is one is shown
CHUNK = 500  # pictures that are in memory at once
NO_PICTURES = {name: np.zeros(0, np.uint8) for name in ("pictures", "average")}


def measure_test_split(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """The arrays "views" of ``core.measured.store`` on a folder's test split, and a phrase for its pictures.

    Released photographs are licensed, so only their numbers are kept.

    Raises:
        ValueError: the network has no parts, or the split cannot be read or lacks some views.
    """
    views, rendered_by = smallnorb.load(folder, "test"), smallnorb.rendered_by(folder)
    arrays = measure(checkpoint, views, shows_pictures=bool(rendered_by), progress=True)
    n, kind = int(arrays["n"][0]), rendered_by or "as released"
    return arrays, f"{n:,} of the {len(views):,} pairs of pictures of the test split, {kind}"


def measure(checkpoint: Checkpoint, views: Views, shows_pictures: bool, progress: bool = False) -> dict[str, ndarray]:
    """The arrays "views" of ``core.measured.store``.

    Args:
        checkpoint: network for pictures of toys.
        views: split in which every toy has all views.
        shows_pictures: whether to keep small pictures.
        progress: whether to show a progress bar.

    Raises:
        ValueError: the network has no parts, a toy lacks some views, or a number overflows.
    """
    if not hasattr(checkpoint.model, "to_parts") or checkpoint.classes != smallnorb.CLASSES:
        raise ValueError(f"{checkpoint.name} has no parts of smallNORB's toys")
    rows = rows_of_grid(views)
    scores, poses = _run(checkpoint, views, rows.ravel(), progress)
    of_views = poses.reshape(*rows.shape, *poses.shape[1:])
    shares = unit_views.explain(of_views)
    strongest = (shares.share[0] + shares.follows[0]).argmax(1)  # of those that follow it, if any does
    shown = np.random.default_rng(0).permutation(rows.size)[:N_SHOWN]
    tenths = unit_views.nearest_to_tenths(scores, shown)
    toys, degrees = views.categories[rows[:, 0, 0, 0]], smallnorb.directions(views.info[rows.ravel()])
    about = np.stack([views.categories, views.info[:, 0], views.info[:, 3] + 1], 1)[rows.ravel()]
    return {
        "numbers": np.arange(1, scores.shape[1] + 1),
        "elevations": np.unique(degrees[:, 1]).astype(int),
        "azimuths": np.unique(degrees[:, 0]).astype(int),
        "score": scores.reshape(*rows.shape, -1).mean((0, 3)).transpose(2, 0, 1),
        "range": np.stack([scores.min(0), scores.max(0)], 1),
        **{name: array.clip(-1, 1).astype(np.float16) for name, array in shares._asdict().items()},
        "strongest": strongest,
        "curve": _curves(of_views, strongest, toys, len(checkpoint.classes)).astype(np.float16),
        "shown": np.concatenate([about[shown], degrees[shown].astype(int)], 1),
        "tenths": tenths,
        "tenth_score": np.take_along_axis(scores[shown], tenths.T, 0).T,
        **(_pictures(views, rows.ravel(), shown, scores) if shows_pictures else NO_PICTURES),
        "n_toys": np.array(rows.shape[:1]),
        "n": np.array([rows.size]),
    }


def rows_of_grid(views: Views) -> Int[ndarray, "toy elevation azimuth light"]:
    """The numbers of the measured views: of every toy, at every second elevation, in all azimuths and lights.

    Raises:
        ValueError: a toy lacks some of the views that others have.
    """
    category, (instance, elevation, azimuth, light) = views.categories, views.info.T
    measured = np.flatnonzero(elevation % STEP == 0)
    keys = np.stack([10 * category + instance, elevation, azimuth, light])[:, measured]
    found = [np.unique(key) for key in keys]
    order = np.lexsort(keys[::-1])
    every = np.stack(np.meshgrid(*found, indexing="ij")).reshape(len(keys), -1)
    if not np.array_equal(keys[:, order], every):
        raise ValueError("a toy lacks some of the views that other toys have, so its turns cannot be compared")
    if not np.array_equal(10 * found[2], 360 * np.arange(len(found[2])) / len(found[2])):
        raise ValueError("the azimuths are not evenly spaced once round")
    return measured[order].reshape([len(levels) for levels in found])


def _run(
    checkpoint: Checkpoint, views: Views, rows: Int[ndarray, " n"], progress: bool
) -> tuple[Float[ndarray, "n u"], Float[ndarray, "n u h"]]:
    """The score a and the pose of each part after the first routing of each pair.

    Its activation f(a), the logistic of a, is not used, because it can be 1 in all pairs as a computer rounds.
    """
    batches, model = [], checkpoint.model
    with torch.inference_mode():
        for start in tqdm(range(0, len(rows), BATCH_SIZE), disable=not progress, unit="batch", desc="views"):
            pairs = np.asarray(views.images[rows[start : start + BATCH_SIZE]])
            *_, last = model.to_parts.steps(*model.capsules(**checkpoint.inputs(pairs)))
            batches.append((to_array(last.scores), to_array(last.means.flatten(2))))
    scores, poses = (np.concatenate(arrays) for arrays in zip(*batches, strict=True))
    check_finite(scores, poses)
    return scores, poses


def _curves(
    poses: Float[ndarray, "toy elevation azimuth light u h"],
    strongest: Int[ndarray, " u"],
    class_of: Int[ndarray, " toy"],
    n_classes: int,
) -> Float[ndarray, "u k azimuth"]:
    """One component of each unit over the azimuth: the mean of each class's toys, in deviations from a toy's mean.

    The unit is the standard deviation within a toy.
    """
    chosen = np.take_along_axis(poses, strongest[None, None, None, None, :, None], 5)[..., 0].astype(float)
    centred = chosen - chosen.mean((1, 2, 3), keepdims=True)
    deviation = np.sqrt((centred**2).mean((0, 1, 2, 3)))
    curve = centred.mean((1, 3)) / np.where(deviation > 0, deviation, 1)
    return np.stack([curve[class_of == k].mean(0) for k in range(n_classes)]).transpose(2, 0, 1)


def _pictures(
    views: Views, rows: Int[ndarray, " n"], shown: Int[ndarray, " p"], scores: Float[ndarray, "n u"]
) -> dict[str, ndarray]:
    """The left pictures of the shown views, and how their mean differs where a unit's score is highest."""
    is_top = (scores > np.quantile(scores, 0.9, axis=0)).astype(float)
    sums, everything = np.zeros((scores.shape[1], SIDE, SIDE)), np.zeros((SIDE, SIDE))
    for start in range(0, len(rows), CHUNK):
        part = slice(start, start + CHUNK)
        small = thumbnails.shrink(np.asarray(views.images[rows[part], 0]))
        sums += np.tensordot(is_top[part], small, (0, 0))
        everything += small.sum(0, dtype=float)
    average = GREY + CONTRAST * (sums / is_top.sum(0).clip(1)[:, None, None] - everything / len(rows))
    left = thumbnails.shrink(np.asarray(views.images[rows[shown], 0]))
    return {"pictures": thumbnails.pack(left), "average": thumbnails.pack(average.clip(0, 255))}
