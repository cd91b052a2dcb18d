"""Sentences on the matched units of two networks."""

import numpy as np

from core.analysis.unit_match import HIGH, Matches

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
