"""Claims of Guo 2017 (AGT)."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy import ndarray

from core.analysis.verdict import judge_direction
from core.ledger.claim import (
    ONE_TRAINING,
    Claim,
    Measured,
    checkpoint_claim,
    difference_claim,
    differs_of,
    mean_claim,
    observed,
    sweep_command,
)
from core.measured import store
from core.papers import ATTENTION_ACCURACY

PAPER, SHIPPED = "AGT", "agt-sst5"
TRAINED = "other word vectors, optimizer, batches and dropout, and an adversarial step"
OWN_CLAIM = f"; other claims are about {SHIPPED}, whose attention starts aligned"
NEAR_ZERO = 2  # number of the lowest bins, which are below .1
MIDDLE = range(6, 11)  # the middle layers of 15, counted from 1
NEAR_ONE = 0.05  # least share of the words near 1 for a distribution to have two ends
BY_CHANCE = "by chance: the same number of random words"
NOTICED = 0.05  # least difference between layers that counts, in shares or words
BIAS = "gate bias "  # the start of a trial's name
USUAL = "usual start"  # name of the trial that all others differ from; its gate bias is 1
LEARNED = 0.3  # accuracy on SST-5's dev split above which a network has learned; its largest class has .26
ENCOURAGED = 1.2  # mean words per phrase; a network with as many or more is said to compose phrases

Arrays = Mapping[str, ndarray]


def _ends(arrays: Arrays) -> Measured:
    """Observe whether scaled attention is near 0 or 1, except each layer's largest, which is 1 by construction."""
    attention = arrays["attention"].copy()
    attention[:, -1] -= int(arrays["sentences"][0])
    low, high = attention[:, [0, -1]].sum(0) / attention.sum()
    text = f"without each layer's top word, {low:.0%} of the weights are below 0.05, {high:.1%} are above 0.95"
    rule = f"the rule: more than half are near 0 or 1, and more than {NEAR_ONE:.0%} near 1"
    return observed(text, bool(low + high > 0.5 and high > NEAR_ONE), rule)


def _first_layer(arrays: Arrays) -> Measured:
    """Observe which three words the first layer selects most often."""
    top = [str(word) for word in arrays["top_words"][0, :3]]
    return observed(", ".join(f"“{word}”" for word in top), set(top) == {"n't", "never", "not"})


def _low_layers(arrays: Arrays) -> Measured:
    """Observe whether layer 1 selects single words, and layers 6 to 10 phrases."""
    excess = _excess(arrays)
    layers = [layer - 1 for layer in MIDDLE if layer <= len(excess)] or [-1]
    text = f"layer 1 {_selected(arrays, [0])}; each of layers 6 to 10 {_selected(arrays, layers)}"
    return observed(text, bool(excess[0] <= NOTICED < excess[layers].mean()), BY_CHANCE)


def _middle_layers(arrays: Arrays) -> Measured:
    """Observe whether a middle layer has the longest phrases."""
    excess = _excess(arrays)
    longest = int(excess.argmax())
    text = f"layer {longest + 1} {_selected(arrays, [longest])}"
    beyond = excess[longest] - max(excess[0], excess[-1], 0)
    return observed(text, bool(longest + 1 in MIDDLE and beyond > NOTICED), BY_CHANCE)


def _gates(arrays: Arrays) -> Measured | None:
    """Observe whether more gate components are near 0 in the middle layers than at both ends."""
    gates = arrays["gates"]
    if not len(gates):
        return None
    near_zero = gates[:, :NEAR_ZERO].sum(1) / gates.sum(1)
    middle = _mean_of_middle(near_zero)
    ends = f"{near_zero[0]:.0%} in layer 2, {near_zero[-1]:.0%} in the last layer"
    most = f"the largest share is {near_zero.max():.0%}, in layer {near_zero.argmax() + 2}"
    text = f"gate components below 0.1: {middle:.0%} in layers 6 to 10, {ends}; {most}"
    return observed(text, bool(middle - max(near_zero[0], near_zero[-1]) > NOTICED))


def _tails(arrays: Arrays) -> Measured | None:
    """Observe whether more gate components are above .5 at both ends than in the middle layers."""
    gates = arrays["gates"]
    if not len(gates):
        return None
    above_half = gates[:, gates.shape[1] // 2 :].sum(1) / gates.sum(1)
    middle, first, last = _mean_of_middle(above_half), above_half[0], above_half[-1]
    ends = f"{first:.0%} in layer 2, {last:.0%} in the last layer"
    text = f"gate components above 0.5: {middle:.0%} in layers 6 to 10, {ends}"
    return observed(text, bool(min(first, last) - middle > NOTICED))


def _mean_of_middle(shares: ndarray) -> float:
    """The mean over the middle layers; ``shares`` begins with the first layer with a gate, layer 2."""
    return shares[[layer - 2 for layer in MIDDLE if layer - 2 < len(shares)] or [-1]].mean()


def _lengths(arrays: Arrays) -> tuple[ndarray, ndarray, ndarray]:
    """Per layer: selected words per sentence, words per phrase, and words per phrase if words were selected at random.

    Runs of words that are selected independently with probability p have 1 / (1 - p) words on average.
    """
    lengths = arrays["lengths"]
    words = lengths @ np.arange(1, lengths.shape[1] + 1)
    per_phrase = words / np.maximum(1, lengths.sum(1))
    by_chance = 1 / (1 - np.minimum(words / arrays["attention"].sum(1), 0.99))
    return words / arrays["sentences"][0], per_phrase, by_chance


def _excess(arrays: Arrays) -> ndarray:
    """The excess of each layer's mean phrase length over chance, in words."""
    _, per_phrase, by_chance = _lengths(arrays)
    return per_phrase - by_chance


def _selected(arrays: Arrays, layers: list[int]) -> str:
    """Describe what these layers select on average, beginning with "selects"."""
    words, per_phrase, by_chance = (values[layers].mean() for values in _lengths(arrays))
    return f"selects {words:.1f} words per sentence, in phrases of {per_phrase:.2f} words ({by_chance:.2f} by chance)"


OBSERVATIONS: tuple[tuple[str, str, Callable[[Arrays], Measured | None]], ...] = (
    ("figure 2", "Most attention weights are near 0 or near 1", _ends),
    ("section 3.1", "The first layer most often selects n't, never, not", _first_layer),
    ("figure 2", "Low layers select single words, higher layers select phrases", _low_layers),
    ("figure 2", "The middle layers (8, 9) select the longest phrases", _middle_layers),
    ("figure 3", "Gates are near 0 in the middle layers, but not in the first and last layers", _gates),
    ("figure 3", "Gates in the first and last layers have large tails", _tails),
)


def observe(arrays: Arrays) -> list[tuple[str, Measured]]:
    """Each of the paper's observations of its network, with ours, from a network's arrays "selections"."""
    observations = ((claim, judge(arrays)) for _, claim, judge in OBSERVATIONS)
    return [(claim, here) for claim, here in observations if here is not None]


def _observation_claim(place: str, claim: str, judge: Callable[[Arrays], Measured | None]) -> Claim:
    """A claim that the paper makes of its network, judged by observing the shipped one."""

    def measure() -> Measured | None:
        arrays = store.read("selections", SHIPPED)
        return None if arrays is None else judge(arrays)

    command = f"python -m core.measured selections {SHIPPED} --data DIR"
    file = f"{SHIPPED}/selections.npz"
    return Claim(PAPER, place, claim, "", command, file, measure, differs=differs_of(SHIPPED))


def _gate_bias() -> Measured | None:
    """Compare the length of phrases with a gate bias of 1 and with other biases, after training on labels only."""
    table = store.read_sweep("composition")
    if table is None:
        return None
    biases = {USUAL: "1"} | {trial: trial.removeprefix(BIAS) for trial in table["trial"] if trial.startswith(BIAS)}
    lengths = {biases[row.trial]: float(np.mean(row.lengths)) for row in table.itertuples() if row.trial in biases}
    if "1" not in lengths or len(lengths) < 2:
        return None
    with_1 = lengths.pop("1")
    lengths_by_bias = sorted(lengths.items(), key=lambda b: float(b[0]))
    others = ", ".join(f"{length:.2f} with a bias of {bias}" for bias, length in lengths_by_bias)
    text = f"mean words per phrase: {with_1:.2f} with a bias of 1, {others}"
    lower = max((length for bias, length in lengths.items() if float(bias) < 1), default=with_1)
    note = f"{ONE_TRAINING}; from the usual start, and counted in words per phrase, not in constituents"
    return observed(text, with_1 - lower > NOTICED, note)


def judge_constituents(arrays: Arrays) -> Measured:
    """Test whether the phrases of all layers are constituents more often than random runs of the same lengths."""
    n, share, by_chance, low, high = (arrays[name][-1] for name in ("n", "share", "by_chance", "low", "high"))
    if not n:
        return observed("no phrase of two words or more", False)
    text = (
        f"{100 * (share - by_chance):+.2f} points; of {n:,} phrases of two words or more, {share:.0%} are constituents "
        f"of the sentence's tree; of as many runs of the same lengths at random places, {by_chance:.0%} are"
    )
    return Measured(text, judge_direction(low, high), 100 * low, 100 * high, _how_many(arrays))


def _how_many(arrays: Arrays) -> str:
    """Describe how many words a layer selects, from the layer with the fewest to the one with the most."""
    selected = arrays["selected"]
    return f"a layer selects {selected.min():.1f} to {selected.max():.1f} words per sentence"


def _constituents() -> Measured | None:
    """Judge the claim on phrases for the shipped network."""
    arrays = store.read("constituents", SHIPPED)
    return None if arrays is None else judge_constituents(arrays)


CLAIMS = (
    checkpoint_claim(PAPER, "table 1", "AGT's accuracy on SST-5", SHIPPED),
    *(
        mean_claim(
            PAPER,
            "section 3.2",
            f"Accuracy with attention in {n} of 15 layers",
            "attention",
            {"attending": n},
            share,
            TRAINED + OWN_CLAIM * (n == 15),
        )
        for n, share in ATTENTION_ACCURACY.items()
    ),
    difference_claim(
        PAPER,
        "section 3.2",
        "Attention in 15 layers is better than in 3",
        "attention",
        {"attending": 15},
        {"attending": 3},
        ATTENTION_ACCURACY[15] - ATTENTION_ACCURACY[3],
    ),
    difference_claim(
        PAPER,
        "section 3.2",
        "Attention in 3 layers is better than in 1",
        "attention",
        {"attending": 3},
        {"attending": 1},
        ATTENTION_ACCURACY[3] - ATTENTION_ACCURACY[1],
    ),
    *(_observation_claim(*observation) for observation in OBSERVATIONS),
    Claim(
        PAPER,
        "section 3.1",
        "Layers compose meaningful phrases",
        "",
        f"python -m core.measured constituents {SHIPPED} --data DIR",
        f"{SHIPPED}/constituents.npz",
        _constituents,
        differs=differs_of(SHIPPED),
    ),
    Claim(
        PAPER,
        "section 3.1",
        "A gate bias of 1 encourages composition",
        "",
        sweep_command("composition"),
        "sweeps/composition.parquet",
        _gate_bias,
    ),
)
