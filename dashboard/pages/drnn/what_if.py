"""Offers of edits for DRNN, which can only change words."""

from core.edits import DropInput
from core.traces.drnn import DRNNTrace
from dashboard.runs.edits import TextRun
from dashboard.screen.inputs import choose_word
from dashboard.whatif.offers import Offer, Subject, offer_word


def subject_of(name: str, device: str, text: str, steps: int, full: DRNNTrace) -> Subject:
    """The run, with offers for a word.

    Args:
        name, device: name and device of the checkpoint.
        text: text of the run.
        steps: number of windows to show.
        full: trace with all windows, without edits.
    """

    def offers(now: DRNNTrace) -> tuple[Offer, ...]:
        number = choose_word(full.tokens, f"{name} {text}")
        return (offer_word(full.tokens, number, drop=DropInput(number)),)

    run = {"run": TextRun(name, device, text, None), "full": full, "steps": steps}
    return Subject("Components won", **run, offers=offers, param="window")
