"""Sentences on what a picture shows."""

import numpy as np

from core.sentences import findings

CAPSULES = [f"capsule {j}" for j in range(1, 6)]


def sentence_on(coupling, inputs, normalize="output", framed=None):
    """The sentence on one step of a routing; ``framed`` is the cell in the frame, by default the surest one."""
    shares = np.array(coupling)
    framed = framed or findings.surest(shares, inputs)
    (sentence,) = findings.describe_routing(shares[None], inputs, CAPSULES, framed, normalize=normalize)
    return sentence


SHARES = [[0, 0, 0.1, 0, 0.9], [0, 0, 0.98, 0, 0.02], [0, 0, 0, 0.2, 0.8], [0, 0, 0, 0, 0.97]]
CAST = ["“The”", "“superb”", "“cast”", "“shines”"]


def test_shares_name_the_fullest_capsule_and_the_framed_cell():
    assert sentence_on(SHARES, CAST) == (
        "Capsule 5 collects 67% of all shares, more than any other capsule. 98% of “superb” goes to capsule 3. "
        "Capsules 1 and 2 receive almost nothing."
    )
    assert ". 20% of “cast” goes to capsule 4. " in sentence_on(SHARES, CAST, framed=(2, 3))
    assert ". 97% of “shines” goes to capsule 5. " in sentence_on(SHARES, CAST, framed=(3, 4))
    assert ". 80% of “cast” goes to capsule 5. " in sentence_on(SHARES, CAST, framed=(2, None))


def test_the_surest_cell_is_punctuation_only_if_there_are_no_words():
    assert findings.surest(np.array(SHARES), ["“The”", "“.”", "“cast”", "“,”"]) == (0, 4)
    assert findings.surest(np.array(SHARES), ["!", "“.”", "?", "“,”"]) == (1, 2)
    assert findings.surest(np.array(SHARES), ["“The”", "“.”", "“cast”", "“,”"], 3) == (2, 3)


def test_equal_shares_are_called_undecided():
    assert sentence_on(np.full((3, 5), 0.2), list("abc")) == (
        "Nothing is decided yet: every word is shared equally among all 5 capsules."
    )
    assert sentence_on(np.full((4, 5), 0.25), list("abcd"), "input") == (
        "Nothing is decided yet: every capsule receives equally from all 4 words."
    )


def test_a_sentence_on_soft_shares_states_that_none_is_large():
    sentence = sentence_on([[0.3, 0.2, 0.2, 0.2, 0.1], [0.4, 0.15, 0.15, 0.15, 0.15]], ["“a”", "“b”"])
    assert sentence == (
        "Capsule 1 collects 35% of all shares, more than any other capsule. "
        "40% of “b” goes to capsule 1, and no share is above 40%."
    )
    sentence = sentence_on([[0.5, 0.2, 0.2, 0.1, 0], [0.6, 0.1, 0.2, 0.1, 0]], ["“a”", "“b”"])
    assert sentence.endswith(" Capsule 5 receives almost nothing.")


def test_intakes_name_the_input_that_feeds_most():
    intake = [[0.7, 0.1, 0.6, 0.2, 0.2], [0.3, 0.9, 0.4, 0.8, 0.8]]
    sentence = sentence_on(intake, ["“a”", "“b”"], "input")
    assert (
        sentence == "90% of what capsule 2 receives comes from “b”, which is the main source of three of five capsules."
    )
    sentence = sentence_on([[0.7, 0.9, 0.6, 0.8, 0.8], [0.3, 0.1, 0.4, 0.2, 0.2]], ["“a”", "“b”"], "input")
    assert sentence == "90% of what capsule 2 receives comes from “a”, which is the main source of all five capsules."


def test_every_step_has_one_sentence():
    rng = np.random.default_rng(0)
    coupling = rng.dirichlet(np.ones(5), (4, 7))
    assert len(findings.describe_routing(coupling, list("abcdefg"), CAPSULES, (0, None))) == 4


def sentences_on_places(effect, taken, p, classes, part=0, used=None, **switched):
    """The sentences on a picture; by default the first class uses 25% of each part, the second 75%."""
    used = np.tile([0.25, 0.75], (*effect.shape[:2], 1)) if used is None else used
    benefit, cost = np.full(p.shape, 1.5), np.full(p.shape, -1.0)
    return findings.describe_places(used, effect, taken, p, benefit, cost, classes, part, **switched)


def test_places_name_the_part_shown_and_the_area_it_takes_from():
    effect = np.zeros((1, 3, 2))
    effect[0, :, 1] = [-3, 0.5, 0.25]
    taken = np.zeros((1, 6, 6, 3))
    taken[0, 4, 0, 1], taken[0, 2, 2, 1] = 3, 1
    taken[0, :, :, 2] = 9
    first, second = (
        sentences_on_places(effect, taken, np.array([[0.1, 0.9]]), ["human", "car"], part) for part in (0, 1)
    )
    assert second == [
        "Car is ahead (90%). Of its score of 2.50, 1.50 comes from parts that it uses and 1.00 from parts that it "
        "ignores. It uses 75% of part 2, which adds 0.50 here. "
        "Part 2 takes 75% of its data from the lower left of the picture."
    ]
    assert "part 1, which takes 3.00 here. Part 1 takes nothing from the picture." in first[0]


def sentence_on_switch(**switched):
    """The sentence on a car with a score of 2.50, and what happens without part 1."""
    p = np.array([[0.1, 0.9]])
    (sentence,) = sentences_on_places(np.ones((1, 1, 2)), np.zeros((1, 3, 3, 1)), p, ["human", "car"], **switched)
    return sentence


def test_a_part_is_credited_and_the_run_without_it_is_told():
    for score, moves in (
        (1.67, "falls by 0.83 (to 1.67)"),
        (3.1, "rises by 0.60 (to 3.10)"),
        (2.502, "hardly changes (2.50)"),
    ):
        assert (
            "It uses 75% of part 1, which adds 1.00 here; without it, routing runs again and the score "
            f"{moves}. Part 1 takes nothing"
        ) in sentence_on_switch(without=np.array([[0, score]]))


def test_no_class_is_said_to_use_a_part_that_is_switched_off():
    sentence = sentence_on_switch(is_off=True)
    assert sentence.endswith(" Part 1 is switched off.")
    assert "It uses" not in sentence


def test_a_part_may_take_from_the_whole_picture_or_nothing():
    effect, p = np.ones((2, 1, 2)), np.array([[0.9, 0.1], [0.9, 0.1]])
    taken = np.stack([np.ones((9, 9, 1)), np.zeros((9, 9, 1))])
    everywhere, nowhere = sentences_on_places(effect, taken, p, ["human", "car"])
    assert everywhere.endswith("takes data from all over the picture.")
    assert nowhere.endswith("adds 1.00 here. Part 1 takes nothing from the picture.")


def test_a_picture_of_one_place_has_an_area():
    (sentence,) = sentences_on_places(np.ones((1, 1, 2)), np.ones((1, 1, 1, 1)), np.array([[0.9, 0.1]]), ["a", "b"])
    assert "takes 100% of its data from the upper left" in sentence


def test_equal_probabilities_are_called_undecided():
    used = np.random.default_rng(0).random((1, 2, 4))
    p = np.full((1, 4), 0.25)
    sentences = sentences_on_places(np.ones((1, 2, 4)), np.ones((1, 3, 3, 2)), p, list("abcd"), used=used)
    assert sentences == ["Nothing is decided yet: no class is more probable than 25%."]


def test_equal_shares_say_little_about_the_picture():
    used, p = np.full((1, 2, 2), 0.5), np.array([[0.6, 0.4]])
    (sentence,) = sentences_on_places(np.ones((1, 2, 2)), np.ones((1, 3, 3, 2)), p, ["human", "car"], used=used)
    assert (
        sentence
        == "Human is ahead (60%), but all shares are still equal, so this answer says little about the picture."
    )


def test_a_turn_names_the_vector_that_moved_farthest():
    distance = np.array([[0, 0], [0.25, 1.5], [np.nan, 0.5], [np.nan, np.nan]])
    sentences = findings.describe_turn(distance, ["azimuth 0°", "azimuth 20°", "azimuth 40°", "azimuth 60°"])
    assert sentences == [
        "Azimuth 0°: the other views are compared with this one.",
        "Azimuth 20°: vector 2 moved furthest, by 150% of its length. On average, the vectors moved by 88%.",
        "Azimuth 40°: vector 2 moved furthest, by 50% of its length. On average, the vectors moved by 50%.",
        "Azimuth 60°: the first view's pose vectors are 0, so there is nothing to compare.",
    ]


def test_stress_is_described_in_kruskal_s_words():
    words = [findings.stress_in_words(stress) for stress in (0, 0.03, 0.07, 0.15, 0.2, 0.9)]
    assert words == ["excellent", "good", "fair", "rather poor", "poor", "poor"]


def test_cuts_say_whether_large_shares_matter():
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    same, opposite = (
        findings.describe_cuts(shares, shares, "bad", "c"),
        findings.describe_cuts(shares, -1 / shares, "bad", "c"),
    )
    assert same == (
        "The largest shares matter most here: size and effect go together "
        "(Kendall's τ = 1.00 between c and effect on “bad”; 1 is the same order, 0 an unrelated one, "
        "-1 the reverse)."
    )
    assert opposite.startswith("Large shares are not the important ones here: smaller ones matter more (")
    unrelated = findings.describe_cuts(shares, np.array([2.0, 4.0, 1.0, 3.0]), "bad", "c")
    assert unrelated.startswith("Large shares are not the important ones here: size and effect are unrelated (")
