"""Renders whole splits into smallNORB's official files."""

import json
import shutil
from pathlib import Path

import joblib
import numpy as np
from numpy import ndarray
from tqdm import tqdm

from core.datasets import binary, smallnorb, toyrig
from core.files import write, writing


def order(split: str) -> tuple[ndarray, ndarray]:
    """The order of a split's pairs: categories [n] and info [n, 4].

    Categories alternate, and everything else is in a fixed random order.
    """
    sizes = len(toyrig.INSTANCES[split]), len(toyrig.ELEVATIONS), len(toyrig.AZIMUTHS), toyrig.N_LIGHTS
    grid = np.indices(sizes).reshape(4, -1).T
    shuffled = np.random.Generator(np.random.PCG64(0)).permutation(grid)
    info = np.repeat(shuffled, len(toyrig.CATEGORIES), 0)
    info[:, 0] = np.array(toyrig.INSTANCES[split])[info[:, 0]]
    info[:, 2] *= 2  # smallNORB numbers azimuths 0, 2, .. 34
    return np.tile(np.arange(len(toyrig.CATEGORIES)), len(shuffled)).astype(np.int32), info.astype(np.int32)


def render(out: Path, split: str, limit: int | None = None) -> None:
    """Render a split into its three official files, and name the renderer in ``smallnorb.RENDERED``.

    Sides of toys that an interrupted run finished are not rendered again.

    Args:
        out: folder to write.
        split: a key of ``INSTANCES``.
        limit: number of pairs; all if None.

    Raises:
        ValueError: the folder holds smallNORB's own files.
    """
    check_free(out)
    categories, info = (a[:limit] for a in order(split))
    scratch = out / f".{split}"
    scratch.mkdir(parents=True, exist_ok=True)
    about = {"source": "rendered by core.datasets.toyrig", "seed": toyrig.SEED}
    write(
        out / smallnorb.RENDERED, json.dumps(about).encode()
    )  # written first, so that the pictures never pass for photographs
    rows: dict[tuple[int, int, int], list[int]] = {}  # by side of a toy: category, instance, azimuth
    for row, side in enumerate(zip(categories.tolist(), *info[:, [0, 2]].T.tolist(), strict=True)):
        rows.setdefault(side, []).append(row)
    jobs = []
    for side, of_side in rows.items():
        name = "-".join(map(str, (*side, len(of_side))))  # another limit gives another number of pairs
        jobs.append((scratch / f"{name}.npy", *side, info[of_side]))
    missing = [job for job in jobs if not job[0].exists()]
    work = joblib.Parallel(n_jobs=-1, return_as="generator_unordered")(
        joblib.delayed(_render_side)(*job) for job in missing
    )
    list(tqdm(work, total=len(missing), desc=split, unit="side"))
    images = np.empty((len(info), 2, 96, 96), np.uint8)
    for path, *side, _ in jobs:
        images[rows[tuple(side)]] = np.load(path)
    stem = smallnorb.STEMS[split]
    for role, matrix in (("dat", images), ("cat", categories), ("info", info)):
        binary.write_matrix(out / f"{stem}-{role}.mat", matrix)
    shutil.rmtree(scratch)


def check_free(out: Path) -> None:
    """Raise ValueError if the folder holds smallNORB's own files."""
    if not (out / smallnorb.RENDERED).exists() and any(out.glob("smallnorb-5x*-dat.mat*")):
        raise ValueError(f"{out} holds smallNORB's own files: name another folder")


def _render_side(path: Path, category: int, instance: int, azimuth: int, info: ndarray) -> None:
    """Render one side of a toy in the order of ``info`` and write the pairs to a file, under a temporary name first."""
    elevations = np.unique(info[:, 1])
    degrees = [toyrig.ELEVATIONS[e] for e in elevations]
    if instance in toyrig.INSTANCES["train"]:
        pictures = toyrig.photographs_of_drawn_toys(category, instance, 10 * azimuth, degrees)
    else:
        pictures = toyrig.photographs(category, instance, [10 * azimuth], degrees)[:, 0]
    images = pictures[np.searchsorted(elevations, info[:, 1]), info[:, 3]]
    with writing(path) as part, part.open("wb") as file:
        np.save(file, images)
