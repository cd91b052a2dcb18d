"""AG's News, DBpedia and TREC in their official layouts."""

import gzip

import pytest

from core.datasets import ag_news, data_root, dbpedia, labelled_csv, read_split, trec


def test_news_by_hand(tmp_path):
    rows = [
        '"3","Fears for T N pension","Unions say they are\\""disappointed"" #39;now"',
        '"1","","  "',
        '"4","","A cost of  #36;10 &lt;b&gt;."',
    ]
    (tmp_path / "test.csv").write_text("\n".join(rows), encoding="utf-8")
    split = ag_news.texts(tmp_path, "test")
    assert split.labels == [2, 3]  # a row without a word is left out
    assert split.words[0][-6:] == ["are", '"', "disappointed", '"', "'", "now"]
    assert split.words[1] == ["A", "cost", "of", "$", "10", "<", "b", ">", "."]
    assert split.classes == ("World", "Sports", "Business", "Sci/Tech")


def test_a_whole_split_is_preferred_to_a_gzipped_sample(tmp_path):
    (tmp_path / "train.sample.csv.gz").write_bytes(gzip.compress(b'"14","","A novel."\n'))
    assert dbpedia.texts(tmp_path, "train").labels == [13]
    (tmp_path / "train.csv").write_text('"1","","A firm."\n"2","","A school."\n')
    assert dbpedia.texts(tmp_path, "train").labels == [0, 1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'"5","","a"\n', "row 1 is not class 1 to 4"),
        (b'"1","a"\n', "row 1 is not class 1 to 4"),
        (b'"x","a","b"\n', "row 1 is not class"),
        (b"\xff\xfe", "cannot be read"),
        (b'"1","a","' + b"b" * 200_000, "cannot be read"),
    ],
)
def test_files_of_another_kind_are_refused(tmp_path, content, message):
    (tmp_path / "test.csv").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        ag_news.texts(tmp_path, "test")


def test_a_damaged_archive_is_refused(tmp_path):
    content = gzip.compress(b'"1","","a"\n' * 99)
    for damaged in (content[:30], content[:12] + b"\xff" * 8 + content[20:]):
        (tmp_path / "test.csv.gz").write_bytes(damaged)
        with pytest.raises(ValueError, match="cannot be read"):
            ag_news.texts(tmp_path, "test")


@pytest.mark.parametrize(("corpus", "n"), [("ag_news", 4), ("dbpedia", 14), ("trec", 6), ("imdb", 2)])
def test_missing_splits_are_refused(tmp_path, corpus, n):
    with pytest.raises(ValueError, match="holds n"):
        read_split(corpus, tmp_path, "test", n)
    with pytest.raises(ValueError, match="split is 'dev' in"):
        read_split(corpus, tmp_path, "dev", n)
    with pytest.raises(ValueError, match=f"split is 'test' in {n + 1} classes"):
        read_split(corpus, tmp_path, "test", n + 1)


def test_questions_by_hand(tmp_path):
    (tmp_path / "TREC.test.all").write_bytes("4 Where is the Caf\xe9 ?\n5 How many ?\n".encode("latin-1"))
    split = trec.questions(tmp_path, "test")
    assert split.words == [["Where", "is", "the", "Caf\xe9", "?"], ["How", "many", "?"]]
    assert [split.classes[label] for label in split.labels] == ["location", "number"]
    for line in ("6 What ?", "What ?", "1", "\n1 What ?"):
        (tmp_path / "TREC.test.all").write_text(line)
        with pytest.raises(ValueError, match="line 1: wanted a label"):
            trec.questions(tmp_path, "test")


def test_character_references_without_ampersand_are_unescaped():
    assert labelled_csv.unescape("it #39;s &#36;5 &amp; AT&T\\now") == "it 's $5 & AT&T now"


@pytest.mark.parametrize(
    ("corpus", "split", "n_classes", "n"),
    [("ag_news", "test", 4, 7600), ("trec", "train", 6, 5452), ("trec", "test", 6, 500)],
)
def test_the_real_splits_have_their_official_sizes(corpus, split, n_classes, n):
    folder = data_root() / corpus
    if not folder.is_dir():
        pytest.skip(f"no {corpus} in {data_root()}: set ROUTESCOPE_DATA")
    assert len(read_split(corpus, folder, split, n_classes)) == n
