"""Renders procedural toys in smallNORB's setup: in stereo, from 162 directions, in six lights.

The test toys are 25 of 50 named toys. In the training split every direction shows a new random toy from the family of
its category, in a new random scene.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from core.datasets.toyrig import airplanes, animals, cars, humans, trucks
from core.datasets.toyrig.camera import SETUPS, Stage
from core.datasets.toyrig.mesh import Mesh, assemble
from core.datasets.toyrig.scene import draw_scene

SEED, N_LIGHTS = 0, len(SETUPS)
DRAWN = 1  # first number in the seeds of drawn toys, so that they share no random numbers with the 50 named ones
INSTANCES = {"train": (4, 6, 7, 8, 9), "test": (0, 1, 2, 3, 5)}  # per category, in smallNORB's split
CATEGORIES = (animals, humans, airplanes, trucks, cars)  # in the order of ``smallnorb.CLASSES``
KINDS = tuple(tuple(category.KINDS) for category in CATEGORIES)  # names of toys
ELEVATIONS = tuple(range(30, 75, 5))  # degrees above the ground, smallNORB's 0 to 8
AZIMUTHS = tuple(range(0, 360, 20))  # degrees, smallNORB's 0, 2, .. 34


@lru_cache(maxsize=50)
def toy(category: int, instance: int, seed: int = SEED) -> Mesh:
    """Make the mesh of a named toy. This takes 0.01 to 0.1 seconds.

    Raises:
        ValueError: there is no such category or instance.
    """
    if not (0 <= category < len(CATEGORIES) and 0 <= instance < len(KINDS[0])):
        raise ValueError(
            f"There is no toy {instance} of category {category}: "
            f"wanted 0 to {len(KINDS[0]) - 1} of 0 to {len(CATEGORIES) - 1}"
        )
    random = np.random.Generator(np.random.PCG64([seed, category, instance]))
    return assemble(CATEGORIES[category].build(CATEGORIES[category].KINDS[KINDS[category][instance]], random))


def drawn_toy(category: int, random: np.random.Generator) -> Mesh:
    """Make the mesh of a random toy from the family of a category."""
    return assemble(CATEGORIES[category].build(CATEGORIES[category].draw(random), random))


def photographs_of_drawn_toys(
    category: int, instance: int, azimuth: int, elevations: Iterable[int], seed: int = SEED
) -> UInt8[ndarray, "elevation light 2 y x"]:
    """Render a new random toy in a new scene for each elevation, in the six lights, for both eyes.

    Arguments as in ``photographs``, but ``instance`` is part of the random seed, not a named toy.
    """
    pictures = []
    for elevation in elevations:
        place = [seed, category, instance, azimuth % 360, elevation]
        random = np.random.Generator(np.random.PCG64([DRAWN, *place]))
        stage = Stage(drawn_toy(category, random), azimuth, draw_scene(random))
        pictures.append(stage.photograph(elevation, place))
    return np.stack(pictures)


def photographs(
    category: int,
    instance: int,
    azimuths: Iterable[int] = AZIMUTHS,
    elevations: Iterable[int] = ELEVATIONS,
    seed: int = SEED,
) -> UInt8[ndarray, "elevation azimuth light 2 y x"]:
    """Render a named toy from all given directions in the six lights, for both eyes.

    The same arguments give the same bytes.

    Args:
        category: index into ``smallnorb.CLASSES``.
        instance: 0-9.
        azimuths, elevations: directions in degrees.
        seed: seed of the toys' random shapes and of the noise.

    Raises:
        ValueError: there is no such toy.
    """
    mesh, azimuths, elevations = toy(category, instance, seed), list(azimuths), list(elevations)

    def photograph(stage: Stage, azimuth: int, elevation: int) -> UInt8[ndarray, "light 2 y x"]:
        return stage.photograph(elevation, [seed, category, instance, azimuth % 360, elevation])

    # Threads suffice because Embree and NumPy release the GIL; one core stays free for other users.
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1)) as threads:
        stages = threads.map(lambda azimuth: Stage(mesh, azimuth), azimuths)
        views = [
            [threads.submit(photograph, stage, azimuth, elevation) for elevation in elevations]
            for azimuth, stage in zip(azimuths, stages, strict=True)
        ]
        return np.stack([np.stack([view.result() for view in of_azimuth]) for of_azimuth in views], 1)
