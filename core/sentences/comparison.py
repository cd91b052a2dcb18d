"""Compares routings of the same votes step by step, in sentences: which capsule each chooses, and how decisively."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.analysis.routing import Normalize
from core.quantities import Quantities, array
from core.sentences.findings import in_words
from core.sentences.routing_names import about
from core.sentences.words import capital, listed

DECIDED = 0.05  # least lead of the most active capsule over the second, as a share of its activation
ALIKE = 0.01  # shares that differ by less count as equal


@dataclass(frozen=True, kw_only=True, eq=False)
class Routed(Quantities):
    """A run of one routing.

    name: name such as "standard"; ``core.sentences.routing_names`` has the words for it.
    normalize: "output" if the shares of each input sum to 1, "input" if the shares of each capsule do.
    coupling: c_ij, or R_ij.
    activation: length |v_j|, or f(a_j), from 0 to 1.
    entropy: mean entropy of the shares in bits.
    change: mean share that moved since the previous iteration; 0 at the first.
    objective: agreement sum_ij c_ij v_j . u_ij; for k-means the clustering loss (eq. 8), which usually falls; for EM
        the bang per bit a_j of the leading capsule.
    used, ignored: benefit and cost in each a_j of EM; 0 for other routings.
    logits: b_ij, whose softmax is c_ij: agreements in sum, or the cosine, without its factor K; ln f(a_j) + ln P_ij in
        EM. It is 0 where equal shares come first, and for routings of other names.
    distance: distance of each vote from the mean of the iteration before in EM, in standard deviations; 0 otherwise.
    """

    name: str
    normalize: Normalize
    coupling: Float[ndarray, "t i j"] = array("t i j")
    activation: Float[ndarray, "t j"] = array("t j")
    entropy: Float[ndarray, " t"] = array("t")
    change: Float[ndarray, " t"] = array("t")
    objective: Float[ndarray, " t"] = array("t")
    used: Float[ndarray, "t j"] = array("t j")
    ignored: Float[ndarray, "t j"] = array("t j")
    logits: Float[ndarray, "t i j"] = array("t i j")
    distance: Float[ndarray, "t i j"] = array("t i j")

    @cached_property
    def winners(self) -> list[int | None]:
        """The leading capsule after each iteration; None if none leads."""
        return [leader(activation) for activation in self.activation]

    @property
    def winner(self) -> int | None:
        """The leading capsule after the last iteration."""
        return self.winners[-1]

    def finds_both(self, t: int) -> bool:
        """Whether tied leaders after iteration t have different inputs, so that the routing found both."""
        return self.normalize == "output" and bool(self.entropy[t] < largest_entropy(self) / 2)


def leader(activation: Float[ndarray, " j"]) -> int | None:
    """The most active capsule; None if the second is about as active."""
    first = int(activation.argmax())
    others = [value for j, value in enumerate(activation) if j != first]
    return first if not others or activation[first] - max(others) >= DECIDED * activation[first] else None


def describe_routed(run: Routed, inputs: Sequence[str], outputs: Sequence[str], unit: str) -> list[str]:
    """Describe how a routing distributes the inputs, one sentence per iteration.

    Args:
        run: run of the routing.
        inputs: name of each input in the sentence.
        outputs: name of each capsule.
        unit: name for one of the inputs, such as "word".
    """
    return [_describe_step(run, t, inputs, outputs, unit) for t in range(len(run.coupling))]


def _describe_step(run: Routed, t: int, inputs: Sequence[str], outputs: Sequence[str], unit: str) -> str:
    j, c = run.winners[t], run.coupling[t]
    if j is None:
        first, second = run.activation[t].argsort()[::-1][:2]
        one, other = (f"{run.activation[t, j]:.2f}" for j in (first, second))
        tie = f"{outputs[first]} (activation {one}) and {outputs[second]} ({other})"
        return f"{about(run.name).subject} {'finds both' if run.finds_both(t) else 'is undecided between'} {tie}."
    n_givers = int((c[:, j] > 0.5).sum())
    if run.name == "EM":
        used = _numbered(n_givers, unit)
        ignored = in_words(len(c) - n_givers) if n_givers < len(c) else "none"
        ends = f"using brings {run.used[t, j]:.1f}, ignoring costs {run.ignored[t, j]:.1f}"
        return f"In EM, {outputs[j]} uses {used} and ignores {ignored}: {ends}."
    chosen = f"{about(run.name).subject} chooses {outputs[j]}"
    if run.name == "reversed":
        return f"{chosen}, which takes {_intake(c[:, j], inputs, unit)}."
    i = int(c[:, j].argmax())
    if run.name == "k-means" and c[i, j] < 0.9:
        return f"{chosen} but stays soft: no {unit} gives it more than {c[i, j]:.0%}."
    if np.ptp(c[:, j]) < ALIKE:
        return f"{chosen}: it gets {c[i, j]:.0%} of every {unit}."
    verb = "give" if n_givers > 1 else "gives"
    parts = _numbered(len(c), unit)
    givers = _all(len(c), unit) if n_givers == len(c) else f"{in_words(n_givers) if n_givers else 'none'} of {parts}"
    return f"{chosen}: {givers} {verb} it more than half."


def _intake(shares: ndarray, inputs: Sequence[str], unit: str) -> str:
    """The largest share of a capsule's intake, in words."""
    if shares.max() - shares.min() < ALIKE:
        return f"the same from every {unit}"
    i = int(shares.argmax())
    return f"{shares[i]:.0%} of its intake from {inputs[i]}"


def _all(n: int, unit: str) -> str:
    return f"both {unit}s" if n == 2 else f"all {_numbered(n, unit)}"


def _numbered(n: int, unit: str) -> str:
    return f"{in_words(n)} {unit}{'' if n == 1 else 's'}"


def describe_choices(runs: Sequence[Routed], outputs: Sequence[str]) -> list[str]:
    """Say which capsule each routing chooses, one sentence per iteration."""
    return [_choices(runs, t, outputs) for t in range(len(runs[0].coupling))]


def _choices(runs: Sequence[Routed], t: int, outputs: Sequence[str]) -> str:
    names_by_choice: dict[tuple[str, str], list[str]] = {}
    for run in runs:
        j = run.winners[t]
        if j is not None:
            choice = f"chooses {outputs[j]}", f"choose {outputs[j]}"
        else:
            choice = ("finds both", "find both") if run.finds_both(t) else ("is undecided", "are undecided")
        names_by_choice.setdefault(choice, []).append(run.name)
    if len(names_by_choice) == 1 and len(runs) > 1:
        ((_, plural),) = names_by_choice
        return f"{'Both' if len(runs) == 2 else f'All {in_words(len(runs))}'} routings {plural}."
    parts = [f"{listed(names)} {choice[len(names) > 1]}" for choice, names in names_by_choice.items()]
    sentence = "; ".join(parts)
    return f"{capital(sentence)}."


def describe_differences(runs: Sequence[Routed], inputs: Sequence[str], outputs: Sequence[str]) -> list[str]:
    """Name the input that the routings treat most differently, with its share for the leading capsule, per iteration.

    The shares of an input sum to 1 in most routings, and only those are compared; in the others the sentence says what
    part of the capsule's intake it is.
    """
    return [_difference(runs, t, inputs, outputs) for t in range(len(runs[0].coupling))]


def most_different(runs: Sequence[Routed], t: int) -> tuple[int, int]:
    """The input that the routings treat most differently in iteration t, from 0, and the leading capsule."""
    by_output = [run for run in runs if run.normalize == "output"] or runs
    j = int(np.sum([run.activation[t] for run in by_output], axis=0).argmax())
    return int(np.ptp([run.coupling[t, :, j] for run in by_output], axis=0).argmax()), j


def _difference(runs: Sequence[Routed], t: int, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    i, j = most_different(runs, t)
    shares = [run.coupling[t, i, j] for run in runs if run.normalize == "output"]
    if shares and np.ptp(shares) < DECIDED:
        return f"All give about the same share of {inputs[i]} to {outputs[j]}, {np.mean(shares):.0%}."
    return f"They differ most on {inputs[i]}: {describe_share(runs, t, i, j, outputs)}."


def describe_share(runs: Sequence[Routed], t: int, i: int, j: int, outputs: Sequence[str]) -> str:
    """The share of input i that capsule j gets in each routing, largest first; in reversed routing, of what j takes.

    It is a clause on the input, such as "of it, the house gets 71% in Standard; in Reversed, it is 13% of what the
    house takes".
    """
    by_output = sorted((run for run in runs if run.normalize == "output"), key=lambda run: -run.coupling[t, i, j])
    each = [f"{run.coupling[t, i, j]:.0%} in {about(run.name).title}" for run in by_output]
    clauses = [f"of it, {outputs[j]} gets {listed(each)}"] if each else []
    clauses += [
        f"in {about(run.name).title}, it is {run.coupling[t, i, j]:.0%} of what {outputs[j]} takes"
        for run in runs
        if run.normalize == "input"
    ]
    return "; ".join(clauses)


def describe_sureness(runs: Sequence[Routed]) -> list[str]:
    """Say which routing shares most and least equally, by relative entropy, one sentence per iteration."""
    sentences = []
    for t in range(len(runs[0].coupling)):
        parts = {run.name: run.entropy[t] / largest_entropy(run) for run in runs}
        if len(parts) == 1:
            ((name, part),) = parts.items()
            sentences.append(f"In {about(name).title}, shares have {part:.0%} of the entropy that equal shares have.")
            continue
        first, last = min(parts, key=lambda name: parts[name]), max(parts, key=lambda name: parts[name])
        if parts[last] - parts[first] < ALIKE:
            sentences.append("All routings are equally sure.")
        else:
            entropy = f"its shares have {parts[first]:.0%} of the entropy that equal shares have"
            sentences.append(
                f"{capital(first)} is surest: {entropy}. {capital(last)} is softest, with {parts[last]:.0%}."
            )
    return sentences


def largest_entropy(run: Routed) -> float:
    """The largest possible entropy of the shares of one input or capsule, in bits."""
    return float(np.log2(max(2, run.coupling.shape[2 if run.normalize == "output" else 1])))


@dataclass(frozen=True, eq=False)
class TextVotes:
    """The votes of one text in a network.

    Args:
        votes: u_ij, the vote of input i for output capsule j.
        unit: name for one of the inputs, such as "word".
        inputs, outputs: names of the inputs and of the outputs.
    """

    votes: Float[ndarray, "i j h"]
    unit: str
    inputs: list[str]
    outputs: list[str]
