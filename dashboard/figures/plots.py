"""Functions that draw a figure of a trace; ``dashboard.figures.kinds`` lists those of each kind."""

import numpy as np

from core.trace import Trace
from core.traces.agt import AGTTrace
from core.traces.cccaps import CCCapsTrace
from core.traces.dragg import DocumentTrace, DRAggTrace, OneRoutingTrace
from core.traces.drnn import DRNNTrace
from core.traces.em import EMPictureTrace, EMPlacesTrace, EMTextTrace
from dashboard.figures.attention import attention_heatmap
from dashboard.figures.codes import contribution_heatmap
from dashboard.figures.em import credit_heatmap, part_heatmap
from dashboard.figures.figure import Figure
from dashboard.figures.lines import lines_over
from dashboard.figures.pictures import class_over_picture, part_over_picture
from dashboard.figures.routing import coupling_heatmap, feature_heatmap
from dashboard.figures.windows import wins_heatmap

PictureTrace = EMPictureTrace | EMPlacesTrace


def probabilities(trace: Trace) -> Figure:
    """The class probabilities over the steps of a trace."""
    return lines_over(trace.probabilities, "probability", trace.classes, [0, 1], along=trace.along)


def couplings(trace: OneRoutingTrace | DocumentTrace, picked: bool = True, largest: float | None = None) -> Figure:
    """The coupling coefficients of words, or of sentences for a document.

    Args:
        trace: trace of dynamic routing.
        picked: whether cells can be clicked, and the picked one has a frame.
        largest: largest share of all pictures on this scale; of this one if None.
    """
    if isinstance(trace, DocumentTrace):
        routed, unit, known = trace.of_sentences(), "sentence", None
    else:
        routed, unit, known = trace, "word", trace.known if isinstance(trace, DRAggTrace) else None
    coupling = routed.inputs_to_capsules.coupling
    return coupling_heatmap(coupling, routed.tokens, routed.normalize, unit, picked, known, largest)


def credit(trace: EMTextTrace, largest: float | None = None) -> Figure:
    """The credit of each word for each class through two EM routings.

    Args:
        trace: trace of two EM routings.
        largest: end of the scale; the largest credit if None.
    """
    return credit_heatmap(trace.credit_of_words, trace.tokens, trace.pieces_of_words, trace.classes, largest)


def wins(trace: DRNNTrace, largest: float | None = None) -> Figure:
    """The components that each window wins at each word, and the words that carry its decision.

    Args:
        trace: trace of DRNN.
        largest: end of the scale; the largest number if None.
    """
    return wins_heatmap(trace.wins, trace.tokens, trace.decisive, trace.components, largest, trace.known)


def part_places(
    trace: PictureTrace, part: int | None = None, picture: np.ndarray | None = None, largest: float | None = None
) -> Figure:
    """The places from which a part takes its data.

    Args:
        trace: trace of a pair of pictures.
        part: index of the part; the part that the answer uses most if None.
        picture: picture to draw under the data, uint8 [y, x]; a trace does not hold it.
        largest: end of the scale; the largest value if None.
    """
    places = _by_place(trace)
    part = places.leading_part if part is None else part
    return part_over_picture(picture, places.taken_from, places.centres, part, largest)


def class_places(
    trace: PictureTrace, k: int | None = None, picture: np.ndarray | None = None, largest: float | None = None
) -> Figure:
    """The credit of each place for the score of a class.

    Args:
        trace: trace of a pair of pictures.
        k: index of the class; the most probable one if None.
        picture, largest: as in ``part_places``.
    """
    places = _by_place(trace)
    k = int(trace.class_probabilities.argmax()) if k is None else k
    return class_over_picture(picture, places.credit_by_place, places.centres, trace.classes, k, largest)


def _by_place(trace: PictureTrace) -> EMPlacesTrace:
    """The trace with its numbers summed over the inputs of each place."""
    return trace.by_place() if isinstance(trace, EMPictureTrace) else trace


def parts_to_classes(trace: PictureTrace) -> Figure:
    """D_use of every part for every class."""
    second = trace.parts_to_classes
    return part_heatmap(second.gate[..., None] * second.coupling, trace.classes)


def feature_couplings(trace: CCCapsTrace, picked: bool = True, largest: float | None = None) -> Figure:
    """The coupling coefficients between feature and class capsules. picked, largest: as in ``couplings``."""
    return feature_heatmap(trace.features_to_classes.coupling, trace.classes, picked, largest)


def class_lengths(trace: Trace) -> Figure:
    """The lengths of the class capsules."""
    return lines_over(trace.probabilities, "|v_j|", trace.classes, [0, 1])


def contributions(trace: CCCapsTrace, largest: float | None = None, picked: int | None = None) -> Figure:
    """The contribution of each word to each feature capsule.

    Args:
        trace: trace of CCCaps.
        largest: end of the scale; the largest contribution if None.
        picked: index of the capsule in a frame.
    """
    values = trace.contributions
    largest = largest or max(1e-9, abs(values).max())
    return contribution_heatmap(values, trace.tokens, largest, picked, trace.known)


def attention(trace: AGTTrace, threshold: float | None = None, numbers: bool = True) -> Figure:
    """The attention of every layer to every word.

    Args:
        trace: trace of AGT.
        threshold: share of a layer's largest attention above which a word is selected; the paper's if None.
        numbers: whether cells show their number.
    """
    threshold = trace.THRESHOLD if threshold is None else threshold
    phrases, look = trace.phrases(threshold), {"numbers": numbers, "known": trace.known}
    return attention_heatmap(trace.scaled_attention, trace.tokens, phrases, threshold, trace.n_steps, **look)


def answers(trace: Trace) -> list[str]:
    """The network's name and its answer at each step."""
    return [f"{trace.model}, {answer}" for answer in answers_without_name(trace)]


def answers_without_name(trace: Trace) -> list[str]:
    """The answer at each step: a class, with its probability or the length of its capsule."""
    form = "capsule length {:.2f}" if trace.has_lengths else "{:.1%}"
    edited = f"; edited: {', '.join(trace.edits_in_words())}" if trace.edits else ""
    sentences = []
    for step, values in enumerate(trace.probabilities, 1):
        leader = trace.classes[int(values.argmax())]
        number = form.format(values.max())
        sentences.append(f"{trace.along} {step} of {trace.n_steps}: predicts {leader} ({number}){edited}")
    return sentences


def text_of(trace: Trace) -> str:
    """The text that was read, with single blanks; "" for pictures."""
    text, last_end = "", 0
    for word, (start, end) in zip(trace.tokens, trace.spans, strict=False):
        text += f" {word}" if start > last_end else word
        last_end = end
    return text.strip()
