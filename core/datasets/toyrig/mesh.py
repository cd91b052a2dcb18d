"""The shapes of toys' parts: closed triangle surfaces, assembled into one mesh with smooth normals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

CREASE = 40.0  # degrees between two faces; above it their edge is sharp
Numbers = ndarray | Sequence | float | int  # types that NumPy accepts as an array
N_SIDES = 20  # sides of a round cross-section
AXES = {  # two directions that are perpendicular to each axis
    "x": ((0, 1, 0), (0, 0, 1)),
    "y": ((1, 0, 0), (0, 0, 1)),
    "z": ((0, 1, 0), (1, 0, 0)),
}


class Solid(NamedTuple):
    """A closed surface in any unit of length, because ``assemble`` scales the whole toy."""

    points: Float[ndarray, "v 3"]
    faces: Int[ndarray, "f 3"]


@dataclass(frozen=True)
class Mesh:
    """A toy on the ground z = 0, centred on the z axis.

    Args:
        points: corners of the faces.
        faces: indices of each face's points.
        normals: outward unit normals at the corners of each face.
    """

    points: Float[ndarray, "v 3"]
    faces: Int[ndarray, "f 3"]
    normals: Float[ndarray, "f 3 3"]


def tube(
    path: Numbers,
    width: Numbers,
    height: Numbers | None = None,
    roundness: float = 2.0,
    along: str | None = None,
    n_sides: int = N_SIDES,
) -> Solid:
    """A closed tube that joins cross-sections along a path.

    Args:
        path: centres of the sections [n, 3].
        width, height: half the size of each section; ``height`` is ``width`` unless given.
        roundness: 2 for ellipses, 4 for boxes with round edges.
        along: axis "x", "y" or "z" to which all sections are perpendicular; if None, they turn with the path.
    """
    path = np.asarray(path, float)
    n = len(path)
    width = np.broadcast_to(np.asarray(width, float), n)
    height = width if height is None else np.broadcast_to(np.asarray(height, float), n)
    side, up = AXES[along] if along else _across(path)
    turn = np.arange(n_sides) * 2 * np.pi / n_sides
    # The points of a superellipse.
    c, s = (np.sign(f) * abs(f) ** (2 / roundness) for f in (np.cos(turn), np.sin(turn)))
    sections = (
        path[:, None]
        + np.broadcast_to(side, (n, 3))[:, None] * (width[:, None] * c)[..., None]
        + np.broadcast_to(up, (n, 3))[:, None] * (height[:, None] * s)[..., None]
    )
    points = np.concatenate([sections.reshape(-1, 3), path[:1], path[-1:]])
    # The corners a, b, c, d of each quadrilateral between two sections, which becomes two triangles.
    i, j = (index.ravel() for index in np.indices((n - 1, n_sides)))
    k = (j + 1) % n_sides
    a, b, c, d = i * n_sides + j, i * n_sides + k, (i + 1) * n_sides + k, (i + 1) * n_sides + j
    # The two ends are closed by triangles from their centres.
    ring, after = np.arange(n_sides), (np.arange(n_sides) + 1) % n_sides
    first, last = np.full(n_sides, n * n_sides), np.full(n_sides, n * n_sides + 1)
    end = (n - 1) * n_sides
    faces = [(a, b, c), (a, c, d), (first, after, ring), (last, end + ring, end + after)]
    return make_solid(points, np.concatenate([np.stack(corners, 1) for corners in faces]))


def _across(path: ndarray) -> tuple[ndarray, ndarray]:
    """Two unit vectors perpendicular to the path at each of its points."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-12
    reference = np.array([0, 0, 1.0]) if abs(along[:, 2]).mean() < 0.8 else np.array([-1.0, 0, 0])
    side = np.cross(reference, along)
    side /= np.linalg.norm(side, axis=1, keepdims=True) + 1e-12
    return side, np.cross(along, side)


def limb(start: Numbers, end: Numbers, r_start: float, r_end: float | None = None, roundness: float = 2.0) -> Solid:
    """A rod with round ends, tapering from one radius to the other."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    r_end = r_start if r_end is None else r_end
    along = (end - start) / (np.linalg.norm(end - start) + 1e-12)
    turn = np.linspace(0.08, np.pi / 2, 5)
    path = [start - along * r_start * np.cos(t) for t in turn]
    path += [end + along * r_end * np.cos(t) for t in turn[::-1]]
    return tube(
        path, np.concatenate([r_start * np.sin(turn), r_end * np.sin(turn[::-1])]), roundness=roundness, n_sides=14
    )


def chain(places: Numbers, radii: Numbers, n: int = 24) -> Solid:
    """A smooth rod with round ends through places [k, 3], with one radius per place."""
    return tube(*smooth(places, radii, n))


def smooth(places: Numbers, radii: Numbers, n: int) -> tuple[Float[ndarray, "n 3"], Float[ndarray, " n"]]:
    """The path and the radii of a smooth rod with round ends through places [k, 3], with one radius per place."""
    places, radii = np.asarray(places, float), np.asarray(radii, float)
    from scipy.interpolate import PchipInterpolator

    knots = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1) + 1e-9)])
    steps = np.linspace(0, knots[-1], n)
    path, r = PchipInterpolator(knots, places)(steps), PchipInterpolator(knots, radii)(steps)
    to_end = np.minimum(steps, knots[-1] - steps)
    return path, r * np.sqrt(np.clip(1 - np.clip(1 - to_end / (r + 1e-9), 0, 1) ** 2, 0.02, 1))


def ball(centre: Numbers, radii: Numbers, roundness: float = 2.0) -> Solid:
    """An ellipsoid. A higher ``roundness`` makes it more like a box."""
    centre, radii = np.asarray(centre, float), np.broadcast_to(np.asarray(radii, float), 3)
    turn = np.linspace(0.06, np.pi - 0.06, 12)
    path = centre - np.outer(np.cos(turn), [radii[0], 0, 0])
    shrunk = np.sin(turn) ** (2 / roundness)
    return tube(path, radii[1] * shrunk, radii[2] * shrunk, roundness, "x")


def slab(low: Numbers, high: Numbers, top: tuple[float, float] = (1, 1), shift: float = 0.0) -> Solid:
    """A box between two corners. Its top is scaled by ``top`` in x and y, and shifted in x."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    signs = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
    signs[4:, :2] *= top
    points = (low + high) / 2 + signs * (high - low) / 2
    points[4:, 0] += shift
    quads = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
    return make_solid(points, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]))


def wheel(centre: Numbers, radius: float, width: float) -> Solid:
    """A tyre with a hub. Its axle is along y."""
    x, y, z = np.asarray(centre, float)
    across = np.array([-0.3, -0.42, -0.5, -0.38, 0.38, 0.5, 0.42, 0.3]) * width
    radii = np.array([0.5, 0.62, 0.86, 1, 1, 0.86, 0.62, 0.5]) * radius
    return tube(np.stack([0 * across + x, y + across, 0 * across + z], 1), radii, along="y", n_sides=22)


def wing(root: Numbers, tip: Numbers, chord_root: float, chord_tip: float, thickness: float = 0.09) -> Solid:
    """A blade from root to tip. Chords are along x, and ``thickness`` is a share of the chord."""
    root, tip = np.asarray(root, float), np.asarray(tip, float)
    shares = np.array([0, 0.5, 0.93, 0.98, 1.0])
    chord = (chord_root + (chord_tip - chord_root) * shares) / 2 * [1, 1, 1, 0.9, 0.6]
    upright = bool(abs(tip - root)[2] > abs(tip - root)[1])
    return tube(root + np.outer(shares, tip - root), *_blade(chord, thickness, upright))


def _blade(chord: ndarray, thickness: float, upright: bool) -> tuple:
    """The arguments of ``tube`` for a wing, after its path."""
    thick = np.maximum(chord * thickness, 0.012) * [1, 1, 1, 0.8, 0.4]
    return (thick, chord, 2.0, "z") if upright else (chord, thick, 2.0, "y")


def turned(part: Solid, degrees: float, x: float = 0.0, axis: str = "z") -> Solid:
    """A part rotated about the line through (x, 0, 0) along the z or y axis."""
    if not degrees:
        return part
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]] if axis == "z" else [[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return Solid((part.points - [x, 0, 0]) @ turn.T + [x, 0, 0], part.faces)


def mirrored(make: Callable[[float], Solid], y: float) -> list[Solid]:
    """The parts that ``make`` builds at y and at -y."""
    return [make(y), make(-y)]


def make_solid(points: ndarray, faces: ndarray) -> Solid:
    """Make a part from faces: turn them to face outward, and remove those with zero area."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)
    has_area = np.linalg.norm(area, axis=1) > 1e-9
    faces = faces[has_area]
    if ((a - points.mean(0)) * area)[has_area].sum() < 0:  # the normals point inward
        faces = faces[:, ::-1]
    return Solid(points, faces)


def assemble(parts: list[Solid]) -> Mesh:
    """Join parts into one mesh on the ground, scaled to a radius of 1 around the z axis, or less if it is tall."""
    points = np.concatenate([part.points for part in parts])
    starts = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    faces = np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=True)])
    low, high = points.min(0), points.max(0)
    points = points - [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]]
    points *= 1 / max(np.linalg.norm(points[:, :2], axis=1).max(), 0.62 * points[:, 2].max())
    return Mesh(points, faces, corner_normals(points, faces))


def corner_normals(points: Float[ndarray, "v 3"], faces: Int[ndarray, "f 3"]) -> Float[ndarray, "f 3 3"]:
    """The normal at each corner of each face: the area-weighted mean over adjacent faces within ``CREASE`` degrees."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)
    unit = area / np.linalg.norm(area, axis=1, keepdims=True)
    point_of = faces.ravel()  # corner c belongs to face c // 3
    by_point = np.argsort(point_of, kind="stable")  # corners, grouped by their point
    counts = np.bincount(point_of, minlength=len(points))
    starts = np.cumsum(counts) - counts
    # Pair each corner with every corner at the same point, its own included.
    n_pairs = counts[point_of]
    corner = np.repeat(np.arange(len(point_of)), n_pairs)
    number = np.arange(len(corner)) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
    other_face = by_point[starts[point_of[corner]] + number] // 3
    is_smooth = (unit[corner // 3] * unit[other_face]).sum(1) > np.cos(np.radians(CREASE))
    corner, other_face = corner[is_smooth], other_face[is_smooth]
    total = np.stack([np.bincount(corner, area[other_face, k], len(point_of)) for k in range(3)], 1)
    return (total / np.linalg.norm(total, axis=1, keepdims=True)).reshape(-1, 3, 3)
