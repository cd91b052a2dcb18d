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
NO_ROUTING = "it does not route"
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
COUPLINGS_HURT = {YES: "with any couplings but the network's own", PARTLY: "with some other couplings"}
ITERATIONS_HURT = {YES: "with fewer iterations", PARTLY: "with some smaller numbers of iterations"}
CAUTION = """Integrated gradients rank the words of a text without the picture: they follow the answer back to each
word. Where no number of trainings is given, the evidence is that of one; another may behave differently. Compare the
rankings of words within one network. Do not compare percentage points of two networks: some are surer than others."""
DELETING = """A dot shows how much more the answer loses without a ranking's top words than without random words. It is
the mean over deleting the top 1, 5, 10, 20 and 50%. Right of the dashed line, a ranking finds words that matter."""
GIVING = """We add the words back one by one, the top ones first. A dot shows the answer's probability, averaged over
all steps. For a ranking that finds what matters, the dot is further right than for the random order."""
ORDER = """A word's effect is what the answer loses when this word alone is deleted. A dot compares a ranking with the
order of these effects: 1 is the same order, 0 an unrelated one, -1 the reverse."""
COUPLINGS = """We replace the couplings in every iteration. If the interval crosses the dashed line, we cannot tell
whether accuracy changed."""
ITERATIONS = """Accuracy with 1 to 6 iterations, minus accuracy with as many as in training. If the interval crosses the
dashed line, we cannot tell whether accuracy changed."""
CAPSULES = """Accuracy without one capsule, minus accuracy with all. If the interval crosses the dashed line, we cannot
tell whether the capsule is needed. A capsule is dead if its length (in EM routing, its activation) is below 0.1."""
MARKED = """Do the top words stand in phrases that people labelled with sentiment? If so, the picture is plausible; it
may still be unfaithful. (The labels say how people rated a phrase, not which words were their reasons.)"""
NOT_MEASURED = "Nobody has measured this network yet. {how}"
NONE = "This network has no figures for this measure."
READING = "Dot: a measured value. Line: its 95% interval over {sample}."
DEFINITIONS = DEFINITIONS = """
- **Answer**: the class that the network gives to the complete text. We follow its probability; in k-means
  networks, whose classes have lengths instead, we follow the length.
- **Masked**: the word is hidden after the network has read it, so its neighbours may carry some of it. **Removed**: the
  network reads the text without the word. Both ways make texts unlike those of training. AGT reads each word without
  its neighbours, so both ways are the same. In documents, we rank and delete sentences. In pictures, we rank and delete
  the 81 places of the grid; a removed place gets the mean grey.
- **Delete top words**: what the answer's probability loses without the top 1, 5, 10, 20 and 50% of the words, as the
  mean of these five losses. ERASER calls a loss comprehensiveness, and the mean AOPC (DeYoung et al. 2020, section 4).
- **Add top words**: the answer's mean probability while words are added one by one. It is also called the insertion
  area (Petsiuk et al. 2018).
- **Rank agreement**: Kendall's tau-b of the ranking and of the order by what the probability loses when each word
  alone is deleted (Jain and Wallace 2019).
- **Rankings**: the dominant capsule takes the largest share of the words; in reversed routing, it is the longest one.
  The deciding capsule is the one without which the answer loses most. “Deleting each word alone” ranks words by what
  their deletion costs; this ranking is hard to beat. Integrated gradients (Sundararajan et al. 2017) start from zero
  vectors and take 16 steps.
- **Couplings** are replaced in every iteration: by equal ones, by those of iteration 1, by the network's own
  couplings, shuffled among the words, by random ones (Dirichlet), or by those of another text of about the same length.
  We shuffle and draw anew for every 64 texts. Paik et al. 2019 and Gu and Tresp 2019 did this for capsules in vision.
- **One iteration** of EM routing has not read the text: its scores depend only on the number of words.
- **More iterations** of k-means routing change little: a coupling is a softmax of cosines, so even a perfect match gets
  at most 71% of 4 classes (88% of 2).
- **Human labels**: we mark the words of a phrase if the treebank labels the phrase with sentiment, and labels no
  smaller phrase inside it with sentiment.
- **Intervals** are 95% bootstrap intervals over the texts, from 1,000 resamples with a fixed seed. A difference
  compares the same texts, one by one. There are two exceptions: the gain over integrated gradients, and the gain of
  adding words. Their intervals are the widest that the intervals of their two parts allow.
"""
