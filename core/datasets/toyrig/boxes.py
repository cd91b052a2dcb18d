"""A ray tracer with a tree of bounding boxes, for machines without an Embree wheel: slower, but the same pictures."""

from typing import no_type_check  # Numba cannot compile functions with run-time type checks

import numpy as np
from numba import njit, prange
from numpy import ndarray

from core.datasets.toyrig.hits import Hits

MAX_FACES = 4  # per leaf of the tree
MAX_WAITING = 64  # boxes on a ray's stack
NONE = -1


class Boxes:
    """A ``Tracer`` that is compiled by Numba."""

    def __init__(self, points: ndarray, faces: ndarray):
        corners = points[faces].astype(np.float32)
        self.tree = *_grow(corners), corners

    def hits(self, origins: ndarray, directions: ndarray) -> Hits:
        return Hits(*_trace(np.ascontiguousarray(origins), directions, False, *self.tree))

    def free(self, origins: ndarray, directions: ndarray) -> ndarray:
        return _trace(np.ascontiguousarray(origins), directions, True, *self.tree)[0] == NONE


def _grow(corners: ndarray) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Build the tree of boxes around triangles, depth first.

    Args:
        corners: [face, 3, 3].

    Returns:
        Lower and upper corner of each box; the range in ``order`` that holds its faces; the index of its second child
        (the first child comes right after the box; -1 for a leaf); and the order of the faces.
    """
    low, high = corners.min(1), corners.max(1)
    middle = (low + high) / 2
    order = np.arange(len(corners))
    boxes, spans, children = [], [], []
    waiting = [(0, len(order), NONE)]
    while waiting:
        start, end, parent = waiting.pop()
        inside = order[start:end]
        box = len(boxes)
        boxes.append((low[inside].min(0), high[inside].max(0)))
        spans.append((start, end))
        children.append(NONE)
        if parent != NONE:  # only a second child is recorded in its parent
            children[parent] = box
        if end - start > MAX_FACES:
            axis = np.ptp(middle[inside], axis=0).argmax()
            half = (start + end) // 2
            order[start:end] = inside[np.argsort(middle[inside, axis], kind="stable")]
            waiting += [(half, end, box), (start, half, NONE)]
    return np.array(boxes, np.float32), np.array(spans), np.array(children), order


@njit(parallel=True, cache=True)
@no_type_check
def _trace(origins, directions, any_hit, boxes, spans, children, order, corners):
    """Compute the fields of ``Hits``. With ``any_hit`` a ray stops at the first leaf in which it hits a face."""
    n = len(origins)
    faces, us, vs = np.full(n, NONE), np.zeros(n, np.float32), np.zeros(n, np.float32)
    distances = np.full(n, np.inf, np.float32)
    for ray in prange(n):
        o, d = origins[ray], directions[ray]
        waiting = np.empty(MAX_WAITING, np.int64)
        waiting[0], depth = 0, 1
        while depth:
            depth -= 1
            box = waiting[depth]
            if not _crosses(o, d, boxes[box], distances[ray]):
                continue
            if children[box] != NONE:
                waiting[depth], waiting[depth + 1] = children[box], box + 1
                depth += 2
                continue
            for k in range(spans[box, 0], spans[box, 1]):
                t, u, v = _meets(o, d, corners[order[k]])
                if 0 < t < distances[ray]:
                    faces[ray], distances[ray], us[ray], vs[ray] = order[k], t, u, v
            if any_hit and faces[ray] != NONE:
                break
    return faces, us, vs, distances


@njit(cache=True)
@no_type_check
def _crosses(o, d, box, nearest):
    """Whether a ray enters a box before its nearest hit so far."""
    enter, leave = 0.0, nearest
    for axis in range(3):
        if abs(d[axis]) < 1e-12:  # parallel to the two sides across this axis
            if o[axis] < box[0, axis] or o[axis] > box[1, axis]:
                return False
            continue
        near, far = (box[0, axis] - o[axis]) / d[axis], (box[1, axis] - o[axis]) / d[axis]
        enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
    return enter <= leave * 1.00001 + 1e-6  # tolerant of rounding, so that no face on a side is missed


@njit(cache=True)
@no_type_check
def _meets(o, d, triangle):
    """The distance to a triangle along a ray, -1 if the ray misses it, and u, v (Möller and Trumbore 1997)."""
    a = triangle[0]
    ab, ac = triangle[1] - a, triangle[2] - a
    p = np.array([d[1] * ac[2] - d[2] * ac[1], d[2] * ac[0] - d[0] * ac[2], d[0] * ac[1] - d[1] * ac[0]])
    det = ab[0] * p[0] + ab[1] * p[1] + ab[2] * p[2]
    if abs(det) < 1e-12:  # parallel to the triangle
        return -1.0, 0.0, 0.0
    ao = o - a
    u = (ao[0] * p[0] + ao[1] * p[1] + ao[2] * p[2]) / det
    q = np.array([ao[1] * ab[2] - ao[2] * ab[1], ao[2] * ab[0] - ao[0] * ab[2], ao[0] * ab[1] - ao[1] * ab[0]])
    v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det
    if u < 0 or v < 0 or u + v > 1:
        return -1.0, 0.0, 0.0
    return (ac[0] * q[0] + ac[1] * q[1] + ac[2] * q[2]) / det, u, v
