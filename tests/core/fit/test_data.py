"""A file of own texts: read, checked and divided."""

import json
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.fit import data
from core.fit.columns import Columns
from tests.core.fit.files import reviews, write_rows

COLUMNS = Columns("review", "stars")


def read(tmp_path, rows, **options):
    return data.read(write_rows(tmp_path / "own.csv", rows), COLUMNS, **options)


def test_each_part_has_the_same_shares_and_no_text_twice(tmp_path):
    rows = reviews(100) + [(f"one more {k}", "good") for k in range(50)]
    own = read(tmp_path, rows)
    assert [len(part) for part in (own.train, own.dev, own.test)] == [105, 15, 30]
    assert own.classes == ("bad", "good")
    for part, n_good in ((own.train, 70), (own.dev, 10), (own.test, 20)):
        assert part.labels.count(1) == n_good
    texts = [tuple(words) for part in (own.train, own.dev, own.test) for words in part.words]
    assert len(set(texts)) == len(texts) == 150
    assert own.notes == ()


def test_the_same_file_is_divided_alike(tmp_path):
    first = read(tmp_path, reviews())
    data._read.cache_clear()
    assert read(tmp_path, reviews()).test.words == first.test.words


def test_repeated_texts_are_counted_and_left_out(tmp_path):
    rows = [*reviews(), ("A  warm film about number 0", "good"), ("both", "good"), ("both", "bad")]
    own = read(tmp_path, rows)
    assert len(own) == 60
    assert own.notes == (
        "1 row (row 61) is left out: a repeated text.",
        "2 rows (the first is row 62) are left out: a text that occurs with several labels.",
    )


def test_rows_without_text_or_label_are_left_out(tmp_path):
    long = "a" * (data.MAX_CHARACTERS + 1)
    own = read(tmp_path, [("", "good"), ("  ", "bad"), ("no label", ""), (long, "bad"), ("\u200b", "bad"), *reviews()])
    assert own.notes == (
        "2 rows (the first is row 1) are left out: without a text.",
        "1 row (row 3) is left out: without a label.",
        "1 row (row 4) is left out: a text of more than 100,000 characters.",
        "1 row (row 5) is left out: a text without a word.",
    )


def test_rows_in_another_encoding_are_left_out(tmp_path):
    file = write_rows(tmp_path / "own.csv", reviews())
    file.write_bytes(file.read_bytes() + "caf\u00e9,good\n".encode("latin-1"))
    assert data.read(file, COLUMNS).notes == ("1 row (row 61) is left out: not in UTF-8, so save the file as UTF-8.",)


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([(text, "good") for text, _ in reviews()], "All texts have the label 'good': at least two labels are needed."),
        ([*reviews(), ("x", "rare")], "The label 'rare', first in row 61, occurs once: each label needs at least 10"),
        ([*reviews(), ("x", "rare"), ("y", "rare")], "The label 'rare', first in row 61, occurs 2 times"),
        ([*reviews(), ("x", "Good")], "The label 'Good' of row 61 differs from 'good' of row 1 only by case or spaces"),
        ([*reviews(), ("x", "g" * 201)], "The label of row 61 has 201 characters, wanted at most 200"),
        ([(f"text {k}", str(k)) for k in range(60)], "has 60 different labels, wanted 2 to 50"),
        (
            [("", "good"), ("", "bad")],
            "no row with a text and a label in 'review' and 'stars': row 1, the first, is",
        ),
    ],
)
def test_bad_data_gets_one_sentence_with_its_row(tmp_path, rows, error):
    with pytest.raises(ValueError, match=error):
        read(tmp_path, rows)


def test_of_many_texts_a_random_sample_is_used(tmp_path):
    own = read(tmp_path, reviews(200), max_texts=100)
    assert len(own) == 100
    assert own.notes == ("A random sample of 100 of 200 different texts is used.",)


def test_labels_that_are_numbers_are_sorted_by_size(tmp_path):
    file = tmp_path / "own.jsonl"
    rows = [{"review": f"text {k} {label}", "stars": label} for label in (10, 2, 1.0) for k in range(10)]
    file.write_text("\n".join(map(json.dumps, rows)))
    assert data.read(file, COLUMNS).classes == ("1", "2", "10")


def test_labels_in_columns_of_floats_stay_apart(tmp_path):
    labels = [1000001.0, 1000002.0, 0.5, 0.1, math.nan]
    texts, stars = zip(*((f"text {k} {label}", label) for label in labels for k in range(10)), strict=True)
    pq.write_table(pa.table({"review": texts, "stars": pa.array(stars, pa.float32())}), tmp_path / "own.parquet")
    own = data.read(tmp_path / "own.parquet", COLUMNS)
    assert own.classes == ("0.1", "0.5", "1000001", "1000002")
    assert own.notes == ("10 rows (the first is row 41) are left out: without a label.",)


def test_a_label_is_rare_in_the_texts_that_are_used(tmp_path):
    rare = [(f"a rare text {k}", "rare") for k in range(12)]
    with pytest.raises(ValueError, match=r"'rare'.*in the random sample of 100 texts that is used: each label needs"):
        read(tmp_path, [*reviews(2000), *rare], max_texts=100)
    with pytest.raises(ValueError, match=r"'rare', first in row 61, occurs 2 times"):
        read(tmp_path, [*reviews(), *rare[:2], *(("\u200b" * k, "rare") for k in range(1, 12))])


def test_a_file_that_changes_is_read_again(tmp_path):
    assert read(tmp_path, reviews()).classes == ("bad", "good")
    renamed = [(text, {"bad": "no", "good": "yes"}[label]) for text, label in reviews()]
    assert read(tmp_path, renamed).classes == ("no", "yes")


def test_line_breaks_of_html_are_no_words(tmp_path):
    own = read(tmp_path, [(f"{text}<br />and so on", label) for text, label in reviews()])
    assert all(len(words) == 9 and words[-3:] == ["and", "so", "on"] for words in own.train.words)
