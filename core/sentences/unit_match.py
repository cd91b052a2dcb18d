"""Sentences on the matched units of two networks."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from core.analysis.unit_match import HIGH, Matches
from core.sentences.words import listed, quote

SOME = {0: "none", 1: "one"}
SPECIFIC = 0.1  # difference from the other units' correlation from which a match says something about this unit


def say_match(matches: Matches, k: int, unit: str, other: str) -> str:
    """One sentence on a pair of units, against chance and against the other units.

    Args:
        matches: pairs of units.
        k: place of the pair.
        unit, other: both units with their numbers, such as "capsule 3".
    """
    here, chance, rest = (float(values[k]) for values in (matches.correlation, matches.by_chance, matches.others))
    begins = f"{unit[:1].upper()}{unit[1:]} is matched with {other}: what they take has correlation {here:.2f}"
    if here <= chance:
        return f"{begins}, no better than chance ({chance:.2f}). No unit that was left there is like it."
    against = f"{begins}; with shuffled words {HIGH:.0%} of the matches stay below {chance:.2f}."
    if np.isnan(rest):
        return against
    if here - rest < SPECIFIC:
        return f"{against} But the other units there are nearly as like it ({rest:.2f} on average)."
    return f"{against} With the other units there it has {rest:.2f} on average."


def say_matches(matches: Matches, unit: str) -> str:
    """One sentence on all pairs. unit: unit of the first network in the singular."""
    better = int((matches.correlation > matches.by_chance).sum())
    n, plural = len(matches.first), f"{unit}{'s' * (len(matches.first) > 1)}"
    return (
        f"{better} of {n} matched {plural} are more alike than by chance; their mean correlation is "
        f"{matches.correlation.mean():.2f}, over {matches.n_words:,} words."
    )


def say_opposite(effects: Sequence[Float[ndarray, "3 k"]], classes: Sequence[str], unit: str) -> str:
    """One sentence on the classes that two units move in opposite directions beyond chance; "" if there are none.

    Args:
        effects: effect of each unit on the classes, and both ends of its interval.
        classes: names of the classes.
        unit: unit in the singular, such as "capsule".
    """
    up, down = (np.stack(ends) for ends in zip(*((each[1] > 0, each[2] < 0) for each in effects), strict=True))
    opposite = np.flatnonzero(up.any(0) & down.any(0))
    if not len(opposite):
        return ""
    moves = [
        f"{quote(classes[k])} ({100 * effects[0][0][k]:+.1f} and {100 * effects[1][0][k]:+.1f} points)"
        for k in opposite
    ]
    return (
        f"But these {unit}s move {listed(moves)} in opposite directions: to take the same words is not to do the same."
    )


def times_back(kept: Mapping[str, ndarray]) -> Int[ndarray, " u"]:
    """The number of other trainings in which each unit comes back.

    It does where its match is more like it than by chance, and by ``SPECIFIC`` more than the other units there.

    Args:
        kept: as in ``say_stability``.
    """
    here, rest, chance = (kept[key] for key in ("correlation", "others", "by_chance"))
    return ((here > chance) & ~(here - rest < SPECIFIC)).sum(0)  # nan: not matched, or no other units


def say_stabilities(kept: Mapping[str, ndarray], unit: str) -> str:
    """One sentence on how many units come back in other trainings. Arguments as in ``say_stability``."""
    back, n = times_back(kept), len(kept["seeds"])
    of = f"{'both' if n == 2 else f'all {n}'} other trainings" if n > 1 else "another training"
    counts = {times: int((back == times).sum()) for times in range(n - 1, -1, -1)}
    in_some = [f"{count} in {SOME.get(times, times)}" for times, count in counts.items() if count]
    n_back = int((back == n).sum())
    in_all = f"{n_back} come{'s' * (n_back == 1)} back in {of}"
    return f"Of the {len(back)} {unit}s that are measured, {listed([in_all, *in_some])}."


def say_stability(kept: Mapping[str, ndarray], u: int, unit: str) -> str:
    """Two sentences on whether a unit comes back in other trainings, as in ``times_back``.

    Args:
        kept: arrays "stability" of ``core.measured.store``.
        u: row of the unit.
        unit: unit in the singular, such as "capsule".
    """
    here, rest, back = kept["correlation"][:, u], kept["others"][:, u], int(times_back(kept)[u])
    of = f"{len(here)} other trainings" if len(here) > 1 else "another training"
    begins = f"It comes back in {f'{back} of ' * (len(here) > 1)}{of}" if back else f"It comes back in none of {of}"
    if len(here) == 1 and not back:
        begins = f"It does not come back in {of}"
    matched = [
        f"{value:.{_digits(value - other)}f} with {unit} {number} of seed {seed}"
        + f" ({other:.{_digits(value - other)}f} with the others)" * bool(other == other)
        for value, other, number, seed in zip(here, rest, kept["partner"][:, u], kept["seeds"], strict=True)
        if number
    ]
    return f"{begins}. What it takes has correlation {listed(matched)}." if matched else f"{begins}."


def _digits(difference: float) -> int:
    """The digits of two correlations whose difference has to be compared with ``SPECIFIC``."""
    return 3 if abs(difference - SPECIFIC) < 0.01 else 2
