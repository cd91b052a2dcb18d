"""The reasons for shares: why a routing gives so much of an input to a capsule, in a sentence with its numbers."""

from collections.abc import Sequence

import numpy as np

from core.sentences.comparison import ALIKE, Routed
from core.sentences.words import capital

NOTHING_YET = "In the first iteration nothing is known, so all shares are equal."


def describe_reasons(run: Routed, i: int, inputs: Sequence[str], outputs: Sequence[str]) -> list[str]:
    """Say why a routing shares an input as it does, one sentence per iteration.

    Args:
        run: run of the routing.
        i: input, from 0.
        inputs, outputs: names of the inputs and the capsules.

    Returns:
        The sentences; "" for a routing that is not one of the four, or if there is nothing to compare.
    """
    say = {"standard": _summed, "reversed": _summed_for_capsule, "k-means": _cosines, "EM": _likelihood}.get(run.name)
    n_competing = run.coupling.shape[2 if run.normalize == "output" else 1]
    if say is None or n_competing < 2:
        return [""] * len(run.coupling)
    begins = [NOTHING_YET] if run.name != "k-means" else []
    return begins + [say(run, t, i, inputs, outputs) for t in range(len(begins), len(run.coupling))]


def most_telling(run: Routed, t: int) -> int:
    """The input with the largest share in iteration t, from 0; in reversed routing, for the most active capsule."""
    shares = run.coupling[t]
    return int((shares[:, run.activation[t].argmax()] if run.normalize == "input" else shares.max(1)).argmax())


def _two_best(run: Routed, t: int, i: int) -> tuple[int, int]:
    """The two capsules that get most of an input, the first one first."""
    first, second = run.coupling[t, i].argsort(kind="stable")[::-1][:2]
    return int(first), int(second)


def _summed(run: Routed, t: int, i: int, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """Standard routing: the agreements of all iterations before."""
    first, second = _two_best(run, t, i)
    x, y = run.logits[t, i, [first, second]]
    verb = f"{capital(inputs[i])} has agreed"
    if run.coupling[t, i, first] - run.coupling[t, i, second] < ALIKE:
        return f"{verb} equally with {outputs[first]} and {outputs[second]} ({x:.2f} in sum)."
    return f"{verb} more with {outputs[first]} ({x:.2f} in sum) than with {outputs[second]} ({y:.2f})."


def _summed_for_capsule(run: Routed, t: int, i: int, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """Reversed routing: the agreements of the leading capsule with this input and with another one."""
    j = int(run.activation[t].argmax())
    c, b = run.coupling[t, :, j], run.logits[t, :, j]
    verb = f"{capital(outputs[j])} has agreed"
    if np.ptp(c) < ALIKE:
        return f"{verb} equally with every input ({b.mean():.2f} in sum)."
    is_most = c.max() - c[i] < ALIKE
    other = int(c.argmin() if is_most else c.argmax())
    more = "more" if is_most else "less"
    return f"{verb} {more} with {inputs[i]} ({b[i]:.2f} in sum) than with {inputs[other]} ({b[other]:.2f})."


def _cosines(run: Routed, t: int, i: int, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """k-means routing: the cosines of this iteration, which replace those before."""
    first, second = _two_best(run, t, i)
    x, y = run.logits[t, i, [first, second]]
    each = f"{x:.2f} with {outputs[first]} and {y:.2f} with {outputs[second]}"
    return f"Cosines do not add up: {inputs[i]} has {each}."


def _likelihood(run: Routed, t: int, i: int, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """EM routing: the term that speaks most for the capsule that gets most: distance, width or activation."""
    first, second = _two_best(run, t, i)
    far = run.distance[t, i]
    active = np.log(run.activation[t - 1].clip(np.finfo(np.float64).tiny))
    narrow = run.logits[t, i] - active + far**2 / 2
    gains = [values[first] - values[second] for values in (-(far**2) / 2, narrow, active)]
    one, other = outputs[first], outputs[second]
    if run.coupling[t, i, first] - run.coupling[t, i, second] < ALIKE:
        both = f"{_sigmas(far[first])} and {_sigmas(far[second])} from their means"
        return f"{capital(inputs[i])} fits {one} and {other} about equally well ({both})."
    says = (
        f"{capital(inputs[i])} votes {_sigmas(far[first])} from {one}'s mean and {_sigmas(far[second])} from {other}'s"
    )
    link = "and" if far[first] < far[second] else "but"
    if gains[0] == max(gains):
        return f"{says}."
    if gains[1] == max(gains):
        return f"{says}, {link} the votes for {one} lie closer together."
    return f"{says}, {link} {one} was more active ({np.exp(active[first]):.2f}, not {np.exp(active[second]):.2f})."


def _sigmas(distance: float) -> str:
    """A distance in standard deviations."""
    return f"{distance:.1f} σ" if distance < 100 else f"{distance:.0f} σ"
