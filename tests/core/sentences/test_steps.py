"""Sentences on the pages of text networks: they speak of phrases, never of punctuation, and say when it settles."""

import numpy as np
import pytest

from core.analysis.routing import settles_after
from core.analysis.windows import words_needed
from core.sentences.credit import describe_credit, most_credited
from core.sentences.features import describe_features
from core.sentences.layers import describe_layers, most_attended
from core.sentences.steps import describe_settling, mark_beyond
from core.sentences.taken import describe_taken
from core.sentences.windows import decisive_word, describe_windows
from core.sentences.words import Phrasing

CAPSULES = ["capsule 1", "capsule 2", "capsule 3"]
FILM = Phrasing(["A", "fine", ",", "warm", "film", "."])
TAKEN = np.array([[0.8, 0.1, 0.1], [0.9, 0, 0.1], [0, 0, 1], [0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0, 1, 0]])


def taken(c, framed, normalize="output", phrasing=FILM):
    """The sentence on one step, without what it says of settling."""
    (sentence,) = describe_taken(np.asarray(c)[None], phrasing, CAPSULES, framed, normalize=normalize)
    return sentence


def test_a_capsule_takes_a_phrase_and_never_punctuation():
    assert taken(TAKEN, (1, 0)) == "Capsule 1 takes “A fine, warm” (90% of “fine”). Capsule 3 takes “film”."
    assert taken(TAKEN, (4, 2)) == "Capsule 3 takes 80% of “film”. Capsule 1 takes “A fine, warm”."
    assert taken(TAKEN, (3, 1)) == (
        "20% of “warm” goes to capsule 2. Capsule 1 takes “A fine, warm” and capsule 3 takes “film”."
    )
    idle = taken([[0.995, 0.005, 0]] * 6, (0, 0))
    assert idle == "Capsule 1 takes “A fine, warm film” (100% of “A”). Capsules 2 and 3 receive almost nothing."


def test_a_routing_that_has_not_chosen_says_so():
    equal = np.full((6, 3), 1 / 3)
    assert taken(equal, (0, 0)) == "Nothing is decided yet: every word is shared equally among all 3 capsules."
    assert taken(np.full((6, 3), 1 / 6), (0, 0), "input") == (
        "Nothing is decided yet: every capsule receives the same from every word."
    )
    masked = np.full((6, 3), 0.2)
    masked[2] = 0
    assert taken(masked, (0, 0), "input").endswith("the same from every word that is not masked.")
    masked[:, 1] = 0
    assert "every capsule that is on receives the same" in taken(masked, (0, 0), "input")
    long = np.tile([[1.9], [0.1]], (150, 3)) / 300  # small shares of many words are not equal ones
    assert "Nothing is decided" not in taken(long, (0, 0), "input", Phrasing(["good", "not"] * 150))
    alone = np.eye(6)[:, [4] * 3]
    assert taken(alone, (4, 0), "input") == (
        "Every capsule receives everything from “film”, the only word that is not masked."
    )
    equal[1] = 0.38, 0.32, 0.3
    assert taken(equal, (1, 0)) == (
        "No word has chosen a capsule yet: the largest share is 38%, from “fine” to capsule 1."
    )
    assert taken(equal, (0, 2)) == (
        "No word has chosen a capsule yet: “A” sends 33% to capsule 3, and no share is above 38%."
    )


def test_reversed_routing_says_where_an_intake_comes_from():
    intake = np.array([[0, 0.2, 0.1], [0.1, 0.5, 0.7], [0.3, 0, 0], [0.1, 0.3, 0.1], [0.5, 0, 0.1], [0, 0, 0]])
    assert taken(intake, (1, 1), "input") == (
        "100% of what capsule 2 receives comes from “A fine, warm”, also the main source of capsule 3. "
        "The main source of capsule 1 is “film” (50%)."
    )
    assert taken(intake, (4, 1), "input") == (
        "Capsule 2 takes nothing from “film”, but 50% from “fine”. "
        "The main source of capsule 1 is “film” (50%), and the main source of capsule 3 is “fine” (70%)."
    )
    intake[[1, 3], 2] = 0.45, 0.35
    assert "source of capsule 3" not in taken(intake, (1, 1), "input")
    intake[4, 1] = 0.004
    assert taken(intake, (4, 1), "input").startswith("Almost nothing of what capsule 2 receives comes from “film”")


def test_settling_has_one_threshold_and_an_answer_in_words():
    shares = np.array([0.5, 0.9, 0.96, 0.99, 1.0])
    coupling = np.stack([shares, 1 - shares], 1)[:, None].repeat(2, 1)
    assert settles_after(coupling) == 3
    assert settles_after(coupling[:3]) is None
    assert describe_settling(coupling, "output", 2) == (
        "Iteration 2, the last one used in training, still moved 40% of all shares to other capsules. "
        "The shares would settle after iteration 3."
    )
    assert describe_settling(coupling, "output", 4) == (
        "The shares settle after iteration 3: no later iteration moves more than 5% of all shares."
    )
    answers = ["bad", "bad", "bad", "bad", "good"]
    flips = (
        "After iteration 3, each iteration moves at most 5% of all shares, but it adds up: "
        "the answer flips to good at iteration 5."
    )
    assert describe_settling(coupling, "output", 4, answers) == flips
    assert describe_settling(coupling, "output", 2, answers).endswith(f" {flips}")
    assert "settle after iteration 3" in describe_settling(coupling, "output", 2, ["bad", "bad", *["good"] * 3])
    flipping = describe_taken(coupling, Phrasing(["a", "b"]), CAPSULES[:2], (0, 0), trained=4, answers=answers)
    short = "Few shares move after iteration 3, but the answer flips to good at iteration 5."
    assert [short in sentence for sentence in flipping] == [False, False, False, True, True]
    assert describe_settling(coupling, "output", 1).startswith("Routing stops after iteration 1")
    sentences = describe_taken(coupling, Phrasing(["a", "b"]), CAPSULES[:2], (0, 0), trained=2)
    assert [sentence.partition(". ")[2] for sentence in sentences] == [
        "",
        "Iteration 2 still moved 40% of all shares to other capsules.",
        "Iteration 3 moved 6% of all shares to other capsules.",
        "The shares settle after iteration 3.",
        "Capsule 2 receives almost nothing. The shares settle after iteration 3.",
    ]
    assert [sentence.startswith("Beyond training: ") for sentence in sentences] == [False, False, True, True, True]
    assert mark_beyond(["a", "b"], None) == ["a", "b"]


def credit_sentence(credits, phrasing=FILM):
    (sentence,) = describe_credit(np.array(credits)[None, :, None], np.ones((1, 1)), phrasing, ["yes"])
    return sentence


def test_credit_names_a_phrase_for_and_a_word_against_the_class():
    assert credit_sentence([0.1, 0.5, 0, 0.3, -0.2, 9]) == (
        "Yes is ahead (100%). “fine, warm” raises its score by 0.80; 0.50 of this is from “fine”. "
        "“film” lowers the score more than any other word, by 0.20."
    )
    assert credit_sentence([0.1, 0.5, 0, 0, 0, 0]) == (
        "Yes is ahead (100%). “fine” raises its score more than any other word, by 0.50."
    )
    assert most_credited(np.array([[0.1], [0.5], [9]]), np.ones(1), Phrasing(["a", "b", "."])) == 1


def test_a_small_credit_is_almost_nothing_and_never_nothing():
    assert credit_sentence([0.004, -0.1, 0, -0.2, 0, 0]) == (
        "Yes is ahead (100%), although hardly any word raises its score: the largest credit is 0.0040, of “A”. "
        "“warm” lowers the score more than any other word, by 0.20."
    )
    assert credit_sentence([-0.004] * 6) == "Yes is ahead (100%), although no word raises its score."


def test_layers_name_phrases_and_a_word_if_they_select_punctuation():
    attention = np.array([[0.4, 0.4, 0.05, 0.05, 0.1, 0], [0.1, 0, 0.6, 0.1, 0.2, 0]])
    probabilities = np.array([[0.6, 0.4], [0.3, 0.7], [0.2, 0.8]])
    assert describe_layers(attention, probabilities, FILM, ["negative", "positive"]) == [
        "Layer 1 looks mostly at “A fine”. Its own answer would be: negative (60%).",
        "Layer 2 looks mostly at punctuation. Of the words, “film” gets the largest share of its attention, 20.0%. "
        "Its own answer would be: positive (70%).",
        "Layer 3 has no attention and only passes on what it gets. Final answer: positive (80%).",
    ]
    assert most_attended(attention[1], FILM) == 4
    (low,) = describe_layers(np.full((1, 11), 1 / 11), np.ones((1, 1)), Phrasing(list("a,b.c,d.e,f")), ["yes"], 0.5)
    assert low.startswith("Layer 1 looks mostly at “a, b. c, d. e, f”. ")


def test_windows_name_the_passage_and_how_many_words_a_decision_takes():
    text = Phrasing(["one", "big", "prize", "of", "mathematics", "."])
    evidence = np.zeros((3, 6, 2))
    evidence[0, 0, 0], evidence[1, 4, 1], evidence[2, 5, 1] = 0.5, 0.9, 0.4
    p = np.array([[0.8, 0.2], [0.4, 0.6], [0.3, 0.7]])
    assert describe_windows(evidence, p, text, ["World", "Sci/Tech"], 3) == [
        "Reading one word at a time: World (80%). “one” decides and adds 0.50 to the score of World.",
        "Reading 2 words at a time: Sci/Tech (60%). “of mathematics” decides and adds 0.90 to the score of Sci/Tech.",
        "Reading 3 words at a time: Sci/Tech (70%). “of mathematics” decides and adds 0.40 to the score of Sci/Tech. "
        "Reading two words at a time would be enough: Sci/Tech (60%), and “of mathematics” decides.",
    ]
    assert decisive_word(evidence[2], p[2], 3, text) == 4
    assert describe_windows(evidence[:2], p[:2], text, ["World", "Sci/Tech"], 9)[-1].endswith(
        " The decision takes all two words: with one, the answer is World."
    )
    assert words_needed(p) == 2
    mark, against = (
        describe_windows(np.array([[[-0.5], [added]]]), np.ones((1, 1)), Phrasing(["a", "."]), ["World"], 1)[0]
        for added in (0.2, -0.2)
    )
    answer = "Reading one word at a time: World (100%)."
    assert mark == f"{answer} Punctuation alone decides and adds 0.20 to the score of World."
    assert against == f"{answer} No passage speaks for World. Punctuation alone lowers its score least, by 0.20."


def test_features_say_how_surely_they_go_to_a_class():
    c = np.array([[0.4, 0.3, 0.3], [0.45, 0.3, 0.25]])
    contributions = np.array([[0.1, 0.2], [0.3, 0.1], [9, 9]])
    words = Phrasing(["tiny", "prize", "."])
    assert describe_features(c[None], contributions, words, ["World", "Sports", "Business"], 0) == [
        "Feature capsule 1 gets more from “prize” than from any other word, and sends 40% to World. World gets the "
        "largest share of all 2 feature capsules. No share is above 45%."
    ]
    sure = np.array([[0.9, 0.1, 0], [0.2, 0.8, 0]])
    (named,) = describe_features(c[None], contributions, words, ["World", "Sports", "Business"], 0, answers=["Sports"])
    assert "all 2 feature capsules; Sports, the answer, of 0. No share" in named
    (sentence,) = describe_features(sure[None], contributions, words, ["World", "Sports", "Business"], 1)
    assert sentence.endswith("sends 80% to Sports. World gets the largest share of 1 of 2 feature capsules.")


@pytest.mark.parametrize("n", [1, 2, 5])
def test_every_step_has_one_sentence(n):
    coupling = np.random.default_rng(0).dirichlet(np.ones(3), (n, 6))
    for normalize in ("output", "input"):
        assert len(describe_taken(coupling, FILM, CAPSULES, (0, 0), normalize=normalize, trained=2)) == n
