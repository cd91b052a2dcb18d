"""Movie reviews in the official folders and archives."""

import gzip
import tarfile

import pytest

from core.datasets import imdb


@pytest.fixture
def unpacked(tmp_path):
    """A folder with two reviews per side and split, as the official archive unpacks, and a file that is no review."""
    for split in imdb.SPLITS:
        for side in imdb.FOLDERS:
            folder = tmp_path / "aclImdb" / split / side
            folder.mkdir(parents=True)
            for k in (1, 0):
                (folder / f"{k}_8.txt").write_text(f"{split} {side} {k}.<br /><br />It's é", encoding="utf-8")
    (tmp_path / "aclImdb" / "train" / "urls_neg.txt").write_text("http://x")
    return tmp_path


def pack(folder, into, name="aclImdb_v1.tar.gz"):
    """Write the reviews of a folder to an archive in another folder."""
    with tarfile.open(into / name, "w:gz") as archive:
        archive.add(folder / "aclImdb", "aclImdb")


def test_reviews_by_hand(unpacked):
    split = imdb.reviews(unpacked, "test")
    assert split.labels == [0, 0, 1, 1]
    assert split.words[0] == ["test", "neg", "0", ".", "It", "'s", "é"]
    assert [words[2] for words in split.words] == ["0", "1", "0", "1"]
    assert split.classes == ("negative", "positive")


def test_ratings_stand_in_the_file_names(unpacked):
    assert imdb.reviews(unpacked, "test", 8).labels == [imdb.RATINGS.index("8")] * 4
    (unpacked / "aclImdb" / "test" / "neg" / "0_8.txt").rename(unpacked / "aclImdb" / "test" / "neg" / "2_5.txt")
    assert imdb.reviews(unpacked, "test").labels == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="names no rating"):
        imdb.reviews(unpacked, "test", 8)


def test_documents_are_the_reviews_as_sentences(unpacked):
    documents, reviews = imdb.reviews(unpacked, "test", by_sentence=True), imdb.reviews(unpacked, "test")
    assert documents.words[0] == [["test", "neg", "0", "."], ["It", "'s", "é"]]
    assert [[word for words in text for word in words] for text in documents.words] == reviews.words
    assert documents.labels == reviews.labels


@pytest.mark.parametrize("name", imdb.ARCHIVES)
def test_an_archive_gives_the_reviews_that_it_unpacks_to(unpacked, tmp_path, name):
    (tmp_path / "packed").mkdir()
    pack(unpacked, tmp_path / "packed", name)
    for split in imdb.SPLITS:
        assert imdb.reviews(tmp_path / "packed", split) == imdb.reviews(unpacked, split)


def test_a_damaged_archive_is_refused(unpacked, tmp_path):
    (tmp_path / "packed").mkdir()
    pack(unpacked, tmp_path / "packed")
    path = tmp_path / "packed" / "aclImdb_v1.tar.gz"
    for content in (path.read_bytes()[:200], b"no archive"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="cannot be read"):
            imdb.reviews(tmp_path / "packed", "train")


def test_an_archive_that_is_damaged_in_the_middle_is_refused(unpacked, tmp_path):
    """tarfile takes the damaged entry for the end, so only the checksum tells."""
    (tmp_path / "packed").mkdir()
    pack(unpacked, tmp_path / "packed")
    path = tmp_path / "packed" / "aclImdb_v1.tar.gz"
    content = bytearray(gzip.decompress(path.read_bytes()))
    entry = content.index(b"aclImdb/train/pos")
    content[entry : entry + 8] = b"damaged!"
    good = gzip.compress(bytes(content), mtime=0)
    path.write_bytes(good[:-8] + b"\0" * 4 + good[-4:])  # with a wrong checksum
    with pytest.raises(ValueError, match="cannot be read"):
        imdb.reviews(tmp_path / "packed", "train")


def test_an_archive_without_reviews_is_refused(tmp_path):
    (tmp_path / "aclImdb").mkdir()
    with pytest.raises(ValueError, match="holds no reviews of the train split"):
        imdb.reviews(tmp_path, "train")
