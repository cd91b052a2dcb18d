"""A small split of toys that are turned once round."""

import json
from itertools import product

import numpy as np

from core.datasets import binary, smallnorb
from core.datasets.smallnorb import Views

VIEWS = [*product(range(5), (0, 1), (0, 2), (0, 12, 24), (0, 3)), (0, 0, 1, 0, 0)]  # two toys of each category


def split(rows=VIEWS):
    """The pairs of these rows in mixed order: category, instance, elevation, azimuth and light."""
    mixed = np.random.default_rng(1).permutation(np.array(rows, np.int32))
    images = np.random.default_rng(0).integers(0, 256, (len(rows), 2, 32, 32), np.uint8)
    return Views(images, mixed[:, 0].copy(), mixed[:, 1:].copy())


def write_split(folder, views, rendered=True):
    """Write the pairs as a test split, and where they come from unless they are photographs."""
    for part, matrix in {"dat": views.images, "cat": views.categories, "info": views.info}.items():
        binary.write_matrix(folder / f"{smallnorb.TEST}-{part}.mat", matrix)
    if rendered:
        (folder / smallnorb.RENDERED).write_text(json.dumps({"source": "rendered by a test", "seed": 0}))
