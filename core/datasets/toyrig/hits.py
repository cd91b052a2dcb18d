"""The result of ray tracing, and the interface of both ray tracers."""

from typing import NamedTuple, Protocol, runtime_checkable

from jaxtyping import Bool, Float, Int
from numpy import ndarray


class Hits(NamedTuple):
    """The first face that each ray hits.

    Args:
        faces: index of the face; -1 if there is none.
        u, v: barycentric weights of the face's second and third corner at the hit.
        distance: distance along the ray.
    """

    faces: Int[ndarray, " ray"]
    u: Float[ndarray, " ray"]
    v: Float[ndarray, " ray"]
    distance: Float[ndarray, " ray"]


@runtime_checkable
class Tracer(Protocol):
    """Traces rays against one mesh. Origins and directions are float32 [ray, 3]."""

    def hits(self, origins: ndarray, directions: ndarray) -> Hits:
        """The first face that each ray hits."""

    def free(self, origins: ndarray, directions: ndarray) -> Bool[ndarray, " ray"]:
        """Whether each ray hits no face."""
