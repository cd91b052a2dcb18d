"""The verdict of a measurement on a paper's claim."""

from enum import StrEnum


class Verdict(StrEnum):
    """The possible verdicts, from best to worst."""

    REPRODUCED = "reproduced"  # our 95% interval reaches the number, or the claimed direction holds beyond chance
    DOES_NOT_HOLD = "does not hold"  # the interval is below the number, or the opposite direction holds beyond chance
    INCONCLUSIVE = "inconclusive"  # the interval of a difference contains 0: either direction is possible
    OTHER_CONDITIONS = "other conditions"  # our network was trained or tested under other conditions than the paper's
    NOT_MEASURED = "not measured"


def judge_number(theirs: float, high: float, differs: str = "") -> Verdict:
    """Judge a paper's number, such as an accuracy, which is reproduced if our interval contains it or lies above it.

    Args:
        theirs: the paper's number.
        high: upper end of our 95% interval.
        differs: main difference from the paper's conditions. If there is one, the comparison says nothing about the
            paper's claim, whether or not the number is met.
    """
    if differs:
        return Verdict.OTHER_CONDITIONS
    return Verdict.REPRODUCED if theirs <= high else Verdict.DOES_NOT_HOLD


def judge_direction(low: float, high: float) -> Verdict:
    """Judge the claim that a difference is above 0, by the ends of its 95% interval."""
    if low > 0:
        return Verdict.REPRODUCED
    return Verdict.DOES_NOT_HOLD if high < 0 else Verdict.INCONCLUSIVE


def judge_observation(is_true: bool) -> Verdict:
    """Judge an observation of the paper that is either true or false of our networks, by a fixed rule of the caller."""
    return Verdict.REPRODUCED if is_true else Verdict.DOES_NOT_HOLD
