"""Texts of the page Claims, which the address and the folder call ledger."""

from core.analysis.verdict import Verdict

QUESTION = "Which findings of the five papers, and of their critics, hold here?"
MEANINGS = {
    Verdict.REPRODUCED: "Our 95% interval contains the paper's number or lies above it. For a difference: ours goes "
    "the same way, beyond chance. For an observation: we observed the same.",
    Verdict.DOES_NOT_HOLD: "Our 95% interval lies below the paper's number. For a difference: ours goes the other "
    "way, beyond chance. For an observation: we observed something else.",
    Verdict.INCONCLUSIVE: "The 95% interval of our difference contains 0, so the difference may go either way.",
    Verdict.OTHER_CONDITIONS: "Our training data or protocol differ from the paper's in a way that matters for this "
    "claim, so our number says nothing about the claim. The note says what differs most.",
    Verdict.NOT_MEASURED: "We cannot judge the claim yet. The table says why, or names the command that measures it.",
}
NAMES = {  # of the papers: the page that shows the paper's network, and the paper's own name for it
    "DR-AGG": "Dynamic routing (DR-AGG)",
    "CCCaps": "k-means routing (CCCaps)",
    "AGT": "Attention by layer (AGT)",
    "DRNN": "Windows (DRNN)",
    "EM routing": "EM routing",
    "Critics": "Critics of routing",
}
PLURALS = {"finding": "findings", "number of parameters": "numbers of parameters"}
VERDICTS = tuple(verdict.value for verdict in MEANINGS)
NONE = "No claim matches these choices."
DEFINITIONS = (
    "\n".join(f"- **{verdict.capitalize()}**: {meaning}" for verdict, meaning in MEANINGS.items())
    + """
- **A claim** is a number or a sentence of a paper that a measurement can support or contradict. The papers' numbers
  have no intervals. A star marks a claim that one cell of a paper's table supports, but that the paper's text does not
  make for all datasets. A number of parameters is a claim, but not a finding: the headline counts it separately.
- **Here** is our number, from the file that the command writes: an accuracy, a difference of two mean accuracies, or
  what we observed. We test on the official test split; for DBpedia, on texts held out of a sample of the training
  split.
- **A number depends on its conditions.** Our accuracy tests the paper's accuracy only if data and protocol are
  the same. Our *difference* compares two networks that we trained and tested in the same way. So it can test the
  paper's difference even if both networks learned from fewer texts. It is no test if we changed the thing that the
  paper's claim is about, such as the corpus or the first weights.
- **Intervals** are 95% intervals over the test texts. If there are several seeds, the intervals are over the seeds,
  too, with Student's quantile. A difference is beyond chance if its interval does not contain 0.
- **Unpaired**: we have no record of which texts each network answered correctly, so the interval is computed as if the
  networks had answered different texts. Such an interval may be too wide, but not too narrow. For all other
  differences, we compare the answers to each text.
- **Observations** without an interval are judged by a fixed rule in `core/ledger`. For example, DRNN's plain unit
  collapses if its mean error with windows above 10 is more than 1.5 times its mean error with windows up to 10.
- **A best window**, or a best number of iterations, is reproduced if it beats all other values beyond chance.
- **What does not hold here is not refuted.** Most of our networks are smaller than the papers' and learned from fewer
  texts. The card of each network says where its training differs from the paper's.
- **One network, two claims.** The card of a shipped network shows the accuracy of this network alone. If we also
  trained networks as the paper says, a claim has their mean accuracy, and its note names the shipped network.
"""
)
