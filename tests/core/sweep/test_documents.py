"""The sweep of IMDB's ratings, read flat and by sentence."""

import pytest

from core.datasets import imdb
from core.sweep import documents


@pytest.fixture
def folder(tmp_path):
    """A folder with ten reviews of two sentences per side and split."""
    for split in imdb.SPLITS:
        for side, rating in (("neg", 2), ("pos", 9)):
            into = tmp_path / "aclImdb" / split / side
            into.mkdir(parents=True)
            for k in range(10):
                (into / f"{k}_{rating}.txt").write_text(f"Film {k} is long. I saw it.", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("case", list(documents.cases(1)), ids=lambda case: case.reading)
def test_a_sample_of_ratings_is_read_in_both_ways(case, folder, monkeypatch):
    monkeypatch.setattr(documents, "MAX_TRAIN", 9)
    train, dev, test = documents.training(case).splits(folder)
    assert (len(train), len(dev), len(test)) == (9, 2, 20)
    assert train.classes == imdb.RATINGS
    assert set(train.labels) == {imdb.RATINGS.index("2"), imdb.RATINGS.index("9")}
    assert isinstance(train.words[0][0], list if case.reading == "by sentence" else str)


def test_each_way_is_trained_with_every_seed():
    assert len(set(documents.cases(3))) == 3 * len(documents.READINGS)
