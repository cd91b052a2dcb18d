"""What a measurement says of a paper's claim."""

from enum import StrEnum


class Verdict(StrEnum):
    """The six verdicts, the best news first."""

    REPRODUCED = "reproduced"  # our 95% interval holds the paper's number, or the claimed direction holds beyond chance
    ABOVE = "above the paper"  # the whole interval is above the paper's number
    DOES_NOT_HOLD = "does not hold"  # the interval is below the number, or the opposite direction holds beyond chance
    INCONCLUSIVE = "inconclusive"  # the interval of a difference holds 0: either direction is possible
    OTHER_CONDITIONS = "other conditions"  # ours learned or was tested under other conditions than the paper's number
    NOT_MEASURED = "not measured"


def of_number(theirs: float, low: float, high: float, differs: str = "") -> Verdict:
    """The verdict on a paper's number, such as an accuracy.

    Args:
        theirs: the paper's number.
        low, high: ends of our 95% interval.
        differs: what differs most from the paper's conditions. Where something does, neither meeting the number nor
            missing it says anything about the paper's claim.
    """
    if differs:
        return Verdict.OTHER_CONDITIONS
    if low <= theirs <= high:
        return Verdict.REPRODUCED
    return Verdict.ABOVE if low > theirs else Verdict.DOES_NOT_HOLD


def of_direction(low: float, high: float) -> Verdict:
    """The verdict on a claim that a difference is above 0, from the ends of its 95% interval."""
    if low > 0:
        return Verdict.REPRODUCED
    return Verdict.DOES_NOT_HOLD if high < 0 else Verdict.INCONCLUSIVE


def of_observation(is_so: bool) -> Verdict:
    """The verdict on an observation that is so here or is not, by a rule that is fixed beside it."""
    return Verdict.REPRODUCED if is_so else Verdict.DOES_NOT_HOLD
