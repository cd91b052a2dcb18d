"""The paper's observations of its network (section 3), and the same of this one in numbers."""

import numpy as np
import pandas as pd

NEAR_ZERO = 2  # bins: below .1
MIDDLE = range(6, 11)  # of 15 layers, the first being 1
NOTICED = 0.05  # shares, or words, by which layers differ at least to count as different


def findings(measured: dict[str, np.ndarray]) -> pd.DataFrame:
    """A row for each observation: the paper's, ours, and whether they agree."""
    rows = [_ends(measured["attention"]), _first_layer(measured["top_words"]), *_phrases(measured["lengths"])]
    if len(measured["gates"]):
        rows.append(_gates(measured["gates"]))
    table = pd.DataFrame(rows, columns=["The paper observed", "Here", "They agree"])
    return table.assign(**{"They agree": table["They agree"].map({True: "yes", False: "no"})})


def _ends(attention: np.ndarray) -> tuple[str, str, bool]:
    """attention: [l, bins]."""
    share = float((attention[:, 0] + attention[:, -1]).sum() / attention.sum())
    here = f"{share:.0%} of the words get less than .05 or more than .95"
    return "Most attention weights are near 0 or near 1", here, share > 0.5


def _first_layer(top_words: np.ndarray) -> tuple[str, str, bool]:
    """top_words: [l, rank]."""
    top = [str(word) for word in top_words[0, :3]]
    here = "It most often selects " + ", ".join(f"“{word}”" for word in top)
    return "The first layer most often selects n't, never, not", here, set(top) == {"n't", "never", "not"}


def _phrases(lengths: np.ndarray) -> list[tuple[str, str, bool]]:
    """lengths: [l, length], the number of phrases."""
    n_phrases = np.maximum(1, lengths.sum(1))
    single = lengths[:, 0] / n_phrases
    mean = lengths @ np.arange(1, lengths.shape[1] + 1) / n_phrases
    middle = single[[layer - 1 for layer in MIDDLE if layer <= len(single)] or [-1]].mean()
    longest = int(mean.argmax()) + 1
    return [
        (
            "Low layers select single words, higher ones phrases",
            f"Phrases of one word: {single[0]:.0%} in layer 1, {middle:.0%} in layers 6 to 10",
            bool(single[0] - middle > NOTICED),
        ),
        (
            "The middle layers (8, 9) have the longest phrases",
            f"Layer {longest} has the longest, {mean[longest - 1]:.2f} words in the mean; layer 1 {mean[0]:.2f}, "
            f"the last {mean[-1]:.2f}",
            bool(longest in MIDDLE and mean[longest - 1] - max(mean[0], mean[-1]) > NOTICED),
        ),
    ]


def _gates(gates: np.ndarray) -> tuple[str, str, bool]:
    """gates: [l, bins], from layer 2 on."""
    near_zero = gates[:, :NEAR_ZERO].sum(1) / gates.sum(1)
    lowest = int(near_zero.argmax()) + 2
    return (
        "Gates are near 0 in the middle layers, away from it at both ends",
        f"Components below .1: most in layer {lowest}, {near_zero.max():.0%}; layer 2 {near_zero[0]:.0%}, "
        f"the last {near_zero[-1]:.0%}",
        bool(lowest in MIDDLE and near_zero.max() - max(near_zero[0], near_zero[-1]) > NOTICED),
    )
