"""Chooses the ray tracer: Embree, or ``Boxes`` on machines without an Embree wheel."""

from importlib.util import find_spec

import numpy as np
from numpy import ndarray

from core.datasets.toyrig.hits import Hits, Tracer

HAS_EMBREE = find_spec("embreex") is not None  # there is no wheel for Linux on Arm


class Embree:
    """A ``Tracer`` that uses Intel's Embree."""

    def __init__(self, points: ndarray, faces: ndarray):
        from embreex.mesh_construction import TriangleMesh
        from embreex.rtcore_scene import EmbreeScene

        self.scene = EmbreeScene()
        TriangleMesh(self.scene, points[faces].astype(np.float32))

    def hits(self, origins: ndarray, directions: ndarray) -> Hits:
        result = self.scene.run(origins, directions, output=True)
        return Hits(result["primID"].astype(int), result["u"], result["v"], result["tfar"])

    def free(self, origins: ndarray, directions: ndarray) -> ndarray:
        return self.scene.run(origins, directions, query="OCCLUDED") == -1


def make_tracer(points: ndarray, faces: ndarray) -> Tracer:
    """Make the fastest tracer on this machine, for a mesh of points [v, 3] and faces [f, 3]."""
    if not HAS_EMBREE:
        from core.datasets.toyrig.boxes import Boxes  # numba takes a second to import

        return Boxes(points, faces)
    return Embree(points, faces)
