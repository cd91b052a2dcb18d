"""Texts of the page Claims, which the address and the folder call ledger."""

from core.analysis.verdict import Verdict

QUESTION = "Which findings of the five papers hold here?"
MEANINGS = {
    Verdict.REPRODUCED: "Our 95% interval contains the paper's number or lies above it, the difference that the paper "
    "reports goes the same way beyond chance, or we observed the same.",
    Verdict.DOES_NOT_HOLD: "Our 95% interval lies below the paper's number, the difference goes the other way beyond "
    "chance, or we observed something else.",
    Verdict.INCONCLUSIVE: "The 95% interval of the difference contains 0, so we cannot tell which way it goes.",
    Verdict.OTHER_CONDITIONS: "Our training data or protocol differ from the paper's in a way that matters for this "
    "claim, so our number says nothing about it. The note says what differs most.",
    Verdict.NOT_MEASURED: "Nothing here can judge the claim yet. The table says why, or names the command.",
}
VERDICTS = tuple(verdict.value for verdict in MEANINGS)
NONE = "No claim matches these choices."
DEFINITIONS = (
    "\n".join(f"- **{verdict.capitalize()}**: {meaning}" for verdict, meaning in MEANINGS.items())
    + """
- **A claim** is a number or a sentence of a paper that a measurement can support or contradict. Numbers of the papers
  have no intervals. A star marks what one cell of a table shows although the paper's text does not claim it for all
  of its datasets. Numbers of parameters are claims, too, but not findings: the headline counts them separately.
- **Here** is our number, from the file that the command writes. It is an accuracy on the official test split (for
  DBpedia, on texts held out of a sample of its training split), a difference of two mean accuracies, or what we saw.
- **A number depends on its conditions.** An accuracy tests the paper's only if data and protocol are the same. *A
  difference* compares two networks that we trained and tested in the same way. So it tests the paper's even if both
  learned from fewer texts. It does not if we changed what the claim is about, such as the corpus or the first weights.
- **Intervals** are 95% intervals over the test texts and, where there are several seeds, over the seeds, with Student's
  quantile. A difference is beyond chance if its interval does not contain 0.
- **Unpaired**: we have no record of which texts each network answered correctly, so the interval is computed as if the
  networks had answered different texts. Such an interval may be too wide, but not too narrow. For all other
  differences, we compare the answers to each text.
- **Observations** without an interval follow a rule that is fixed in `core/ledger`. For example, the plain unit of
  DRNN collapses if its mean error beyond a window of 10 is more than 1.5 times that up to 10. A best window or number
  of iterations is reproduced if it is better than the best of the others beyond chance.
- **What does not hold here is not refuted.** Most of our networks are smaller than the papers' and learned from fewer
  texts. The card of each network says where its training departs.
- **One network, two claims.** The card of a shipped network shows its own accuracy. Where we also trained the network
  as its paper says, the claim has the accuracy of those trainings, and its note names the shipped network.
"""
)
