"""Sentences on the matched units of two networks."""

from collections.abc import Mapping

import numpy as np
from numpy import ndarray

from core.analysis.unit_match import HIGH, Matches
from core.sentences.words import listed

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


def say_stability(kept: Mapping[str, ndarray], u: int, unit: str) -> str:
    """Two sentences on whether a unit comes back in other trainings by the same recipe.

    It does where its match is more like it than by chance, and by ``SPECIFIC`` more than the other units there.

    Args:
        kept: arrays "stability" of ``core.measured.store``.
        u: row of the unit.
        unit: unit in the singular, such as "capsule".
    """
    here, rest, chance = (kept[key][:, u] for key in ("correlation", "others", "by_chance"))
    back = int(((here > chance) & ~(here - rest < SPECIFIC)).sum())  # nan: not matched, or no other units
    of = f"{len(here)} other trainings by the same recipe" if len(here) > 1 else "another training by the same recipe"
    begins = f"It comes back in {f'{back} of ' * (len(here) > 1)}{of}" if back else f"It comes back in none of {of}"
    if len(here) == 1 and not back:
        begins = f"It does not come back in {of}"
    matched = [
        f"{value:.2f} with {unit} {number} of seed {seed}{f' ({other:.2f} with the others)' * bool(other == other)}"
        for value, other, number, seed in zip(here, rest, kept["partner"][:, u], kept["seeds"], strict=True)
        if number
    ]
    return f"{begins}. What it takes has correlation {listed(matched)}." if matched else f"{begins}."
