"""Texts of the page Compare."""

QUESTION = "What changes between two runs?"
# The first texts: one word turns the prediction round, and the shares of the word after it.
EXAMPLES = ("The cast is superb, but the jokes are never funny.", "The cast is superb, but the jokes are funny.")
APPLY = "Runs the texts that you have changed. Ctrl+Enter and a click elsewhere do it, too."
NO_PINS = "Pin runs on the page of any model, or load a file of pinned runs."
OTHER_KIND = "The pictures of these two models have different rows, so we draw no difference. Their scales differ, too."
OTHER_SUMS = """In one model, the shares of each word sum to 1. In the other, the shares of each capsule sum to 1. These
are different quantities, so we draw no difference."""
MATCHED = """{What}s of two trainings have no common order. So we pair the {what}s that take similar shares of the same
{unit}s (the pairs with the smallest squared differences): {pairs}."""
IN_LABELS = "each label names a pair, left / right"
UNMATCHED = "Without a partner: {names}."
EDITS = """Changes inside the run, as on the command line: drop:never, replace:good=dull, couple:never,capsule 1=0.5,
couplings:uniform, freeze:1. Words and capsules also have numbers, which count from 0: drop:3, replace:2=dull,
capsule:1, couple:3,1=0.5."""
PICTURES = "This page compares only texts. To open a pinned run of pictures, choose it below, then “Open in its page”."
STEP = "Follow the slider, or stay at one iteration."
WEIGHTS = "The weights of {model} have changed since you pinned “{name}”, so the run may have other numbers now."
NOT_HERE = "{model} is not installed here."
NOT_SHOWN = """A cell that differs did not necessarily change the prediction. To find out, open the page of each run and
change that cell alone. Capsules of two trainings are paired by the words that they take from this text, but paired
capsules need not do the same. Words are aligned by spelling and order, not by what they do."""
