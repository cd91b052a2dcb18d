"""Tables as CSV."""

import io

import pandas as pd
import pyarrow as pa

from dashboard.pages.corpus.results import _to_csv
from dashboard.screen.spreadsheet import to_csv

RUN = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-LRB-", "\t-1"]
KEPT = ["a\r=b", "-1.5", "+2e3", "", "'=1", " =1"]


def test_no_text_of_a_table_is_a_formula_and_numbers_stay():
    table = pd.DataFrame(
        {"=text": RUN + KEPT, "number": [-1.5] * len(RUN + KEPT), "mixed": [-1, "-a", None, *"b" * 11]}
    )
    read = pd.read_csv(io.StringIO(to_csv(table)), keep_default_na=False)
    assert list(read.columns) == ["'=text", "number", "mixed"]
    assert read["'=text"].tolist() == [f"'{text}" for text in RUN] + KEPT
    assert read["number"].tolist() == [-1.5] * len(table)
    assert read["mixed"].tolist()[:4] == ["-1", "'-a", "", "b"]


def test_none_of_the_corpus_page_either():
    rows = pa.table({"number": [1, 2], "settled_at": pa.array([None, 3]), "text": ["=1+1", None]})
    assert _to_csv(rows).splitlines() == ["number,settled_at,text", "1,,'=1+1", "2,3,"]
