"""Renders fifty procedural toys as smallNORB photographed its own: in stereo, from 162 directions, in six lights."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from core.datasets.toyrig import airplanes, animals, cars, humans, trucks
from core.datasets.toyrig.camera import SETUPS, Stage
from core.datasets.toyrig.mesh import Mesh, assemble

SEED, N_LIGHTS = 0, len(SETUPS)
INSTANCES = {"train": (4, 6, 7, 8, 9), "test": (0, 1, 2, 3, 5)}  # of each category, as smallNORB splits them
MAKERS = (animals.animal, humans.human, airplanes.airplane, trucks.truck, cars.car)
KINDS = tuple(tuple(module.KINDS) for module in (animals, humans, airplanes, trucks, cars))  # names of toys
ELEVATIONS = tuple(range(30, 75, 5))  # degrees above the ground, smallNORB's 0 to 8
AZIMUTHS = tuple(range(0, 360, 20))  # degrees, smallNORB's 0, 2, .. 34


@lru_cache(maxsize=50)
def toy(category: int, instance: int, seed: int = SEED) -> Mesh:
    """Make the mesh of a toy, which takes 0.01 to 0.1 seconds.

    Raises:
        ValueError: there is no such category or instance.
    """
    if not (0 <= category < len(MAKERS) and 0 <= instance < len(KINDS[0])):
        raise ValueError(
            f"There is no toy {instance} of category {category}: "
            f"wanted 0 to {len(KINDS[0]) - 1} of 0 to {len(MAKERS) - 1}"
        )
    return assemble(MAKERS[category](instance, np.random.Generator(np.random.PCG64([seed, category, instance]))))


def photographs(
    category: int,
    instance: int,
    azimuths: Iterable[int] = AZIMUTHS,
    elevations: Iterable[int] = ELEVATIONS,
    seed: int = SEED,
) -> UInt8[ndarray, "elevation azimuth light 2 y x"]:
    """Render a toy from all given directions in the six lights, for the left and the right eye.

    The same arguments give the same bytes.

    Args:
        category: index into ``smallnorb.CLASSES``.
        instance: 0-9.
        azimuths, elevations: in degrees.
        seed: of the toys' random shapes and the noise.

    Raises:
        ValueError: there is no such toy.
    """
    mesh = toy(category, instance, seed)
    elevations = list(elevations)
    views = []
    for azimuth in azimuths:
        stage = Stage(mesh, azimuth)
        views.append([stage.photograph(e, [seed, category, instance, azimuth % 360, e]) for e in elevations])
    return np.stack([np.stack(of_azimuth) for of_azimuth in views], 1)
