"""The records of the corpora, and the splits that they read."""

import re

import pytest

from core.datasets import CORPORA, corpus_of, data_root, folder_of, imdb, read_split


def test_corpora_are_in_order_and_have_titles():
    assert list(CORPORA)[:7] == ["sst", "imdb", "ag_news", "trec", "dbpedia", "made", "smallnorb"]
    assert {name: corpus.title_in(2) for name, corpus in CORPORA.items() if name in ("sst", "imdb")} == {
        "sst": "SST-2",
        "imdb": "IMDB",
    }


@pytest.mark.parametrize("name", sorted(CORPORA))
def test_records_hold_sizes_and_checksums(name):
    corpus = CORPORA[name]
    assert corpus.name == name
    assert corpus.title
    assert corpus.subject
    assert all(file.size > 0 and re.fullmatch("[0-9a-f]{64}", file.sha256) for file in corpus.files.values())
    assert not corpus.url or corpus.files
    assert len({len(classes) for classes in corpus.classes}) == len(corpus.classes)


def test_the_name_imdb_documents_reads_reviews_by_sentence(reviews, monkeypatch, tmp_path):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path))
    assert folder_of("imdb_documents") == folder_of("imdb") == data_root() / "imdb"
    assert corpus_of("imdb_documents") is corpus_of("imdb") is imdb.CORPUS
    assert corpus_of("another") is None
    assert read_split("imdb_documents", reviews, "test", 2) == imdb.reviews(reviews, "test", by_sentence=True)
    assert read_split("imdb", reviews, "test") == imdb.reviews(reviews, "test")


@pytest.mark.parametrize("name", ["nothing", "sst_documents", "_documents"])
def test_unknown_corpora_are_refused(name, tmp_path):
    with pytest.raises(ValueError, match=f"There is no corpus '{name}' that this program can read, only sst, imdb"):
        read_split(name, tmp_path, "test")
