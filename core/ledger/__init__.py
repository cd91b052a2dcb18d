"""The ledger: claims of the five papers, beside what was measured here.

A module for each paper holds its claims. Numbers are read from the files that measurements left, and never typed.
"""

import pandas as pd

from core.ledger import agt, cccaps, dragg, drnn, em
from core.ledger.claim import Claim

PAPERS = {
    dragg.PAPER: "Gong et al. 2018",
    cccaps.PAPER: "Ren and Lu 2022",
    agt.PAPER: "Guo 2017",
    drnn.PAPER: "Wang 2018",
    em.PAPER: "Heinsen 2019",
}
CLAIMS: tuple[Claim, ...] = tuple(claim for paper in (dragg, cccaps, agt, drnn, em) for claim in paper.CLAIMS)


def read(paper: str = "", file: str = "") -> pd.DataFrame:
    """A row for each claim, as ``Claim.row`` has it.

    Args:
        paper: a key of ``PAPERS``; all if empty.
        file: only claims that this file under pretrained/ can judge; all if empty.
    """
    chosen = [claim for claim in CLAIMS if paper in ("", claim.paper) and file in ("", claim.file)]
    return pd.DataFrame([claim.row() for claim in chosen])
