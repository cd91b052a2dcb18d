"""Tables as CSV files, in which no text is a formula."""

import io

import pandas as pd
import pyarrow as pa

from dashboard.pages.corpus.results import _to_csv
from dashboard.screen.spreadsheet import to_csv

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-LRB-", "\t-1"]
HARMLESS = ["a\r=b", "-1.5", "+2e3", "", "'=1", " =1"]


def test_texts_become_no_formulas_and_numbers_stay():
    table = pd.DataFrame(
        {
            "=text": FORMULAS + HARMLESS,
            "number": [-1.5] * len(FORMULAS + HARMLESS),
            "mixed": [-1, "-a", None, *"b" * 11],
        }
    )
    read = pd.read_csv(io.StringIO(to_csv(table)), keep_default_na=False)
    assert list(read.columns) == ["'=text", "number", "mixed"]
    assert read["'=text"].tolist() == [f"'{text}" for text in FORMULAS] + HARMLESS
    assert read["number"].tolist() == [-1.5] * len(table)
    assert read["mixed"].tolist()[:4] == ["-1", "'-a", "", "b"]


def test_texts_of_the_corpus_page_become_no_formulas():
    rows = pa.table({"number": [1, 2], "settled_at": pa.array([None, 3]), "text": ["=1+1", None]})
    assert _to_csv(rows).splitlines() == ["number,settled_at,text", "1,,'=1+1", "2,3,"]
