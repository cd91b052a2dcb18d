"""Claims of Guo 2017 (AGT)."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy import ndarray

from core.ledger.claim import Claim, Measured, command_of, of_checkpoint, of_difference, of_mean
from core.measured import store
from core.sweep.papers import ATTENTION

PAPER, SHIPPED = "AGT", "agt-sst5"
NEAR_ZERO = 2  # bins: below .1
MIDDLE = range(6, 11)  # of 15 layers, the first being 1
NOTICED = 0.05  # shares, or words, by which layers differ at least to count as different
AS_SHIPPED = "as shipped, from labels alone"  # the trial with the shipped network's gate bias, which is 1
LEARNED = 0.3  # accuracy on SST-5's dev split above which a network learned: its largest class has .26
ENCOURAGED = 1.2  # words, mean length of phrases from which a network is said to compose

Arrays = Mapping[str, ndarray]


def _ends(arrays: Arrays) -> Measured:
    attention = arrays["attention"]
    low, high = attention[:, [0, -1]].sum(0) / attention.sum()
    return _yes(f"{low:.0%} of the words get less than .05, {high:.0%} more than .95", bool(low + high > 0.5))


def _first_layer(arrays: Arrays) -> Measured:
    top = [str(word) for word in arrays["top_words"][0, :3]]
    return _yes(", ".join(f"“{word}”" for word in top), set(top) == {"n't", "never", "not"})


def _low_layers(arrays: Arrays) -> Measured:
    n_phrases, lengths = _phrases(arrays)
    single = lengths[:, 0] / n_phrases
    middle = single[[layer - 1 for layer in MIDDLE if layer <= len(single)] or [-1]].mean()
    text = f"phrases of one word: {single[0]:.0%} in layer 1, {middle:.0%} in layers 6 to 10"
    return _yes(text, bool(single[0] - middle > NOTICED))


def _middle_layers(arrays: Arrays) -> Measured:
    n_phrases, lengths = _phrases(arrays)
    mean = lengths @ np.arange(1, lengths.shape[1] + 1) / n_phrases
    longest = int(mean.argmax()) + 1
    text = f"layer {longest}, {mean[longest - 1]:.2f} words in the mean; layer 1 {mean[0]:.2f}, the last {mean[-1]:.2f}"
    return _yes(text, bool(longest in MIDDLE and mean[longest - 1] - max(mean[0], mean[-1]) > NOTICED))


def _gates(arrays: Arrays) -> Measured | None:
    gates = arrays["gates"]
    if not len(gates):
        return None
    near_zero = gates[:, :NEAR_ZERO].sum(1) / gates.sum(1)
    middle = near_zero[[layer - 2 for layer in MIDDLE if layer - 2 < len(near_zero)] or [-1]].mean()
    ends = f"layer 2 {near_zero[0]:.0%}, the last {near_zero[-1]:.0%}"
    most = f"most in layer {near_zero.argmax() + 2}, {near_zero.max():.0%}"
    text = f"components below .1: {middle:.0%} in layers 6 to 10; {ends}; {most}"
    return _yes(text, bool(middle - max(near_zero[0], near_zero[-1]) > NOTICED))


def _phrases(arrays: Arrays) -> tuple[ndarray, ndarray]:
    """The number of phrases in each layer, at least 1, and how many have each length."""
    return np.maximum(1, arrays["lengths"].sum(1)), arrays["lengths"]


def _yes(text: str, agrees: bool) -> Measured:
    return Measured(text, "agrees" if agrees else "does not agree")


OBSERVATIONS: tuple[tuple[str, str, Callable[[Arrays], Measured | None]], ...] = (
    ("figure 2", "Most attention weights are near 0 or near 1", _ends),
    ("section 3.1", "The first layer most often selects n't, never, not", _first_layer),
    ("figure 2", "Low layers select single words, higher ones phrases", _low_layers),
    ("figure 2", "The middle layers (8, 9) have the longest phrases", _middle_layers),
    ("figure 3", "Gates are near 0 in the middle layers, away from it at both ends", _gates),
)


def observe(arrays: Arrays) -> list[tuple[str, Measured]]:
    """The paper's observations of its network, and the same of the one with these arrays "selections"."""
    pairs = ((claim, judge(arrays)) for _, claim, judge in OBSERVATIONS)
    return [(claim, here) for claim, here in pairs if here is not None]


def _of_shipped(place: str, claim: str, judge: Callable[[Arrays], Measured | None]) -> Claim:
    """An observation of the shipped network."""

    def measure() -> Measured | None:
        arrays = store.read("selections", SHIPPED)
        return None if arrays is None else judge(arrays)

    command = f"python -m core.measured selections {SHIPPED} --data DIR"
    return Claim(PAPER, place, claim, "", command, f"{SHIPPED}/selections.npz", measure)


def _gate_bias() -> Measured | None:
    """Length of the phrases with a gate bias of 1, from labels alone, and the trial with the longest ones."""
    table = store.read_sweep("composition")
    if table is None:
        return None
    table = table[table["dev"] > LEARNED]
    lengths = {row.trial: float(np.mean(row.lengths)) for row in table.itertuples()}
    right = dict(zip(table["trial"], table["dev"], strict=True))
    if AS_SHIPPED not in lengths:
        return None
    ours, longest = lengths[AS_SHIPPED], max(lengths, key=lengths.__getitem__)
    text = f"{ours:.2f} words on average with a bias of 1; longest: {longest}, {lengths[longest]:.2f}"
    text += f", {right[longest]:.1%} right on the dev split"
    return _yes(text, ours >= ENCOURAGED)


CLAIMS = (
    of_checkpoint(PAPER, "table 1", "AGT's accuracy on SST-5", SHIPPED),
    *(
        of_mean(
            PAPER, "section 3.2", f"Accuracy with attention in {n} of 15 layers", "attention", {"attending": n}, share
        )
        for n, share in ATTENTION.items()
    ),
    of_difference(
        PAPER,
        "section 3.2",
        "Attention in 15 layers is better than in 3",
        "attention",
        {"attending": 15},
        {"attending": 3},
        ATTENTION[15] - ATTENTION[3],
    ),
    of_difference(
        PAPER,
        "section 3.2",
        "Attention in 3 layers is better than in 1",
        "attention",
        {"attending": 3},
        {"attending": 1},
        ATTENTION[3] - ATTENTION[1],
    ),
    *(_of_shipped(*observation) for observation in OBSERVATIONS),
    Claim(
        PAPER,
        "section 3.1",
        "A gate bias of 1 encourages composition",
        "",
        command_of("composition"),
        "sweeps/composition.parquet",
        _gate_bias,
    ),
)
