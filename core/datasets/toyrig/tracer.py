"""Where rays meet a mesh: by Embree, or by a small tree of boxes where Embree has no wheel."""

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

try:
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene
except ImportError:  # Linux on Arm
    EmbreeScene = None


class Hits(NamedTuple):
    """faces: -1 where a ray meets nothing. u, v: the second and third corner's share of the place. distance: along."""

    faces: Int[ndarray, " ray"]
    u: Float[ndarray, " ray"]
    v: Float[ndarray, " ray"]
    distance: Float[ndarray, " ray"]


@runtime_checkable
class Tracer(Protocol):
    """Rays are float32 origins and directions [ray, 3] each."""

    def hits(self, origins: ndarray, directions: ndarray) -> Hits: ...

    def free(self, origins: ndarray, directions: ndarray) -> Bool[ndarray, " ray"]: ...


class Embree:
    def __init__(self, points: ndarray, faces: ndarray):
        self.scene = EmbreeScene()
        TriangleMesh(self.scene, points[faces].astype(np.float32))

    def hits(self, origins: ndarray, directions: ndarray) -> Hits:
        found = self.scene.run(origins, directions, output=True)
        return Hits(found["primID"].astype(int), found["u"], found["v"], found["tfar"])

    def free(self, origins: ndarray, directions: ndarray) -> ndarray:
        return self.scene.run(origins, directions, query="OCCLUDED") == -1


def tracer(points: ndarray, faces: ndarray) -> Tracer:
    """What traces rays against this mesh here."""
    if EmbreeScene is None:
        from core.datasets.toyrig.boxes import Boxes

        return Boxes(points, faces)
    return Embree(points, faces)
