"""The ledger: claims of the five papers, with what was measured here.

A module for each paper holds its claims. Numbers are read from the files that measurements left, and never typed.
"""

import pandas as pd

from core.ledger import agt, cccaps, dragg, drnn, em
from core.ledger.claim import COLUMNS, Claim
from core.near import did_you_mean

PAPERS = {
    dragg.PAPER: "Gong et al. 2018",
    cccaps.PAPER: "Ren and Lu 2022",
    agt.PAPER: "Guo 2017",
    drnn.PAPER: "Wang 2018",
    em.PAPER: "Heinsen 2019",
}
CLAIMS: tuple[Claim, ...] = tuple(claim for paper in (dragg, cccaps, agt, drnn, em) for claim in paper.CLAIMS)


def read(paper: str = "", file: str = "", verdict: str = "") -> pd.DataFrame:
    """A row for each claim, as ``Claim.row`` has it.

    Args:
        paper: a key of ``PAPERS``; all if empty.
        file: only claims that this file under pretrained/ can judge; all if empty.
        verdict: a value of ``core.analysis.verdict.Verdict``; all if empty.

    Raises:
        ValueError: there is no such paper.
    """
    if paper and paper not in PAPERS:
        raise ValueError(f"there is no paper {paper!r}. {did_you_mean(paper, PAPERS, otherwise='Choose from')}")
    chosen = [claim for claim in CLAIMS if paper in ("", claim.paper) and file in ("", claim.file)]
    rows = [row for claim in chosen if (row := claim.row()) and verdict in ("", row["verdict"])]
    return pd.DataFrame(rows, columns=COLUMNS)
