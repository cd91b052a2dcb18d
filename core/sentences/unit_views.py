"""Sentences on a part of a network of toys: what its pose follows, and from where its score is highest."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from core.analysis.unit_views import FACTORS, Explained
from core.sentences.words import listed

ViewArrays = Mapping[str, ndarray]  # the arrays "views" of ``core.measured.store``
AZIMUTH = FACTORS.index("azimuth")


def follows(kept: ViewArrays) -> ndarray:
    """Whether each component of each part's pose follows each factor, [factor, u, h]."""
    return Explained(*(kept[name] for name in Explained._fields)).follows


def followed(kept: ViewArrays, u: int) -> dict[str, list[int]]:
    """The numbers, from 1, of the components of a part's pose that follow each factor."""
    return {
        factor: (np.flatnonzero(of_part) + 1).tolist()
        for factor, of_part in zip(FACTORS, follows(kept)[:, u], strict=True)
    }


def varies(kept: ViewArrays, u: int) -> bool:
    """Whether a part's pose differs between views."""
    return bool(kept["own"][:, u].any())


def say_pose(kept: ViewArrays, u: int) -> str:
    """Sentences on what the components of a part's pose follow, and on the one that the azimuth explains best.

    Args:
        kept: arrays of all parts.
        u: row of the part.
    """
    counts, n = follows(kept)[:, u].sum(1).tolist(), kept["share"].shape[2]
    if not varies(kept, u):
        return "Its pose is the same in all pairs, so it follows nothing."
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
            f"The azimuth explains component {h + 1} best: {share:.0%} of its variance in toys that were left out "
            f"({low:.0%} to {high:.0%}; by chance up to {chance:.0%})."
        )
    else:
        says = (
            f"The azimuth explains at most {max(share, 0):.0%} of a component's variance in toys that were left out "
            f"(component {h + 1}; by chance up to {chance:.0%})."
        )
    return f"{says} A curve for each toy by itself explains {own:.0%}."


def say_activation(kept: ViewArrays, u: int) -> str:
    """Sentences on how active a part is, and on the directions from which its score is highest and lowest."""
    least, most = (0.5 + 0.5 * np.tanh(kept["range"][u].astype(float) / 2)).tolist()
    if f"{least:.2f}" == f"{most:.2f}":
        is_on = {"1.00": "fully active", "0.00": "off"}.get(f"{most:.2f}", "equally active")
        says = f"It is {is_on} in all pairs: f(a) is {most:.2f}."
    else:
        says = f"Its activation f(a) is {least:.2f} to {most:.2f}."
    mean = kept["score"][u].astype(float)
    ends = [np.unravel_index(k, mean.shape) for k in (mean.argmax(), mean.argmin())]
    highest, lowest = (f"{_direction(kept, at)} ({say_score(mean[at])})" for at in ends)
    return f"{says} Its score a is highest from {highest} and lowest from {lowest}, as means over toys and lights."


def say_score(score: float) -> str:
    """A score with three digits or more."""
    return f"{score:,.0f}" if abs(score) >= 100 else f"{score:.1f}" if abs(score) >= 10 else f"{score:.2f}"


def _direction(kept: ViewArrays, at: Sequence[np.intp]) -> str:
    return f"azimuth {kept['azimuths'][at[1]]}°, elevation {kept['elevations'][at[0]]}°"
