"""Texts of the page Compare."""

QUESTION = "What changes between two runs?"
# The first texts: one word turns the prediction round, and the shares of the word after it.
EXAMPLES = ("The cast is superb, but the jokes are never funny.", "The cast is superb, but the jokes are funny.")
NO_PINS = "Pin runs on the page of any model, or load a file of pinned runs."
OTHER_KIND = "These two models have different rows, so no difference can be drawn. Each picture has its own scale."
OTHER_SUMS = """In one model the shares of each word sum to 1, in the other the shares of each capsule. These are
different quantities, so no difference is drawn."""
MATCHED = """{What}s of two trainings have no common order. Each one is paired with the one that takes the same {unit}s
(the pairing with the smallest squared differences): {pairs}."""
IN_LABELS = "each label names both, left / right"
UNMATCHED = "Without a partner: {names}."
EDITS = """Changes inside the run, as on the command line: drop:never, replace:good=dull, couple:never,capsule 1=0.5,
couplings:uniform, freeze:1. In drop:3, replace:2=dull, capsule:1 and couple:3,1=0.5, words and capsules count
from 0."""
PICTURES = "This page compares texts. Pinned runs of pictures open in their own page, from the table of pinned runs."
STEP = "Follow the slider, or stay at one iteration."
WEIGHTS = "The weights of {model} have changed since “{name}” was pinned: its numbers may differ."
NOT_HERE = "{model} is not installed here."
NOT_SHOWN = """A cell that differs did not necessarily change the prediction: to find out, change that cell alone in
the page of each run. Capsules of two trainings are paired by the words that they take from this text; paired capsules
need not do the same. Words are aligned by spelling and order, not by what they do."""
