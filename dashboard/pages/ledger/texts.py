"""Texts of the Ledger page."""

from core.analysis.verdict import Verdict

QUESTION = "Which claims of the five papers hold here?"
MEANINGS = {
    Verdict.REPRODUCED: "Our 95% interval holds the paper's number, the claimed direction holds beyond chance, or an "
    "observation was made here too.",
    Verdict.ABOVE: "All of our 95% interval is above the paper's number.",
    Verdict.DOES_NOT_HOLD: "Our 95% interval is below the paper's number, the opposite direction holds beyond chance, "
    "or an observation was not made here.",
    Verdict.INCONCLUSIVE: "The measurement allows for either: the 95% interval of a difference contains 0.",
    Verdict.OTHER_CONDITIONS: "A number was measured here under other conditions than the paper's. Neither meeting "
    "the number nor missing it says anything about the paper's claim. The note names the difference that matters most.",
    Verdict.NOT_MEASURED: "Nothing here can judge the claim yet. The table says why, or names the command.",
}
VERDICTS = tuple(verdict.value for verdict in MEANINGS)
NONE = "No claim matches these choices."
DEFINITIONS = (
    "\n".join(f"- **{verdict.capitalize()}**: {meaning}" for verdict, meaning in MEANINGS.items())
    + """
- **A claim** is a number or a sentence of a paper that a measurement can support or contradict. Numbers of the
  papers have no intervals.
  A claim with a star is what one cell of a table shows; the paper's text, on all of its datasets, does not claim it.
- **Here** is read from the file that its command leaves: an accuracy on the official test split (for DBpedia, on texts
  held out of a sample of its training split), a difference of two mean accuracies, or a sentence on what was observed.
- **Intervals** are 95% intervals over the test texts and, where there are several seeds, over the seeds, with Student's
  quantile. A direction holds beyond chance if the interval of the difference does not contain 0.
- **Differences** are taken text by text, over texts that both networks answered. *Unpaired* ones are taken as if the
  networks had answered other texts, because it was not kept which texts each answers correctly: their intervals are too
  wide, never too narrow.
- **Observations** without an interval are judged by a rule that is fixed in `core/ledger`: the plain unit of DRNN
  collapses, say, if its error is half as high again beyond a window of 10. A best window or number of iterations is
  reproduced if it is better than the best of the others beyond chance.
- **A claim that does not hold** here is not refuted: most networks here are smaller than the papers', and learn from
  fewer texts. Each checkpoint's card says where its training departs.
"""
)
