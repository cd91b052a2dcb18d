import numpy as np

from core.analysis import findings

CAPSULES = [f"capsule {j}" for j in range(1, 6)]


def of_one(coupling, inputs, normalize="output"):
    (sentence,) = findings.of_routing(np.array(coupling)[None], inputs, CAPSULES, normalize=normalize)
    return sentence


def test_shares_name_the_capsule_that_takes_most_and_the_surest_of_the_rest():
    shares = [[0, 0, 0.1, 0, 0.9], [0, 0, 0.98, 0, 0.02], [0, 0, 0, 0.2, 0.8], [0, 0, 0, 0, 1.0]]
    said = of_one(shares, ["“The”", "“superb”", "“cast”", "“shines”"])
    assert (
        said
        == "Capsule 5 takes 68% of the words; “superb” goes to capsule 3 (0.98); two of five capsules take nothing."
    )


def test_a_routing_that_has_not_begun_says_so():
    assert of_one(np.full((3, 5), 0.2), list("abc")) == (
        "Nothing is decided: each word is shared equally among all 5 capsules."
    )
    assert of_one(np.full((4, 5), 0.25), list("abcd"), "input") == (
        "Nothing is decided: each capsule takes equally from all 4 words."
    )


def test_soft_shares_are_said_to_be_soft():
    said = of_one([[0.3, 0.2, 0.2, 0.2, 0.1], [0.4, 0.15, 0.15, 0.15, 0.15]], ["“a”", "“b”"])
    assert said == "Capsule 1 takes 35% of the words; no word gives more than half to one capsule (most: “b”, 0.40)."


def test_a_capsule_that_takes_the_surest_input_names_it():
    sentence = of_one([[0.54, 0.16, 0.1, 0.1, 0.1], [0.3, 0.3, 0.2, 0.1, 0.1]], ["“a”", "“b”"])
    assert sentence == "Capsule 1 takes 42% of the words, most of all “a” (0.54)."


def test_one_capsule_that_takes_nothing_takes_singular():
    said = of_one([[0.5, 0.2, 0.2, 0.1, 0], [0.5, 0.1, 0.2, 0.2, 0]], ["“a”", "“b”"])
    assert said.endswith("one of five capsules takes nothing.")


def test_intakes_name_the_input_that_feeds_most():
    intake = [[0.7, 0.1, 0.6, 0.2, 0.2], [0.3, 0.9, 0.4, 0.8, 0.8]]
    said = of_one(intake, ["“a”", "“b”"], "input")
    assert said == "Capsule 2 takes 90% of its intake from “b”; three of five capsules take most from it."


def test_one_sentence_a_step():
    rng = np.random.default_rng(0)
    coupling = rng.dirichlet(np.ones(5), (4, 7))
    assert len(findings.of_routing(coupling, list("abcdefg"), CAPSULES)) == 4


def test_credit_names_for_and_against():
    credit = np.array([[[0.5, 1.5], [0.1, -0.25], [0.2, 0.25]]])
    (said,) = findings.of_credit(
        credit, credit.sum(1), np.array([[0.2, 0.8]]), ["“superb”", "“but”", "“plot”"], ["negative", "positive"]
    )
    assert said == ("Positive leads with 80%, score +1.50: “superb” adds most (+1.50), “but” takes most away (-0.25).")
    (said,) = findings.of_credit(np.ones((1, 2, 1)), np.full((1, 1), 2.0), np.ones((1, 1)), ["“a”", "“b”"], ["yes"])
    assert said == "Yes leads with 100%, score +2.00: “a” adds most (+1.00)."


def test_layers_list_the_selected_words():
    attention = np.array([[0.5, 0.49, 0.01], [0.1, 0.1, 0.8]])
    probabilities = np.array([[0.6, 0.4], [0.3, 0.7], [0.2, 0.8]])
    assert findings.of_layers(attention, probabilities, ["not", "bad", "film"], ["negative", "positive"]) == [
        "Layer 1 selects “not” and “bad”; negative 60% if the network ended here.",
        "Layer 2 selects “film”; positive 70% if the network ended here.",
        "Layer 3 has no attention: it passes on what is there; positive 80% is the network's answer.",
    ]


def test_a_lower_threshold_selects_more_words():
    attention, words = np.array([[0.5, 0.3, 0.2]]), ["not", "bad", "film"]
    for threshold, quoted in ((0.95, "“not”"), (0.5, "“not” and “bad”")):
        (sentence,) = findings.of_layers(attention, np.ones((1, 1)), words, ["negative"], threshold)
        assert sentence == f"Layer 1 selects {quoted}; negative 100% is the network's answer."


def test_many_selected_words_are_counted():
    (said,) = findings.of_layers(np.full((1, 6), 1 / 6), np.ones((1, 1)), list("abcdef"), ["yes"])
    assert said.startswith("Layer 1 selects “a”, “b”, “c”, “d” and 2 more;")


def test_windows_quote_what_carries_the_class():
    evidence = np.array([[[0.0], [0.9]], [[0.1], [0.4]]])
    assert findings.of_windows(evidence, np.ones((2, 1)), ["red", "planet"], ["World"]) == [
        "With a window of 1 word it says World (100%); “planet” carries it (+0.90).",
        "With a window of 2 words it says World (100%); “red planet” carries it (+0.40).",
    ]
    (said,) = findings.of_windows(np.array([[[-0.5], [-0.2]]]), np.ones((1, 1)), ["a", "b"], ["World"])
    assert said.endswith("“b” speaks least against it (-0.20).")


def test_a_long_word_is_shortened_and_lines_are_joined():
    assert findings.quote("a\nb") == "“a b”"
    assert findings.quote("x" * 50) == "“" + "x" * 39 + "…”"
