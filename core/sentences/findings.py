"""Findings: sentences on what a picture shows, one per step, made from the picture's own numbers.

Functions that describe several steps return one sentence per iteration, layer, window or view. A dull result is stated
as plainly as a striking one.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.analysis.faithfulness import tau
from core.sentences.words import capital, is_punctuation, quote, together

NOTHING = 0.01  # share of the total below which a capsule receives almost nothing
UNDECIDED = 0.01  # most by which the largest share exceeds an equal one while nothing is decided
SAME = 1e-6  # shares that differ by less are equal
HARDLY_MOVES = 0.005  # change of a score that is 0 in the two decimals of a sentence
CONCENTRATED = 0.25  # share of a part's data from one ninth of a picture above which this ninth is named
AREAS = (
    ("upper left", "upper middle", "upper right"),
    ("left side", "middle", "right side"),
    ("lower left", "lower middle", "lower right"),
)
STRESS = (  # largest Stress-1 for each word
    (0.025, "excellent"),
    (0.05, "good"),
    (0.1, "fair"),
    (0.2, "rather poor"),
    (float("inf"), "poor"),
)
ORDERS = (  # least Kendall's tau for each clause
    (0.6, "The largest shares matter most here: size and effect go together"),
    (0.3, "Larger shares tend to matter more here"),
    (0.1, "Larger shares matter hardly more than others here"),
    (-0.1, "Large shares are not the important ones here: size and effect are unrelated"),
    (-1.0, "Large shares are not the important ones here: smaller ones matter more"),
)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def describe_routing(
    coupling: Float[ndarray, "t i j"],
    inputs: Sequence[str],
    outputs: Sequence[str],
    framed: tuple[int, int | None],
    unit: str = "word",
    normalize: Literal["output", "input"] = "output",
) -> list[str]:
    """Say which output collects most, the share in the frame, and which outputs receive almost nothing.

    Args:
        coupling: c_ij, which sums to 1 over j ("output"), or over i ("input", reversed routing).
        inputs: name of each input in the sentence, including quotation marks.
        outputs: name of each output capsule.
        framed: input and output of the framed cell. If an input's whole column is framed, the output is None, and the
            column's largest share is named.
        unit: name for one of the inputs, such as "word".
    """
    describe = _describe_shares if normalize == "output" else _describe_intakes
    i, j = framed
    return [describe(c, inputs, outputs, (i, int(c[i].argmax()) if j is None else j), unit) for c in coupling]


def surest(shares: Float[ndarray, "i j"], inputs: Sequence[str], output: int | None = None) -> tuple[int, int]:
    """The cell with the largest share. Punctuation is ignored, unless there is nothing else.

    Args:
        shares: c_ij of one step.
        inputs: name of each input.
        output: output capsule whose cells are compared; all if None.
    """
    words = _words(inputs)
    if output is not None:
        return int(words[shares[words, output].argmax()]), output
    k, j = np.unravel_index(shares[words].argmax(), (len(words), shares.shape[1]))
    return int(words[k]), int(j)


def _words(inputs: Sequence[str]) -> ndarray:
    """The indices of the inputs that a sentence may name: all but punctuation, unless there is nothing else."""
    words = np.array([not is_punctuation(name) for name in inputs])
    return np.flatnonzero(words if words.any() else ~words)


def is_even(c: ndarray, n: int) -> bool:
    """Whether no share is much larger than an equal one, 1 / n, so that nothing is decided yet.

    Much larger is by ``UNDECIDED``, or by half of an equal share if that is less.
    """
    return bool(c.max() - 1 / n < min(UNDECIDED, 1 / (2 * n)))


def _describe_shares(
    c: ndarray, inputs: Sequence[str], outputs: Sequence[str], framed: tuple[int, int], unit: str
) -> str:
    n, n_outputs = c.shape
    if is_even(c, n_outputs):
        return f"Nothing is decided yet: every {unit} is shared equally among all {n_outputs} capsules."
    shares = c.sum(0) / n
    first = int(shares.argmax())
    i, j = framed
    most = f"{capital(outputs[first])} collects {shares[first]:.0%} of all shares, more than any other capsule"
    own = f"{c[i, j]:.0%} of {inputs[i]} goes to {outputs[j]}"
    if c.max() <= 0.5:
        own += f", and no share is above {c.max():.0%}"
    idle = [outputs[k] for k in np.flatnonzero(shares < NOTHING).tolist()]
    rest = f" {capital(together(idle))} receive{'s' * (len(idle) == 1)} almost nothing." if idle else ""
    return f"{most}. {own}.{rest}"


def _describe_intakes(
    c: ndarray, inputs: Sequence[str], outputs: Sequence[str], framed: tuple[int, int], unit: str
) -> str:
    n, n_outputs = c.shape
    if is_even(c, n):
        return f"Nothing is decided yet: every capsule receives equally from all {n} {unit}s."
    i, j = framed
    same = int((c.argmax(0) == i).sum())  # capsules that receive most from the same input
    capsules = f"all {in_words(n_outputs)}" if same == n_outputs else f"{in_words(same)} of {in_words(n_outputs)}"
    also = f", which is the main source of {capsules} capsules" if same > 1 else ""
    return f"{c[i, j]:.0%} of what {outputs[j]} receives comes from {inputs[i]}{also}."


def describe_places(
    used: Float[ndarray, "t j k"],
    effect: Float[ndarray, "t j k"],
    taken: Float[ndarray, "t row column j"],
    probabilities: Float[ndarray, "t k"],
    benefit: Float[ndarray, "t k"],
    cost: Float[ndarray, "t k"],
    classes: Sequence[str],
    part: int,
    without: Float[ndarray, "t k"] | None = None,
    is_off: bool = False,
    name: str = "",
) -> list[str]:
    """Say which class leads, what its score is made of, how much of a part it uses, and which area feeds this part.

    Args:
        used: D_use of part j for class k.
        effect: net benefit that part j adds to the score of class k; over all parts, they sum to the score.
        taken: D_use of part j at every place in the picture.
        benefit, cost: the terms whose difference is the score: what a class uses adds the first, and what it ignores
            subtracts the second.
        part: index of the part whose places are shown.
        without: scores of a run in which this part is switched off; None to say nothing of it.
        is_off: whether the user has switched this part off.
        name: the part with its name; its number if "".
    """
    sentences, name = [], name or f"part {part + 1}"
    runs = zip(used, effect, taken, probabilities, benefit, cost, strict=True)
    for t, (uses, effects, places, p, plus, minus) in enumerate(runs):
        k = int(p.argmax())
        if np.ptp(uses, axis=1).max() < SAME:
            ahead = f"{capital(classes[k])} is ahead ({p[k]:.0%})"
            sentences.append(f"{ahead}, but all shares are still equal, so this answer says little about the picture.")
            continue
        if p[k] - 1 / len(p) < UNDECIDED:
            sentences.append(f"Nothing is decided yet: no class is more probable than {p[k]:.0%}.")
            continue
        made_of = f"{plus[k]:.2f} comes from parts that it uses and {-minus[k] + 0.0:.2f} from parts that it ignores"
        score = plus[k] - minus[k]
        about_part = f"{capital(name)} is switched off."
        if not is_off:
            moved = "" if without is None else f"; {_describe_switch(score, without[t, k])}"
            takes = f"{capital(name)} takes {_main_area(places[..., part])}."
            about_part = f"{_describe_part(name, uses[part, k], effects[part, k])}{moved}. {takes}"
        ahead = f"{capital(classes[k])} is ahead ({p[k]:.0%}). Of its score of {score:.2f}, {made_of}."
        sentences.append(f"{ahead} {about_part}")
    return sentences


def _describe_part(name: str, used: float, effect: float) -> str:
    """Say how much of a part a class uses, and what this part adds to its score."""
    return f"It uses {used:.0%} of {name}, which {'adds' if effect >= 0 else 'takes'} {abs(effect):.2f} here"


def _describe_switch(before: float, after: float) -> str:
    """Say what happens to the score of the class if the part is switched off."""
    change = after - before
    moves = f"{'falls' if change < 0 else 'rises'} by {abs(change):.2f} (to {after:.2f})"
    if abs(change) < HARDLY_MOVES:
        moves = f"hardly changes ({after:.2f})"
    return f"without it, routing runs again and the score {moves}"


def _main_area(taken: ndarray) -> str:
    """Name the ninth of the picture from which a part takes most of its data [row, column]."""
    if not taken.sum() > 0:
        return "nothing from the picture"
    ninths = [[area.sum() for area in np.array_split(row, 3, 1)] for row in np.array_split(taken, 3, 0)]
    shares = np.array(ninths) / taken.sum()
    row, column = np.unravel_index(shares.argmax(), shares.shape)
    if shares.max() < CONCENTRATED:
        return "data from all over the picture"
    return f"{shares.max():.0%} of its data from the {AREAS[row][column]} of the picture"


def describe_turn(distance: Float[ndarray, "view v"], views: Sequence[str]) -> list[str]:
    """Say for each view how far the pose vectors are from those in the first view, and which is farthest.

    Args:
        distance: distance of each pose vector from the first view's, as a share of the latter's length; NaN if that is
            0.
        views: name of each view.
    """
    sentences = [f"{capital(views[0])}: the other views are compared with this one."]
    for name, moved in zip(views[1:], distance[1:], strict=True):
        if np.isnan(moved).all():
            sentences.append(f"{capital(name)}: the first view's pose vectors are 0, so there is nothing to compare.")
            continue
        v = int(np.nanargmax(moved))
        sentences.append(
            f"{capital(name)}: vector {v + 1} moved furthest, by {moved[v]:.0%} of its length. "
            f"On average, the vectors moved by {np.nanmean(moved):.0%}."
        )
    return sentences


def describe_cuts(
    shares: Float[ndarray, "*cell"],
    lost: Float[ndarray, "*cell"],
    name: str,
    quantity: str,
    costliest: tuple[str, float] | None = None,
) -> str:
    """Say which cut costs most, and whether the cells with the largest shares matter most, by Kendall's tau.

    Args:
        shares: share of each cell.
        lost: fall in a class's log-odds when the cell is cut.
        name: name of the class.
        quantity: name of the shares.
        costliest: the cell whose cut costs most, and its cost in log-odds; None if no cut costs anything.
    """
    begins = f"{quote(name)} loses most without {costliest[0]}: {costliest[1]:.2f} log-odds. " if costliest else ""
    order = tau(shares.ravel(), np.abs(lost).ravel())
    if np.isnan(order):
        return f"{begins}All shares, or all effects, are equal: there is no order to compare."
    verdict = next(words for least, words in ORDERS if order >= least)
    between = f"between {quantity} and effect on {quote(name)}"
    scale = "1 is the same order, 0 an unrelated one, -1 the reverse"
    return f"{begins}{verdict} (Kendall's τ = {order:.2f} {between}; {scale})."


def stress_in_words(stress: float) -> str:
    """Kruskal's word for a Stress-1 (1964), which says how well points preserve the original distances."""
    return next(word for limit, word in STRESS if stress < limit)


def in_words(n: int) -> str:
    """A small number as a word."""
    return NUMBERS[n] if n < len(NUMBERS) else f"{n:,}"
