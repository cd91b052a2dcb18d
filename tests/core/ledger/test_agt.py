"""The paper's observations of AGT, judged by hand-made measurements."""

import numpy as np

from core.ledger.agt import observe


def test_findings_by_hand():
    """Three layers: attention at the ends of the scale, phrases longest in the last, gates lowest in the second."""
    attention = np.zeros((3, 20), int)
    attention[:, [0, 19]] = 5
    lengths = np.zeros((3, 8), int)
    lengths[0, 0], lengths[1, :2], lengths[2, 2] = 4, 2, 1
    gates = np.zeros((2, 20), int)
    gates[0, 1], gates[1, 10] = 4, 4
    words = np.array([["n't", "never", "not"] + [""] * 7] * 3)
    here = [h for _, h in observe({"attention": attention, "lengths": lengths, "gates": gates, "top_words": words})]
    assert [h.verdict == "agrees" for h in here] == [True, True, True, False, False]
    assert here[0].text == "50% of the words get less than .05, 50% more than .95"
    assert here[3].text == "layer 3, 3.00 words in the mean; layer 1 1.00, the last 3.00"
    assert "most in layer 2, 100%" in here[4].text


def test_layers_that_hardly_differ_are_taken_to_be_alike():
    """Fifteen layers: the eighth has a few phrases and gates near zero more than the others, no more than that."""
    attention, lengths, gates = np.ones((15, 20), int), np.zeros((15, 8), int), np.zeros((14, 20), int)
    lengths[:, :2], gates[:, [0, 19]] = (990, 10), (10, 990)
    lengths[7, :2], gates[6, [0, 19]] = (970, 30), (30, 970)
    words = np.array([["is", "it", "a"] + [""] * 7] * 15)
    here = [h for _, h in observe({"attention": attention, "lengths": lengths, "gates": gates, "top_words": words})]
    assert [h.verdict for h in here] == ["does not agree"] * 5
