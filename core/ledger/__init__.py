"""The ledger: the claims of the five papers and of their critics, with our measurements.

Each paper's claims are in a module of their own. Numbers are read from the files of measurements, never typed.
"""

import pandas as pd

from core.ledger import agt, cccaps, critics, dragg, drnn, em
from core.ledger.claim import COLUMNS, Claim
from core.near import did_you_mean

PAPERS = {
    dragg.PAPER: "Gong et al. 2018",
    cccaps.PAPER: "Ren and Lu 2022",
    agt.PAPER: "Guo 2017",
    drnn.PAPER: "Wang 2018",
    em.PAPER: "Heinsen 2019",
    critics.PAPER: "critics of routing",
}
CLAIMS: tuple[Claim, ...] = tuple(claim for paper in (dragg, cccaps, agt, drnn, em, critics) for claim in paper.CLAIMS)


def read(paper: str = "", file: str = "", verdict: str = "") -> pd.DataFrame:
    """The ledger as a table, with one ``Claim.row`` per claim.

    Args:
        paper: a key of ``PAPERS``; all papers if empty.
        file: file under pretrained/ that judges the claims; all claims if empty.
        verdict: a value of ``core.analysis.verdict.Verdict``; all verdicts if empty.

    Raises:
        ValueError: there is no such paper.
    """
    if paper and paper not in PAPERS:
        raise ValueError(f"there is no paper {paper!r}. {did_you_mean(paper, PAPERS, otherwise='Choose from')}")
    chosen = [claim for claim in CLAIMS if paper in ("", claim.paper) and file in ("", claim.file)]
    rows = [row for claim in chosen if (row := claim.row()) and verdict in ("", row["verdict"])]
    return pd.DataFrame(rows, columns=COLUMNS)
