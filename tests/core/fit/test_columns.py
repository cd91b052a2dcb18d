"""The guesses of the columns with texts and labels."""

import tracemalloc

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.fit.columns import choose_columns
from tests.core.fit.files import reviews, write_rows


def test_columns_are_found_by_their_names(tmp_path):
    rows = [(str(k), text, label, "x" * 99) for k, (text, label) in enumerate(reviews())]
    file = write_rows(tmp_path / "a.csv", rows, ("id", "Message", "kind", "notes"))
    columns = choose_columns(file)
    assert (columns.text, columns.label) == ("Message", "kind")
    assert str(columns) == "Texts are in the column Message (guessed), labels in kind (guessed)."


def test_columns_are_found_by_what_they_hold(tmp_path):
    rows = [(str(k), label, text) for k, (text, label) in enumerate(reviews())]
    columns = choose_columns(write_rows(tmp_path / "a.csv", rows, ("one", "two", "three")))
    assert (columns.text, columns.label) == ("three", "two")


def test_given_columns_are_kept(tmp_path):
    file = write_rows(tmp_path / "a.csv", reviews())
    assert str(choose_columns(file, "review", "stars")) == "Texts are in the column review, labels in stars."
    for given, error in [(("text", None), "has no column 'text'"), (("stars", "stars"), "are both in the column")]:
        with pytest.raises(ValueError, match=error):
            choose_columns(file, *given)


def test_a_file_without_labels_is_refused(tmp_path):
    file = write_rows(tmp_path / "a.csv", [(f"text {k}", str(k)) for k in range(60)], ("review", "code"))
    with pytest.raises(ValueError, match="has no column with 2 to 50 different values besides 'review'"):
        choose_columns(file)
    (tmp_path / "b.txt").write_text("one\ntwo\n")
    with pytest.raises(ValueError, match="has one column, wanted two"):
        choose_columns(tmp_path / "b.txt")


def test_a_text_that_many_rows_share_is_read_once(tmp_path):
    shared = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int32()), pa.array(["x" * 1_000_000]))
    columns = {"one": shared, "two": [k % 2 for k in range(1000)], "three": [[k] for k in range(1000)]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    tracemalloc.start()
    columns = choose_columns(tmp_path / "a.parquet")
    assert tracemalloc.get_traced_memory()[1] < 50_000_000  # a copy for each row would take a gigabyte
    tracemalloc.stop()
    assert (columns.text, columns.label) == ("one", "two")
