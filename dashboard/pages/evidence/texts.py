"""Texts of the Evidence page."""

QUESTION = "Does the picture tell the truth? Measured over test splits."
DELETING = """A ranking is faithful if the answer's probability falls quickly when its first words are deleted. Shown is
how much more is lost than without as many random words, the mean over the first 1, 5, 10, 20 and 50% of the words. To
the right of the dashed line the ranking finds the words that matter better than chance does, to the left worse."""
GIVING = """A ranking is faithful if its first words alone are enough for the answer: its dot then lies further right
than that of random words."""
ORDER = """1 is the very order of what each word's deletion changes, 0 an order that has nothing to do with it, and -1
the reverse."""
COUPLINGS = """If routing decides, accuracy falls when its couplings are replaced. Where a line touches the dashed one,
no fall is shown: it is at most as large as the line is long to the left."""
ITERATIONS = """What iterations are worth: accuracy with 1 to 6 of them, less that with the number of training. Where a
line touches the dashed one, the difference is within chance."""
CAPSULES = """Accuracy without one capsule at a time: where a line touches the dashed one, it is not shown that the
capsule is needed. A capsule is dead if its length is below .1, or its activation in EM routing. The capsules of k-means
networks are their classes, none of which can be spared, and are left out."""
MARKED = """What people expect is not what a network does: this measures how plausible a ranking is, not how faithful.
Labels of phrases are no rationales: nobody was asked which words decide."""
NOT_MEASURED = "Not measured yet: {names}. `python -m core evidence NAME --data DIR` measures one."
NONE = "No checkpoint has these figures yet: `python -m core evidence NAME --data DIR` measures one."
DEFINITIONS = """
- **Answer**: the class that the network gives to the complete text; its probability is followed. Of k-means networks,
  whose classes have lengths instead of probabilities, its length.
- **Masked**: the word takes part in nothing more; what the network read around it still carries it. **Removed**: the
  text is read without the word. Either way the text is unlike those of training. AGT reads no word around another, so
  both are the same there. Of documents, sentences are ranked and deleted; of pictures, the 81 places of the grid, and
  removed means that their pixels have the mean grey.
- **Deleting** (comprehensiveness of ERASER, and its mean, AOPC): the answer's probability less that without the first
  1, 5, 10, 20 and 50% of the words; the mean of the five. DeYoung et al. 2020, section 4.
- **Giving** (insertion area): the mean height of the answer's probability as words are given one after the other.
  Petsiuk et al. 2018.
- **Order**: Kendall's tau-b with how far the probability falls when each word alone is deleted. Jain and Wallace 2019.
- **Rankings**: the winning capsule takes most of the words (in reversed routing it is the longest), the deciding one is
  the one without which the answer loses most. Drop-one ranks by what each word's own deletion changes, which is hard to
  beat. Integrated gradients: Sundararajan et al. 2017, from zero vectors, 16 steps; of documents by the
  vectors of sentences.
- **Couplings** in every iteration: uniform; those of the first iteration; shuffled among the words; random (Dirichlet),
  both drawn anew for every 64 texts; the last ones of another text of about the same length. Paik et
  al. 2019 and Gu and Tresp 2019 ask this of capsule networks of pictures.
- **Marked words** stand in a phrase that the treebank labels with sentiment while no phrase inside it is so labelled.
- **Intervals** are 95% bootstrap intervals over the texts, 1,000 resamples with a fixed seed. Differences are taken on
  the same texts. *Within chance* means that the interval contains 0; for Giving, whose differences were not taken text
  by text, that the two intervals overlap.
- Networks differ in how sure they are of their answers, so compare the rankings of one network, within a row, and not
  one network with another (Edin et al. 2025).
"""
