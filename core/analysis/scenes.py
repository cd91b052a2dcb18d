"""Scenes to route without a network: parts in the plane that vote for wholes, and clouds of votes.

A pose is [x, y, s cos, s sin]: a place, a rotation by an angle and a scaling to size s. It is the similarity
z -> a z + p of complex numbers, where p = x + iy and a = s cos + i s sin, so that poses are composed and inverted
exactly. A part of size 1 is about three units wide; y points up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

KINDS = ("triangle", "rectangle", "bar", "semicircle")
WHOLES = ("house", "boat")
MAX_PARTS = 8  # largest number of parts in one scene
D_POSE = 4
Complex = complex | ndarray  # one number, or an array of them
OUTLIER = -1  # cloud index of an input that belongs to no cloud


def pose(x: float, y: float, degrees: float = 0.0, size: float = 1.0) -> Float[ndarray, "4"]:
    """The pose of an object of this size at (x, y), rotated counterclockwise."""
    angle = np.deg2rad(degrees)
    return np.array([x, y, size * np.cos(angle), size * np.sin(angle)])


PLACES = np.array(  # pose of each kind of part within each whole [whole, kind, 4]
    [
        [pose(0, 0.75), pose(0, -0.65), pose(1.0, 1.05), pose(-0.8, -0.9)],  # roof, wall, chimney, door
        [pose(0.95, 0.9), pose(0, -1.25), pose(-0.85, 0.15), pose(-1.15, 1.3, 90)],  # sail, hull, mast, pennant
    ]
)


def compose(outer: Float[ndarray, "*#batch 4"], inner: Float[ndarray, "*#batch 4"]) -> Float[ndarray, "*batch 4"]:
    """Compose two poses: ``inner`` is relative to ``outer``, and the result is in the frame of ``outer``'s parent."""
    (p, a), (q, b) = _complex(outer), _complex(inner)
    return _real(a * q + p, a * b)


def invert(poses: Float[ndarray, "*batch 4"]) -> Float[ndarray, "*batch 4"]:
    """The inverse of each pose: composed with it, the pose is the identity."""
    p, a = _complex(poses)
    return _real(-p / a, 1 / a)


def parts_of(whole: str, kinds: Sequence[str] = KINDS, at: Float[ndarray, "4"] | None = None) -> Float[ndarray, "i 4"]:
    """The poses of parts that form a whole exactly.

    Args:
        whole: one of ``WHOLES``.
        kinds: kinds of the parts, from ``KINDS``.
        at: pose of the whole; upright in the middle, of size 1, unless given.

    Raises:
        ValueError: an unknown whole or kind.
    """
    places = PLACES[_index(whole, WHOLES, "whole"), [_index(kind, KINDS, "kind") for kind in kinds]]
    return compose(pose(0, 0) if at is None else at, places)


def house_or_boat(
    poses: Float[ndarray, "*batch i 4"],
    kinds: Sequence[str] = KINDS,
    dims: int = D_POSE,
    noise: float = 0.0,
    seed: int = 0,
) -> Float[ndarray, "*batch i j dims"]:
    """The votes of parts for a house and a boat: the pose that each whole would have according to this part.

    A vote is the part's pose composed with the inverse of its fixed place in the whole. Parts that form a whole cast
    equal votes for it. A movement of all parts moves all votes in the same way.

    Args:
        poses: poses of the parts.
        kinds: kinds of the parts, from ``KINDS``.
        dims: 4 for poses, 2 for their places [x, y] only.
        noise: standard deviation of the error added to every number in a vote.
        seed: seed of the errors. The errors of a part do not depend on how many parts follow.

    Raises:
        ValueError: poses of another shape or of size 0, an unknown kind, or dims other than 2 and 4.
    """
    poses = np.asarray(poses, dtype=np.float64)
    if poses.ndim < 2 or poses.shape[-2:] != (len(kinds), D_POSE) or not len(kinds):
        raise ValueError(f"poses has shape {list(poses.shape)}, wanted [.., {len(kinds)}, 4], a row for each kind")
    if not np.isfinite(poses).all() or not (poses[..., 2:] != 0).any(-1).all():
        raise ValueError("poses holds a part of size 0, or a number that is not finite")
    if dims not in (2, D_POSE):
        raise ValueError(f"dims is {dims}, wanted 2 or 4")
    places = PLACES[:, [_index(kind, KINDS, "kind") for kind in kinds]].swapaxes(0, 1)  # [i, j, 4]
    votes = compose(poses[..., None, :], invert(places))
    if noise:
        votes = votes + noise * np.random.default_rng(seed).standard_normal((len(kinds), len(WHOLES), D_POSE))
    return votes[..., :dims]


def directions(votes: Float[ndarray, "*batch i j h"]) -> Float[ndarray, "*batch i j h"]:
    """Votes for wholes as unit vectors, with places measured from the middle of all votes.

    The routings compare votes by dot products, which are largest for equal vectors if all have the same length. With
    these vectors no dot product depends on the position, rotation or size of the scene.
    """
    middle = votes.mean((-3, -2), keepdims=True)
    middle[..., 2:] = 0
    centred = votes - middle
    return centred / np.linalg.norm(centred, axis=-1, keepdims=True).clip(np.finfo(np.float64).tiny)


def means(coupling: Float[ndarray, "*t i j"], votes: Float[ndarray, "i j h"]) -> Float[ndarray, "*t j h"]:
    """The mean vote for each whole, weighted by the shares that it gets; 0 if it gets none."""
    weights = coupling / coupling.sum(-2, keepdims=True).clip(np.finfo(np.float64).tiny)
    return np.einsum("...ij,ijh->...jh", weights, votes)


@dataclass(frozen=True, eq=False)
class Clouds:
    """Votes in clouds, each around a centre.

    votes: [i, j, 2], vote of input i for capsule j. The first capsules belong to the centres, the others are spare.
    members: centre of each input; ``OUTLIER`` if it has none.
    centres: points on a circle around 0.
    """

    votes: Float[ndarray, "i j 2"]
    members: Int[ndarray, " i"]
    centres: Float[ndarray, "centre 2"]

    @property
    def belongs(self) -> Bool[ndarray, "i centre"]:
        """Whether an input belongs to a centre."""
        return self.members[:, None] == np.arange(len(self.centres))


def clouds(
    n_inputs: int = 24,
    n_centres: int = 3,
    spread: float = 0.15,
    outliers: float = 0.0,
    imbalance: float = 0.0,
    scale: float = 1.0,
    spare: int = 0,
    seed: int = 0,
) -> Clouds:
    """Make inputs that each belong to one centre. Votes for that centre are close to it; other votes fall anywhere.

    Args:
        n_inputs: number of inputs.
        n_centres: number of centres, each with a capsule.
        spread: standard deviation of the votes around their centre; the centres are at distance 1 from 0.
        outliers: share of the inputs without a centre; all their votes fall anywhere, up to 2 from 0.
        imbalance: share by which each cloud is smaller than the previous one; 0 for clouds of equal size.
        scale: factor of all votes.
        spare: number of further capsules, without a centre; all votes for them fall anywhere, up to 2 from 0.
        seed: random seed.

    Raises:
        ValueError: a count below 1, a share that is not between 0 and 1, or a negative spread, scale or spare.
    """
    _check_clouds({"n_inputs": n_inputs, "n_centres": n_centres, "spare": spare}, spread, outliers, imbalance, scale)
    draw = np.random.default_rng(seed)
    angles = np.pi / 2 + 2 * np.pi * np.arange(n_centres) / n_centres
    centres = np.stack([np.cos(angles), np.sin(angles)], -1)
    n_outliers = round(outliers * n_inputs)
    bounds = np.cumsum((1 - imbalance) ** np.arange(n_centres))
    places = (np.arange(n_inputs - n_outliers) + 0.5) / max(1, n_inputs - n_outliers)
    members = np.concatenate([np.searchsorted(bounds / bounds[-1], places), np.full(n_outliers, OUTLIER)])
    votes = _anywhere(draw, n_inputs, n_centres)
    votes[members == OUTLIER] *= 2
    near = centres + spread * draw.standard_normal((n_inputs, n_centres, 2))
    belongs = members[:, None] == np.arange(n_centres)
    votes = np.concatenate([np.where(belongs[..., None], near, votes), 2 * _anywhere(draw, n_inputs, spare)], 1)
    return Clouds(scale * votes, members, scale * centres)


def _anywhere(draw: np.random.Generator, n_inputs: int, n_capsules: int) -> Float[ndarray, "i j 2"]:
    """Random places in the disc of radius 1."""
    radius, turn = np.sqrt(draw.random((n_inputs, n_capsules))), 2 * np.pi * draw.random((n_inputs, n_capsules))
    return radius[..., None] * np.stack([np.cos(turn), np.sin(turn)], -1)


def _check_clouds(counts: dict[str, int], spread: float, outliers: float, imbalance: float, scale: float) -> None:
    for name, count in counts.items():
        smallest = 0 if name == "spare" else 1
        if count < smallest:
            raise ValueError(f"{name} is {count}, wanted at least {smallest}")
    for name, share in (("outliers", outliers), ("imbalance", imbalance)):
        if not 0 <= share < 1:
            raise ValueError(f"{name} is {share}, wanted from 0 to below 1")
    for name, size in (("spread", spread), ("scale", scale)):
        if not 0 <= size < np.inf:
            raise ValueError(f"{name} is {size}, wanted 0 or more")


def _index(name: str, names: Sequence[str], argument: str) -> int:
    if name not in names:
        raise ValueError(f"{argument} is {name!r}, wanted one of {', '.join(names)}")
    return names.index(name)


def _complex(poses: ndarray) -> tuple[Complex, Complex]:
    """The numbers p and a of each pose."""
    return poses[..., 0] + 1j * poses[..., 1], poses[..., 2] + 1j * poses[..., 3]


def _real(p: Complex, a: Complex) -> ndarray:
    """The pose with the numbers p and a."""
    p, a = np.broadcast_arrays(p, a)
    return np.stack([p.real, p.imag, a.real, a.imag], -1)
