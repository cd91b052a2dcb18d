"""The unpacked size of a Parquet file, computed from its pages only."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.batch.pages import BY_DIFFERENCE, pages

TABLE = pa.table({"text": ["A good film." * k for k in range(200)], "n": range(200), "more": [["a"]] * 200})


@pytest.mark.parametrize(
    "options",
    [
        {"compression": "zstd"},
        {"use_dictionary": False, "data_page_version": "2.0"},
        {"row_group_size": 50, "write_page_index": True, "write_page_checksum": True},
        {"compression": "none", "data_page_size": 100},
    ],
)
def test_pages_are_as_large_as_an_honest_footer_says(tmp_path, options):
    path = tmp_path / "texts.parquet"
    pq.write_table(TABLE, path, **options)
    about = pq.read_metadata(path)
    stated = sum(about.row_group(k).total_byte_size for k in range(about.num_row_groups))
    size = sum(page.size for page in pages(path))
    assert 0 < stated - size < 0.05 * stated  # the footer also counts the headers of the pages
    assert BY_DIFFERENCE not in {page.encoding for page in pages(path)}


def test_texts_written_as_differences_are_recognized(tmp_path):
    path = tmp_path / "texts.parquet"
    pq.write_table(TABLE, path, use_dictionary=False, column_encoding={"text": "DELTA_BYTE_ARRAY"})
    assert BY_DIFFERENCE in {page.encoding for page in pages(path)}


def test_a_damaged_file_gives_one_sentence(tmp_path):
    path = tmp_path / "texts.parquet"
    pq.write_table(TABLE, path)
    content = path.read_bytes()
    for damaged in (
        b"",
        content[:100],
        content[:4] + b"\xff" * 50 + content[54:],
        content[:4] + bytes(50) + content[54:],
    ):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"texts\.parquet cannot be read as Parquet: ."):
            list(pages(path))
