"""Texts of the Ledger page."""

QUESTION = "Which claims of the five papers hold here?"
MEANINGS = {
    "agrees": "What was measured here bears the claim out: an accuracy above the paper's, a difference whose whole 95% "
    "interval is on the claim's side, or an observation that was made here too.",
    "within chance": "The 95% interval contains the paper's number, or no difference at all: this measurement cannot "
    "tell.",
    "does not agree": "What was measured here contradicts the claim, with the networks, texts and training sizes used "
    "here; the paper's may differ.",
    "not measured": "Nothing here can judge the claim yet; the table says why, or which command would measure it.",
}
VERDICTS = tuple(MEANINGS)
NONE = "No claim matches these choices."
DEFINITIONS = """
- **A claim** is a number or a sentence of a paper that a measurement can bear out or speak against. Numbers of the
  papers have no intervals.
  A claim with a star is what one cell of a table shows; the paper's text, on all of its datasets, does not claim it.
- **Here** is read from the file that its command leaves: an accuracy on the official test split (for DBpedia, on texts
  held out of a sample of its training split), a difference of two mean accuracies, or a sentence on what was observed.
- **Intervals** are 95% intervals over the test texts, and over the seeds where there are several. An accuracy is within
  chance of the paper's if its interval contains it, and a difference is within chance if its interval contains 0. A
  difference is taken as if both networks had been tested on other texts, so its interval is too wide, never too narrow.
- **Observations** without an interval agree by a rule that is fixed in `core/ledger`: a best window within a factor of
  two of the paper's, say.
- **Does not agree** is no refutation: most networks here are smaller than the papers', and learn from fewer texts. Each
  checkpoint's card says where its training departs.
"""
