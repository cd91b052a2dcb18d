"""The estimate of how long a training on own texts takes."""

import pytest

from core.fit.duration import TextAmount, estimate, in_words

MESSAGES = TextAmount(5_159, 98_000)  # short messages whose trainings were timed


@pytest.mark.parametrize(
    ("encoder", "evidence", "timed"), [(None, 0, 87), ("bilstm", 0, 76), (None, 200, 87 + 152)]
)  # seconds
def test_an_estimate_is_near_what_was_timed(encoder, evidence, timed):
    assert estimate(MESSAGES, ["reversed"], encoder, evidence) == pytest.approx(timed, rel=0.25)


def test_routings_that_are_compared_read_the_texts_once():
    one, two = (estimate(MESSAGES, names, None, 0) for names in (["reversed"], ["reversed", "kmeans"]))
    assert one < two < 2 * one
    assert estimate(MESSAGES, ["reversed"], None, 100, workers=2) < estimate(MESSAGES, ["reversed"], None, 100)


def test_units_take_the_time_of_their_texts():
    none, few, all_texts = (estimate(MESSAGES, ["reversed"], "bilstm", 0, units=n) for n in (0, 100, 9_999))
    # 7,500 words of the program's sentences, and 100 or a fifth of all texts, of 19 words on average.
    assert few - none == pytest.approx(0.2 * (7.5 + 1.9), rel=0.01)
    assert all_texts - none == pytest.approx(0.2 * (7.5 + 19.6), rel=0.01)


def test_every_routing_has_a_rate_and_an_unknown_transformer_has_none():
    assert estimate(MESSAGES, ["em", "attention", "windows", "standard", "kmeans", "reversed"], None, 100) > 0
    assert estimate(MESSAGES, ["attention", "windows"], "words", 100) > 0
    assert estimate(MESSAGES, ["standard", "kmeans"], "bilstm", 100) > 0
    assert estimate(MESSAGES, ["em"], "/models/large", 100) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (20, "less than a minute"),
        (60, "about a minute"),
        (127, "about 2 minutes"),
        (800, "about 15 minutes"),
        (3_200, "about an hour"),
        (9_000, "about 2 hours"),
    ],
)
def test_a_time_is_said_without_false_precision(seconds, words):
    assert in_words(seconds) == words
