"""The shares by which a text is shaded next to the main picture of a network."""

from typing import NamedTuple

import numpy as np

from core.trace import Trace
from core.traces.agt import AGTTrace
from core.traces.cccaps import CCCapsTrace
from core.traces.dragg import DocumentTrace, OneRoutingTrace
from core.traces.drnn import DRNNTrace
from core.traces.em import EMTextTrace
from dashboard.theme import FOR_AND_AGAINST


class Shaded(NamedTuple):
    """Lines of text with shaded words.

    Attributes:
        shares: shares from 0 to 1, [t, i, line].
        notes: headings of the lines, [t][line].
        bars: values from 0 to 1 below the headings, [t, line]; None if there are no bars.
        arms: arm of the diverging ramp of each line shown at once, if the shares are of signed numbers.
        by: "row" or "column" if each row or column of the picture has lines of its own, otherwise "".
    """

    shares: np.ndarray
    notes: list[list[str]]
    bars: np.ndarray | None = None
    arms: tuple[str, ...] | None = None
    by: str = ""

    @property
    def shown_at_once(self) -> int:
        """The number of lines on the screen."""
        if not self.by:
            return self.shares.shape[2]
        return len(self.arms) if self.arms else 1


def shaded(trace: Trace) -> Shaded | None:
    """The lines of a trace; None for a kind of network whose text is not shaded."""
    match trace:
        case OneRoutingTrace() | DocumentTrace():
            return _by_capsule(trace)
        case CCCapsTrace():
            return _by_contribution(trace)
        case EMTextTrace():
            return by_credit(trace)
        case AGTTrace():
            return _by_attention(trace)
        case DRNNTrace():
            return decisive(trace)
    return None


def _by_capsule(trace: OneRoutingTrace | DocumentTrace) -> Shaded:
    """A line for each capsule, shaded by its shares."""
    routed = (trace.of_sentences() if isinstance(trace, DocumentTrace) else trace).inputs_to_capsules
    lengths = routed.activation
    notes = [[f"Capsule {j} · length |v| {v:.2f}" for j, v in enumerate(row, 1)] for row in lengths]
    return Shaded(routed.coupling, notes, bars=lengths, by="row")


def _by_contribution(trace: CCCapsTrace) -> Shaded:
    """Two lines for each feature capsule: the words that add to it, and those that take from it."""
    signed = np.stack([trace.contributions, -trace.contributions], 2).clip(min=0)  # [word, feature, 2]
    shares = signed / np.maximum(1e-9, signed.max((0, 2), keepdims=True))
    notes = [f"{verb} capsule {i + 1}" for i in range(shares.shape[1]) for verb in ("Adds to", "Takes from")]
    return Shaded(shares.reshape(1, len(shares), -1), [notes], arms=FOR_AND_AGAINST, by="column")


def by_credit(trace: EMTextTrace) -> Shaded:
    """Two lines: the credit of words for and against the leading class of each iteration.

    The shares are those of the largest credit for any class, so the lines have the scale of the main picture.
    """
    leading = trace.probabilities.argmax(1)
    credit = np.take_along_axis(trace.credit_of_words, leading[:, None, None], axis=2)  # [t, word, 1]
    signed = credit / max(1e-9, float(np.abs(trace.credit_of_words).max()))
    notes = [[f"For {trace.classes[k]}", f"Against {trace.classes[k]}"] for k in leading]
    return Shaded(np.concatenate([signed, -signed], axis=2).clip(min=0), notes, arms=FOR_AND_AGAINST)


def _by_attention(trace: AGTTrace) -> Shaded:
    """A line, shaded by the attention of each layer, or plain if the layer has none."""
    n_selected = [sum(end - start for start, end in of_layer) for of_layer in trace.phrases()]
    shares = np.pad(trace.scaled_attention, ((0, trace.n_steps - len(n_selected)), (0, 0)))[:, :, None]
    notes = [[f"Layer {n} · {words} selected"] for n, words in enumerate(n_selected, 1)]
    notes += [[f"Layer {n} has no attention"] for n in range(len(n_selected) + 1, trace.n_steps + 1)]
    return Shaded(shares, notes)


def decisive(trace: DRNNTrace) -> Shaded:
    """A line, in which the words are shaded that carry the decision of each window."""
    shares, notes = np.zeros((trace.n_steps, len(trace.tokens), 1)), []
    for k, (start, end) in enumerate(trace.decisive):
        shares[k, start:end] = 1
        n_words = int(trace.phrasing.is_word[start:end].sum())
        notes.append([f"Window {k + 1} · {n_words} word" + "s" * (n_words != 1)])
    return Shaded(shares, notes)
