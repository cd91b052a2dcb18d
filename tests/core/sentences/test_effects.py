"""Sentences on a run without one of its capsules or shares."""

import numpy as np

from core.sentences.effects import describe_cut, describe_deciding, describe_masked, explain_cut

CLASSES = ["bad", "good"]
BEFORE = np.array([0.6, 0.4])


def test_the_deciding_capsule_is_named_with_what_the_answer_loses():
    deciding = describe_deciding("Capsule 2", BEFORE, np.array([0.2, 0.8]), CLASSES)
    assert deciding == "Capsule 2 decides: without it, the prediction is good (80.0%), not bad."
    assert describe_deciding("Capsule 2", BEFORE, np.array([0.55, 0.45]), CLASSES) == (
        "Capsule 2 decides most: without it, bad falls to 55.0%, further than without any other capsule."
    )
    assert describe_deciding("Capsule 2", BEFORE, np.array([0.7, 0.3]), CLASSES) == (
        "No capsule decides: whichever is left out, bad does not fall."
    )


def test_a_share_matters_hardly_matters_or_does_not():
    said = [describe_cut("This share", BEFORE, np.array([p, 1 - p]), CLASSES) for p in (0.3, 0.55, 0.605, 0.6001)]
    assert said == [
        "This share matters: at 0, the prediction is good (70.0%), not bad.",
        "This share matters: at 0, bad falls to 55.0%.",
        "This share hardly matters: at 0, bad moves by less than 1 point, to 60.5%.",
        "This share does not matter: at 0, the answer is the same, bad (60.0%).",
    ]


def test_masking_a_word_has_its_own_answer():
    said = [describe_masked("“not”", BEFORE, np.array([p, 1 - p]), CLASSES) for p in (0.3, 0.55)]
    assert said == [
        "If “not” is masked, so that no capsule takes from it, the prediction is good (70.0%), not bad.",
        "If “not” is masked, so that no capsule takes from it, bad is at 55.0%.",
    ]


def test_a_share_that_hardly_matters_is_explained():
    assert explain_cut(BEFORE, BEFORE, 15) == "The capsule decides by all its 15 shares together."
    assert explain_cut(BEFORE, BEFORE, 1) == explain_cut(BEFORE, BEFORE - [0.1, -0.1], 15) == ""
