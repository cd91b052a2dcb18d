"""The sentences that come with the program are balanced."""

from collections import Counter

from core.datasets.shipped import sentences

TOPICS = {"film": 200, "product": 140, "world": 40, "sports": 40, "business": 40, "science": 40}


def test_500_sentences_are_balanced_over_topics_and_grades():
    assert len({one.text for one in sentences()}) == 500
    assert Counter(one.topic for one in sentences()) == TOPICS
    grades = Counter((one.topic, one.grade) for one in sentences())
    assert {grades["film", grade] for grade in range(1, 6)} == {40}
    assert {grades["product", grade] for grade in range(1, 6)} == {28}
    assert all((one.grade is None) == (one.topic not in ("film", "product")) for one in sentences())


def test_negations_contrasts_and_lengths_are_spread():
    for topic, n in TOPICS.items():
        of_topic = [one for one in sentences() if one.topic == topic]
        assert 0.25 < sum(one.negation for one in of_topic) / n < 0.4
        assert 0.2 < sum(one.contrast for one in of_topic) / n < 0.4
    lengths = [len(one.text.split()) for one in sentences()]
    assert min(lengths) >= 2
    assert max(lengths) <= 40
    assert sum(length <= 7 for length in lengths) >= 80
    assert sum(length >= 28 for length in lengths) >= 80
