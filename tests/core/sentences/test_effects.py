"""Sentences on a run without one of its capsules or shares."""

import numpy as np

from core.sentences.effects import describe_cut, describe_deciding, describe_masked

CLASSES = ["bad", "good"]
BEFORE = np.array([0.6, 0.4])


def test_the_deciding_capsule_is_named_with_what_the_answer_loses():
    deciding = describe_deciding("Capsule 2", BEFORE, np.array([0.2, 0.8]), CLASSES)
    assert deciding == (
        "Capsule 2 decides: without it, the probability of bad falls to 20.0%, lower than without any other capsule."
    )
    assert describe_deciding("Capsule 2", BEFORE, np.array([0.7, 0.3]), CLASSES) == (
        "No capsule decides: whichever is left out, the probability of bad does not fall."
    )


def test_a_share_matters_hardly_matters_or_does_not():
    said = [describe_cut("This share", BEFORE, np.array([p, 1 - p]), CLASSES) for p in (0.3, 0.55, 0.605, 0.6001)]
    assert said == [
        "This share matters: if it is 0, the prediction is good (70.0%), not bad.",
        "This share matters: if it is 0, the probability of bad falls to 55.0%.",
        "This share hardly matters: if it is 0, the probability of bad rises to 60.5%.",
        "This share does not matter: if it is 0, the probability of bad stays at 60.0%.",
    ]


def test_masking_a_word_is_told_apart_from_cutting_a_share():
    def masked(p, normalize):
        return describe_masked("“not”", BEFORE, np.array([p, 1 - p]), BEFORE, CLASSES, "word", normalize)

    assert masked(0.3, "input") == (
        "With “not” masked, the prediction is good (70.0%), not bad: masking takes it from all capsules, but if one "
        "share is 0, the capsule takes more from its other words."
    )
    assert masked(0.55, "output") == (
        "With “not” masked, the probability of bad is 55.0%: masking takes it from all capsules, but if one share is "
        "0, the word gives its other capsules more."
    )
    assert masked(0.595, "input") == "With “not” masked, the probability of bad is 59.5%."
