"""Sentences on a part of a network of toys: what its pose follows, and from where it is most active."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from core.analysis.unit_views import FACTORS, Explained
from core.sentences.words import listed

ViewArrays = Mapping[str, ndarray]  # the arrays "views" of ``core.measured.store``
AZIMUTH = FACTORS.index("azimuth")
EVEN = 0.1  # difference of the mean activation between directions below which a part is called even


def follows(kept: ViewArrays) -> ndarray:
    """Whether each component of each part's pose follows each factor, [factor, u, h]."""
    return Explained(*(kept[name] for name in Explained._fields)).follows


def followed(kept: ViewArrays, u: int) -> dict[str, list[int]]:
    """The numbers, from 1, of the components of a part's pose that follow each factor."""
    return {
        factor: (np.flatnonzero(of_part) + 1).tolist()
        for factor, of_part in zip(FACTORS, follows(kept)[:, u], strict=True)
    }


def say_pose(kept: ViewArrays, u: int) -> str:
    """Sentences on what the components of a part's pose follow, and on the one that the azimuth explains best.

    Args:
        kept: arrays of all parts.
        u: row of the part.
    """
    counts, n = follows(kept)[:, u].sum(1).tolist(), kept["share"].shape[2]
    return f"{_count(counts, n)} {_say_strongest(kept, u, counts[AZIMUTH] > 0)}"


def _count(counts: Sequence[int], n: int) -> str:
    """One sentence on how many of n components follow each factor."""
    some = [f"{k} follow{'s' * (k == 1)} the {factor}" for k, factor in zip(counts, FACTORS, strict=True) if k]
    none = [f"the {factor}" for k, factor in zip(counts, FACTORS, strict=True) if not k]
    if not some:
        return f"No component of its pose follows the {', the '.join(FACTORS[:-1])} or the {FACTORS[-1]}."
    says = f"Of the {n} components of its pose, {listed(some)}"
    return f"{says}; none follows {' or '.join(none)}." if none else f"{says}."


def _say_strongest(kept: ViewArrays, u: int, follows_it: bool) -> str:
    """Sentences on the component that the azimuth explains best, in toys left out and in each toy by itself."""
    h = int(kept["strongest"][u])
    share, low, high, own = (float(kept[name][AZIMUTH, u, h]) for name in ("share", "low", "high", "own"))
    chance = float(kept["chance"][AZIMUTH, u])
    if follows_it:
        says = (
            f"The azimuth explains most of component {h + 1}: {share:.0%} of its variance in toys that were left out "
            f"({low:.0%} to {high:.0%}; by chance at most {chance:.0%})."
        )
    else:
        says = (
            f"The azimuth explains at most {max(share, 0):.0%} of a component's variance in toys that were left out "
            f"(component {h + 1}; by chance up to {chance:.0%})."
        )
    return f"{says} A curve for each toy by itself explains {own:.0%}."


def say_activation(kept: ViewArrays, u: int) -> str:
    """One sentence on the directions from which a part is most and least active, as a mean over toys and lights."""
    mean = kept["activation"][u].astype(float)
    (high, at_high), (low, at_low) = (
        (mean.flat[k], np.unravel_index(k, mean.shape)) for k in (mean.argmax(), mean.argmin())
    )
    if high - low < EVEN:
        return (
            f"It is about equally active from all directions: {low:.2f} to {high:.2f}, as a mean over toys and lights."
        )
    return (
        f"It is most active from {_direction(kept, at_high)} ({high:.2f}), and least from {_direction(kept, at_low)} "
        f"({low:.2f}), as means over toys and lights."
    )


def _direction(kept: ViewArrays, at: Sequence[np.intp]) -> str:
    return f"azimuth {kept['azimuths'][at[1]]}° and elevation {kept['elevations'][at[0]]}°"
