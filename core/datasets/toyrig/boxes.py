"""Where rays meet a mesh, by a tree of boxes: for machines that Embree has no wheel for. Slower, the same pictures."""

from typing import no_type_check  # Numba compiles no checked functions

import numpy as np
from numba import njit, prange
from numpy import ndarray

from core.datasets.toyrig.tracer import Hits

LEAF = 4  # faces
DEEPEST = 64  # boxes that wait while a ray is followed
NOT = -1


class Boxes:
    def __init__(self, points: ndarray, faces: ndarray):
        corners = points[faces].astype(np.float32)
        self.tree = *_grow(corners), corners

    def hits(self, origins: ndarray, directions: ndarray) -> Hits:
        return Hits(*_trace(np.ascontiguousarray(origins), directions, False, *self.tree))

    def free(self, origins: ndarray, directions: ndarray) -> ndarray:
        return _trace(np.ascontiguousarray(origins), directions, True, *self.tree)[0] == NOT


def _grow(corners: ndarray) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Boxes' corners, and for each box its first child, or its faces as a range of the order that is returned."""
    low, high = corners.min(1), corners.max(1)
    middle = (low + high) / 2
    order = np.arange(len(corners))
    boxes, spans, children = [], [], []
    waiting = [(0, len(order), NOT)]
    while waiting:
        start, end, parent = waiting.pop()
        mine = order[start:end]
        box = len(boxes)
        boxes.append((low[mine].min(0), high[mine].max(0)))
        spans.append((start, end))
        children.append(NOT)
        if parent != NOT:  # the second child stands right after all of the first
            children[parent] = box
        if end - start > LEAF:
            axis = np.ptp(middle[mine], axis=0).argmax()
            half = (start + end) // 2
            order[start:end] = mine[np.argsort(middle[mine, axis], kind="stable")]
            waiting += [(half, end, box), (start, half, NOT)]
    return np.array(boxes, np.float32), np.array(spans), np.array(children), order


@njit(parallel=True, cache=True)
@no_type_check
def _trace(origins, directions, any_hit, boxes, spans, children, order, corners):
    n = len(origins)
    faces, us, vs = np.full(n, NOT), np.zeros(n, np.float32), np.zeros(n, np.float32)
    distances = np.full(n, np.inf, np.float32)
    for ray in prange(n):
        o, d = origins[ray], directions[ray]
        waiting = np.empty(DEEPEST, np.int64)
        waiting[0], depth = 0, 1
        while depth:
            depth -= 1
            box = waiting[depth]
            if not _crosses(o, d, boxes[box], distances[ray]):
                continue
            if children[box] != NOT:
                waiting[depth], waiting[depth + 1] = children[box], box + 1
                depth += 2
                continue
            for k in range(spans[box, 0], spans[box, 1]):
                t, u, v = _meets(o, d, corners[order[k]])
                if 0 < t < distances[ray]:
                    faces[ray], distances[ray], us[ray], vs[ray] = order[k], t, u, v
            if any_hit and faces[ray] != NOT:
                break
    return faces, us, vs, distances


@njit(cache=True)
@no_type_check
def _crosses(o, d, box, nearest):
    enter, leave = 0.0, nearest
    for axis in range(3):
        if abs(d[axis]) < 1e-12:
            if o[axis] < box[0, axis] or o[axis] > box[1, axis]:
                return False
            continue
        near, far = (box[0, axis] - o[axis]) / d[axis], (box[1, axis] - o[axis]) / d[axis]
        enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
    return enter <= leave * 1.00001 + 1e-6


@njit(cache=True)
@no_type_check
def _meets(o, d, triangle):
    """Distance along the ray and the place in the triangle (Möller and Trumbore 1997); -1 where they do not meet."""
    a = triangle[0]
    ab, ac = triangle[1] - a, triangle[2] - a
    p = np.array([d[1] * ac[2] - d[2] * ac[1], d[2] * ac[0] - d[0] * ac[2], d[0] * ac[1] - d[1] * ac[0]])
    det = ab[0] * p[0] + ab[1] * p[1] + ab[2] * p[2]
    if abs(det) < 1e-12:
        return -1.0, 0.0, 0.0
    ao = o - a
    u = (ao[0] * p[0] + ao[1] * p[1] + ao[2] * p[2]) / det
    q = np.array([ao[1] * ab[2] - ao[2] * ab[1], ao[2] * ab[0] - ao[0] * ab[2], ao[0] * ab[1] - ao[1] * ab[0]])
    v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det
    if u < 0 or v < 0 or u + v > 1:
        return -1.0, 0.0, 0.0
    return (ac[0] * q[0] + ac[1] * q[1] + ac[2] * q[2]) / det, u, v
