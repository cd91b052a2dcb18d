"""The texts of a file, in each format: good rows, bad rows, and files that cannot be read."""

import gzip
import json
import tracemalloc
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.batch.separated import TOO_MANY
from core.batch.shards import ShardReader, count_shards, start_of
from core.batch.texts import KEPT, MAX_CHARACTERS, TOO_LONG, column_names, read_column, read_columns, read_texts
from tests import hostile_files

TEXTS = ["A good film.", 'It is "bad", is it?', "", "two\nlines", "<b>déjà vu</b> 👩‍👩‍👧"]


@pytest.fixture
def write(tmp_path):
    """A function that writes columns to a file in the format of its suffix."""

    def write(suffix, columns):
        path = tmp_path / f"texts{suffix}"
        if suffix == ".parquet":
            pq.write_table(pa.table(columns), path)
        elif suffix == ".csv":
            rows = zip(*columns.values(), strict=True)
            quoted = [[f'"{value.replace(chr(34), chr(34) * 2)}"' for value in row] for row in [columns, *rows]]
            path.write_text("".join(",".join(row) + "\n" for row in quoted), encoding="utf-8-sig")
        elif suffix == ".jsonl":
            rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            path.write_text("".join(f"{text}\n" for text in columns["text"]), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_every_format_gives_the_texts_as_they_are(write, suffix):
    path = write(suffix, {"label": ["1"] * 5, "text": TEXTS, "review": TEXTS[::-1]})
    assert column_names(path) == ["label", "text", "review"]
    assert [row.text for row in read_texts(path)] == TEXTS
    assert [row.text for row in read_texts(path, "review")] == TEXTS[::-1]
    with pytest.raises(ValueError, match="has no column 'words': name one of label, text, review"):
        read_texts(path, "words")


def test_a_line_of_a_text_file_is_a_text(write):
    path = write(".txt", {"text": [*TEXTS[:3], "last"]})
    assert [row.text for row in read_texts(path)] == [*TEXTS[:3], "last"]
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    assert [row.text for row in read_texts(path)] == ["one", "two"]


def test_the_only_column_needs_no_name(write):
    assert [row.text for row in read_texts(write(".parquet", {"review": TEXTS}))] == TEXTS


def errors(path, column=None):
    """The errors of the rows; None for a row that can be run."""
    return [row.error.removesuffix(" Its first 1,000 are kept here.") or None for row in read_texts(path, column)]


def test_bad_lines_of_json_are_rows_with_errors(tmp_path):
    path = tmp_path / "texts.jsonl"
    lines = ['{"text": "good"}', "{", '{"text": 3}', "[]", '{"other": 1}', "[" * 100_000, '{"text": "\\ud800 film"}']
    path.write_text("\n".join(lines))
    assert errors(path) == [
        None,
        "This line is not JSON.",
        "This row holds a value of type int, wanted text.",
        "This line is not a JSON object.",
        "This row has no text.",
        "This line is not JSON.",
        None,
    ]
    assert list(read_texts(path))[-1].text == "? film"


def test_bad_rows_of_csv_are_rows_with_errors(tmp_path):
    path = tmp_path / "texts.csv"
    long = b"x" * 200_000
    rows = [b"label,text", b"1,good", b"1", b"", b'1,"%b"' % long, b"1,", b"1,%b" % long[:100_001], b"1,caf\xe9"]
    rows += [b"1,%b" % (b"x" * (1 << 21)), b"1,a good, long film", b"1,a good film,,", b'1,"a "good" film"']
    path.write_bytes(b"\n".join(rows))
    no_text, not_text = "This row has no text.", "This row is not UTF-8 text."
    wanted = [None, no_text, no_text, TOO_LONG, None, TOO_LONG, not_text, TOO_LONG, TOO_MANY, None, None]
    assert errors(path) == wanted
    kept = [row.text for row in read_texts(path)]
    assert (kept[3], kept[6], kept[10]) == ("x" * KEPT, "caf?", 'a good" film"')


def test_a_row_with_too_many_values_gives_none_to_another_column(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("text,label\nA film, warm and good,pos\ngood,pos\n")
    assert errors(path) == [TOO_MANY, None]
    (table,) = read_columns(path, ["label", "text"])
    assert table.to_pydict() == {"label": [None, "pos"], "text": [None, "good"]}


@pytest.mark.parametrize("after", ['3,"good"\n', '3,"good"', "3,good\n", ""])
@pytest.mark.parametrize("name", ["texts.csv", "texts.tsv"])
def test_a_quote_that_is_never_closed_is_refused_with_its_line(tmp_path, name, after):
    """Otherwise the rest of the file would be one text."""
    path = tmp_path / name
    rows = 'label,text\n1,"two\nlines"\n2,"never closed\n' + after * 500
    path.write_text(rows.replace(",", "\t") if name.endswith("tsv") else rows)
    with pytest.raises(ValueError, match=f"{name} has a row in line 4 whose quotes do not match"):
        list(read_texts(path))


def test_a_quote_that_is_never_closed_takes_little_memory(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text('text\n"' + "never closed\n" * 1_000_000)
    tracemalloc.start()
    with pytest.raises(ValueError, match="a row in line 2"):
        list(read_texts(path))
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_recognized(tmp_path, separator):
    path = tmp_path / "texts.csv"
    rows = ["id;text", '1;"good; or, bad|fine\tso so"', "2;one, two | three", "3"]
    quoted = [row.replace(";", separator, 1) for row in rows]
    quoted[2] = quoted[2].replace("one, two | three", '"one, two | three"')
    path.write_text("\n".join(quoted))
    assert column_names(path) == ["id", "text"]
    assert [row.text for row in read_texts(path)] == ["good; or, bad|fine\tso so", "one, two | three", None]


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        ("\n\r\nid;text\n\n1;good\n", ["id", "text"]),
        ("id,text,,\n,,,\n1,good,,\n", ["id", "text", "column 3", "column 4"]),
        ("\ufeffsep=|\nid|text\n2\n1|good, or; so", ["id", "text"]),
    ],
)
def test_marks_of_spreadsheets_are_not_column_names(tmp_path, content, columns):
    path = tmp_path / "texts.csv"
    path.write_text(content, encoding="utf-8")
    assert column_names(path) == columns
    texts = [row.text for row in read_texts(path)]
    assert len(texts) == 2
    assert texts[1].startswith("good")


def test_a_single_column_may_hold_any_separator_but_the_usual_one(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("review\ngood; or bad\na|b\ngood, or bad\n")
    assert errors(path) == [None, None, TOO_MANY]


def test_the_separator_is_recognized_before_a_long_value(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("id;text\n1;good\n2;" + "x" * (1 << 21))
    assert errors(path) == [None, TOO_LONG]


def test_quotes_inside_a_text_of_many_lines_are_explained(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text('id,text\n1,"First line.\nHe said "wow" and left."\n2,fine\n')
    with pytest.raises(ValueError, match=r"a row in line 2 whose quotes do not match: .* double those inside a text"):
        list(read_texts(path))


def test_a_name_that_only_a_late_line_has_is_a_column(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text('{"text": "good"}\n' * 1100 + '{"text": "bad", "id": 1}\n')
    assert column_names(path) == ["text", "id"]


def test_gzipped_files_are_read_and_damaged_ones_refused(write):
    path = write(".csv", {"text": TEXTS, "n": TEXTS})
    packed = path.with_name("texts.CSV.gz")
    content = gzip.compress(path.read_bytes())
    packed.write_bytes(content)
    assert [row.text for row in read_texts(packed)] == TEXTS
    for damaged in (content[:-9], b"text\n", content[:30] + b"\xff" * 30):
        packed.write_bytes(damaged)
        with pytest.raises(ValueError, match="cannot be unpacked: it is damaged or ends too soon"):
            list(read_texts(packed))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_two_columns_of_one_name_are_refused(tmp_path, suffix):
    path = tmp_path / f"texts{suffix}"
    if suffix == ".csv":
        path.write_text("text,id,text\na,1,b\n")
    else:
        pq.write_table(pa.Table.from_arrays([pa.array(["a"])] * 2, names=["text", "text"]), path)
    with pytest.raises(ValueError, match="has two columns named 'text': rename one of them"):
        read_texts(path)


def test_values_of_parquet_that_are_no_text_are_rows_with_errors(tmp_path):
    path = tmp_path / "texts.parquet"
    pq.write_table(pa.table({"text": pa.array(["good", None, "x" * (MAX_CHARACTERS + 1)]), "n": [1, 2, 3]}), path)
    assert errors(path) == [None, "This row has no text.", TOO_LONG]
    assert errors(path, "n") == ["This row holds a value of type int, wanted text."] * 3


def test_a_file_of_any_size_takes_little_memory(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("label,text\n" + "1,a good film that is not bad at all\n" * 100_000)
    tracemalloc.start()
    assert sum(1 for _ in read_texts(path)) == 100_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_a_long_text_that_many_rows_share_takes_little_memory(tmp_path):
    """The file has a few kilobytes, and its texts together would have ten gigabytes."""
    path = tmp_path / "texts.parquet"
    shared = pa.DictionaryArray.from_arrays(pa.array([0] * 10_000, pa.int32()), pa.array(["x" * 1_000_000]))
    pq.write_table(pa.table({"text": shared}), path)
    before = pa.total_allocated_bytes()
    for row in read_texts(path):
        assert row.error.startswith(TOO_LONG)
        assert pa.total_allocated_bytes() - before < 50_000_000


def test_a_text_that_many_rows_share_is_made_once(tmp_path):
    path = tmp_path / "texts.parquet"
    shared = pa.DictionaryArray.from_arrays(pa.array([0, 1, None] * 1000, pa.int32()), pa.array(["good", "bad"]))
    pq.write_table(pa.table({"text": shared}), path)
    texts = list(read_column(path, "text"))  # several batches
    assert texts == ["good", "bad", None] * 1000
    assert len({id(text) for text in texts}) == 3


@pytest.mark.parametrize(
    ("suffix", "content", "message"),
    [
        (
            ".parquet",
            partial(hostile_files.shared_bytes, 2),
            "column text of texts.parquet holds values of type bin",
        ),
        (".parquet", partial(hostile_files.nested_texts, 2), "holds values of type list<element: string>, wanted text"),
        (".parquet", partial(hostile_files.parquet_columns, 10_001), "has 10,001 columns, wanted at most 10,000"),
        (".csv", hostile_files.csv_commas, "has 4,194,305 columns, wanted at most 10,000"),
        (".jsonl", partial(hostile_files.json_names, 10_001), "has 10,001 columns, wanted at most 10,000"),
        (".jsonl", partial(hostile_files.json_new_names, 10_001), "has 10,001 columns, wanted at most 10,000"),
    ],
)
def test_a_hostile_file_is_refused_before_it_is_read(tmp_path, suffix, content, message):
    (tmp_path / f"texts{suffix}").write_bytes(content())
    with pytest.raises(ValueError, match=message):
        list(read_texts(tmp_path / f"texts{suffix}"))


def test_parquet_gives_texts_and_numbers_among_other_columns(tmp_path):
    path = tmp_path / "texts.parquet"
    labels = pa.array([3, 4, 3]).dictionary_encode()
    texts = pa.array(["a", "b", "a"]).dictionary_encode()
    pq.write_table(pa.table({"text": texts, "label": labels, "more": [["x"]] * 3}), path)
    assert [row.text for row in read_texts(path)] == ["a", "b", "a"]
    assert list(read_column(path, "label")) == [3, 4, 3]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("texts.pdf", b"", "texts.pdf is not one of .txt, .csv, .tsv, .jsonl, .parquet"),
        ("texts.parquet", b"PAR1", "cannot be read as Parquet"),
        ("texts.jsonl", b"{\n[]", "none of its lines is an object"),
        ("texts.csv", b"", "has no columns"),
        ("texts.csv", "text,catégorie\na,b\n".encode("latin-1"), "names that are not UTF-8 text: save it as UTF-8"),
        ("texts.csv", "text\na\n".encode("utf-16"), "names that are not UTF-8 text: save it as UTF-8"),
        ("texts.jsonl", b'{"\\ud800": "a"}', "names that are not UTF-8 text: save it as UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_gives_one_sentence(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        list(read_texts(tmp_path / name))


def test_a_column_without_a_name_is_read_by_its_empty_name(write):
    path = write(".csv", {"text": ["a"], "": ["b"]})
    assert [row.text for row in read_texts(path, "")] == ["b"]


def test_shards_hold_the_rows_in_order_however_they_are_read(write):
    path = write(".txt", {"text": [str(k) for k in range(2500)]})
    assert [start_of(shard) for shard in range(8)] == [0, 32, 96, 224, 480, 992, 2016, 3040]
    assert [count_shards(n) for n in (0, 1, 32, 33, 2500)] == [0, 1, 1, 2, 7]
    reader = ShardReader(path, "text")
    for order in (range(7), (4, 6, 1, 1)):
        for shard in order:
            wanted = range(start_of(shard), min(start_of(shard + 1), 2500))
            assert [row.text for row in reader.read(shard)] == [str(k) for k in wanted]
