"""Offers of edits for DRNN, which can only change words."""

from core.edits import DropInput
from core.traces.drnn import DRNNTrace
from dashboard.whatif.offers import Offer, Subject, offer_word


def subject_of(full: DRNNTrace, steps: int, word: int) -> Subject:
    """The offers for the picked word.

    Args:
        full: trace with all windows, without edits.
        steps: number of windows to show.
        word: index of the picked word.
    """

    def offers(now: DRNNTrace) -> tuple[Offer, ...]:
        return (offer_word(full.tokens, word, drop=DropInput(word)),)

    return Subject(steps, offers, param="window")
