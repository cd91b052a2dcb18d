"""Texts of the Evidence page."""

from core.measured.evidence.scorecard import Reply

QUESTION = "Can the pictures be trusted? We tested them on whole test splits."
SAY = "So you may say …"
ROUTINGS = {  # the scorecard's rows, by how a network weighs words
    "reversed": "Reversed dynamic routing",
    "dynamic": "Standard dynamic routing",
    "k-means": "k-means routing",
    "EM": "EM routing",
    "attention": "Attention by layer (AGT)",
    "windows": "Windows (DRNN)",
    "none": "Without routing",
}
NO_ROUTING = "it has none"
YES, PARTLY, NO = Reply.YES, Reply.PARTLY, Reply.NO
NOTHING = "Nothing was tested."
FINDS = {
    YES: "The picture finds the words that matter",
    PARTLY: "The picture finds some of the words that matter",
    NO: "The picture does no better than random words",
}
GAINS = {
    YES: "it beats integrated gradients",
    PARTLY: "it beats integrated gradients in some tests",
    NO: "it does not beat integrated gradients",
    Reply.NOT_TESTED: "",
}
COUPLINGS_HURT = {YES: "with any couplings but its own", PARTLY: "with some of the other couplings that we tried"}
ITERATIONS_HURT = {YES: "with fewer iterations", PARTLY: "with some smaller numbers of iterations"}
CAUTION = """Each network was trained once; another training may behave differently. Compare a network's rankings with
each other, not one network with another: networks differ in how sure they are."""
DELETING = """Each dot: extra loss compared with deleting random words, averaged over deleting the top 1, 5, 10, 20 and
50%. Right of the dashed line, a ranking finds words that matter."""
GIVING = """Each dot: the answer's probability while we add words back, the top ones first, averaged over all steps. A
ranking that finds what matters lies further right than the random order."""
ORDER = """1 = exactly the order of the words' individual effects, 0 = an unrelated order, -1 = the reverse. A word's
effect is what the answer loses when this word alone is deleted."""
COUPLINGS = """We replace the couplings in every iteration. If the interval crosses the dashed line, we cannot tell
whether accuracy changed."""
ITERATIONS = """Accuracy with 1 to 6 iterations, compared with the number used in training. If the interval crosses the
dashed line, we cannot tell whether accuracy changed."""
CAPSULES = """Accuracy when one capsule is switched off. If the interval crosses the dashed line, we cannot tell whether
the capsule is needed. A capsule is dead if its length, or its activation in EM routing, is below 0.1."""
MARKED = """Do the top words stand in phrases that people labelled with sentiment? That makes a picture plausible, not
faithful. (Phrase labels are not human explanations.)"""
NOT_MEASURED = "Nobody has measured this network yet. {how}"
NONE = "This network has no such figures."
READING = "Dot: a measured value. Line: its 95% interval over {sample}."
DEFINITIONS = """
- **Answer**: the class that the network gives to the complete text. We follow its probability. The classes of k-means
  networks have lengths instead, so we follow the length.
- **Masked**: the word is hidden once the network has read it, so its neighbours may carry some of it. **Removed**: the
  network reads the text without the word. Neither text resembles those of training. AGT reads no word around another,
  so both are the same. Of documents we rank and delete sentences. Of pictures we rank and delete the 81 places of the
  grid; removed means that their pixels get the mean grey.
- **Delete top words**: comprehensiveness of ERASER, and its mean, AOPC. It is the answer's probability minus that
  without the top 1, 5, 10, 20 and 50% of the words; we take the mean of the five (DeYoung et al. 2020, section 4).
- **Add top words**: the insertion area, which is the mean probability as words are added one by one (Petsiuk et al.
  2018).
- **Rank agreement**: Kendall's tau-b with what the probability loses when each word alone is deleted (Jain and Wallace
  2019).
- **Rankings**: the winning capsule takes most of the words; in reversed routing it is the longest one. The deciding
  capsule is the one without which the answer loses most. Deleting each word alone ranks by what that word's deletion
  costs, which is hard to beat. Integrated gradients (Sundararajan et al. 2017) start from zero vectors, in 16 steps.
- **Couplings** are replaced in every iteration: by equal ones, by those of iteration 1, by the network's own shuffled
  among the words, by random ones (Dirichlet), or by those of another text of about the same length. New shuffled and
  random ones are drawn for every 64 texts. Paik et al. 2019 and Gu and Tresp 2019 did this for capsules in vision.
- **One iteration** of EM routing has not read the text: its scores depend only on the number of words.
- **Human labels**: a word counts as marked if the treebank labels its phrase with sentiment, and no smaller phrase
  inside it.
- **Intervals** are 95% bootstrap intervals over the texts, from 1,000 resamples with a fixed seed. Differences are
  taken on the same texts. The gain over integrated gradients, and that of adding words, were not taken text by text:
  their intervals are the widest that the two intervals allow.
"""
