"""The paper's observations of AGT, judged by hand-made measurements."""

import numpy as np

from core.ledger.agt import judge_constituents, observe


def observed(**arrays):
    """The observations on a network that was run on one sentence, unless the arrays state another number."""
    return [measured for _, measured in observe({"sentences": np.array([1])} | arrays)]


def test_observations_by_hand():
    """Three layers have attention near 0 and 1; phrases are longest in the third, gates lowest in the second."""
    attention = np.zeros((3, 20), int)
    attention[:, [0, 19]] = 5
    lengths = np.zeros((3, 8), int)
    lengths[0, 0], lengths[1, :2], lengths[2, 2] = 4, 2, 1
    gates = np.zeros((2, 20), int)
    gates[0, 1], gates[1, 10] = 4, 4
    words = np.array([["n't", "never", "not"] + [""] * 7] * 3)
    found = observed(attention=attention, lengths=lengths, gates=gates, top_words=words)
    assert [one.verdict == "reproduced" for one in found] == [True, True, True, False, False, False]
    assert found[0].text == "without each layer's top word, 56% of the weights are below 0.05, 44.4% are above 0.95"
    assert found[3].text == "layer 3 selects 3.0 words per sentence, in phrases of 3.00 words (1.43 by chance)"
    assert "the largest share is 100%, in layer 2" in found[4].text
    assert found[5].text == "gate components above 0.5: 100% in layers 6 to 10, 0% in layer 2, 100% in the last layer"


def test_the_largest_weight_of_each_sentence_is_left_out():
    """One of ten words is selected in each of two sentences, and it has the largest weight."""
    attention = np.zeros((3, 20), int)
    attention[:, [0, 10, 19]] = 12, 6, 2
    lengths = np.zeros((3, 8), int)
    lengths[:, 0] = 2
    words = np.array([["is", "it", "a"] + [""] * 7] * 3)
    gates = np.zeros((0, 20), int)
    found = observed(attention=attention, lengths=lengths, gates=gates, top_words=words, sentences=np.array([2]))
    assert found[0].text == "without each layer's top word, 67% of the weights are below 0.05, 0.0% are above 0.95"
    assert found[0].verdict == "does not hold"


def test_phrases_that_are_no_longer_than_by_chance_are_no_composition():
    """Middle layers select half of the words, other layers a tenth. Runs of two words come by chance."""
    attention, lengths = np.zeros((15, 20), int), np.zeros((15, 8), int)
    attention[:, 0], lengths[:, 0], lengths[5:10] = 100, 10, 0
    lengths[5:10, 1] = 25
    words = np.array([["is", "it", "a"] + [""] * 7] * 15)
    found = observed(attention=attention, lengths=lengths, gates=np.zeros((0, 20), int), top_words=words)
    assert found[2].verdict == "does not hold"
    assert (
        "each of layers 6 to 10 selects 50.0 words per sentence, in phrases of 2.00 words (2.00 by chance)"
        in found[2].text
    )


def test_layers_that_hardly_differ_are_taken_to_be_alike():
    """There are fifteen layers; the eighth has only a few more phrases and gates near zero than the others."""
    attention, lengths, gates = np.full((15, 20), 1000), np.zeros((15, 8), int), np.zeros((14, 20), int)
    lengths[:, :2], gates[:, [0, 19]] = (990, 10), (10, 990)
    lengths[7, :2], gates[6, [0, 19]] = (970, 30), (30, 970)
    words = np.array([["is", "it", "a"] + [""] * 7] * 15)
    found = observed(attention=attention, lengths=lengths, gates=gates, top_words=words)
    assert [one.verdict for one in found] == ["does not hold"] * 6


def test_the_share_of_constituents_by_hand():
    """The values are for two layers and for both together; only the last ones count."""
    arrays = {"n": [4, 1, 5], "share": [0.5, 1, 0.6], "by_chance": [0.25] * 3, "low": [0, 0, 0.1], "high": [1, 1, 0.6]}
    measured = judge_constituents(
        {name: np.array(values) for name, values in arrays.items()} | {"selected": np.ones(2)}
    )
    assert (measured.low, measured.high, measured.verdict) == (10, 60, "reproduced")
    assert measured.text.startswith("+35.00 points; of 5 phrases of two words or more, 60% are constituents")
    assert measured.note == "a layer selects 1.0 to 1.0 words per sentence"
    none = {name: np.zeros(2) for name in (*arrays, "selected")}
    assert judge_constituents(none).verdict == "does not hold"
