"""Reasons not to trust the name of the pair on screen, which stand after the name."""

from dashboard.pages.smallnorb.direction import RoutedPair
from dashboard.pages.smallnorb.views import ToyViews
from dashboard.runs import checkpoints
from dashboard.runs.pictures import ELEVATIONS, Doubt, reason_for_doubt

DO_NOT_TRUST = "Do not trust the name."
BEYOND = "The network was trained at elevations from {low}° to {high}°."
MEASURED = " It misnames {share:.0%} of rendered test toys from {degrees}°, and {usual_share:.0%} from {usual}°."
USUAL = 50  # degrees, in the middle of the trained elevations
UNLIKE = "This pair is unlike those of the training: {reason}."
REASONS = {
    Doubt.FLAT: "it shows hardly anything",
    Doubt.EYES: "its two eyes show different things",
    Doubt.NO_TOY: "it shows no single toy on a plain ground",
}


def doubt_of(name: str, views: ToyViews, seen: RoutedPair) -> tuple[str, str] | None:
    """A warning not to trust the name of the pair on screen, and the reason for it; None if there is no reason.

    Args:
        name: name of the network.
        views: views of the toy.
        seen: pair on screen.
    """
    if views.look is None and (reason := reason_for_doubt(seen.pair)):
        return DO_NOT_TRUST, UNLIKE.format(reason=REASONS[reason])
    if seen.direction and not ELEVATIONS[0] <= seen.direction[1] <= ELEVATIONS[-1]:
        return DO_NOT_TRUST, _describe_elevation(name, seen.direction[1])
    return None


def _describe_elevation(name: str, degrees: int) -> str:
    """Say that a network was not trained at an elevation, and how often it misnames toys there."""
    sentence = BEYOND.format(low=ELEVATIONS[0], high=ELEVATIONS[-1])
    kept = checkpoints.measured("elevations", name)
    if kept is None or not {degrees, USUAL} <= set(kept["degrees"].tolist()):
        return sentence
    wrong = dict(zip(kept["degrees"].tolist(), 1 - kept["right"] / kept["n"], strict=True))
    return sentence + MEASURED.format(degrees=degrees, share=wrong[degrees], usual=USUAL, usual_share=wrong[USUAL])
