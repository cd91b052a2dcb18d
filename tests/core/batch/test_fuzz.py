"""Any bytes are read row by row or refused in one sentence, in little memory."""

import io
import json
import random
import resource
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.batch.texts import MAX_CHARACTERS, Row, column_names, read_texts

N = 1250  # mutated files of each format: 5,000 together
MAX_GROWTH = 300 * 2**20  # bytes by which the memory of the process may grow over all of them
TEXTS = ["A good film.", 'It is "bad", is it?', "", "two\nlines", "<b>déjà vu</b> 👩‍👩‍👧", "x" * 3000, *"abc"]


def parquet(**options) -> bytes:
    """A Parquet file with the texts and two other columns."""
    content = io.BytesIO()
    columns = {
        "text": pa.array([*TEXTS, None]),
        "label": pa.array(range(len(TEXTS) + 1)),
        "more": pa.array([["a"]] * 10),
    }
    pq.write_table(pa.table(columns), content, **options)
    return content.getvalue()


SEEDS = {
    ".txt": ["\n".join(TEXTS).encode()],
    ".csv": [b"text,label\n" + b'"A ""good"" film.",1\n"two\nlines",2\nplain,3\n,\n' * 5],
    ".jsonl": ["\n".join(json.dumps({"text": text, "n": [1, {"a": None}]}) for text in TEXTS).encode()],
    ".parquet": [parquet(), parquet(compression="zstd"), parquet(use_dictionary=False, data_page_version="2.0")],
}
# Bytes that are put into files: marks of each format, and a long value.
PIECES = [b'"', b"\n", b"\r", b",", b"\x00", b"\xff", b"{", b"]", b"\\ud800", b"\xef\xbb\xbf", b"1e999", b"x" * 5000]


def mutated(seed: bytes, chance: random.Random) -> bytes:
    """The file with a few bytes changed, cut out, repeated or put in."""
    content = bytearray(seed)
    for _ in range(chance.randint(1, 8)):
        if chance.random() < 0.6:
            at = chance.randrange(len(content) + 1)
        else:  # near the end, where Parquet files have their footer
            at = max(0, len(content) - chance.randrange(400))
        change = chance.randrange(4)
        if change == 0 and at < len(content):
            content[at] = chance.choice([0, 1, 127, 255, chance.randrange(256)])
        elif change == 1:
            del content[at : at + chance.randrange(1, 40)]
        elif change == 2:
            content[at:at] = content[at : at + chance.randrange(1, 200)]
        else:
            content[at:at] = chance.choice(PIECES)
    return bytes(content)


@pytest.mark.parametrize("suffix", SEEDS)
def test_mutated_files_are_read_or_refused_in_little_memory(suffix, tmp_path):
    chance, path = random.Random(suffix), tmp_path / f"texts{suffix}"
    unit = 1 if sys.platform == "darwin" else 1024  # bytes that ru_maxrss counts as 1
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    for _ in range(N):
        path.write_bytes(mutated(chance.choice(SEEDS[suffix]), chance))
        try:
            names = column_names(path)
            rows = list(read_texts(path, chance.choice([None, *names])))
        except ValueError as error:
            assert "\n" not in str(error).strip()
            assert str(error)
        else:
            check(rows)
            "".join(names).encode()  # names of columns are shown in menus
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before < MAX_GROWTH


def check(rows: list[Row]) -> None:
    """Check that each row has a text or an error, and that the texts can be written to a table."""
    assert all(row.text is not None or row.error for row in rows)
    texts = [row.text for row in rows if row.text is not None]
    assert all(len(text) <= MAX_CHARACTERS for text in texts)
    pa.array(texts, pa.string())
