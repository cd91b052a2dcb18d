"""Texts of the Compare page."""

QUESTION = "What changes between two runs?"
NO_PINS = (
    "No run is pinned yet. Every page of the group Watch has a button Pin; a file of pinned runs can be read here."
)
OTHER_KIND = """The two networks have no rows in common, so there is no difference to draw: each picture is on its own
scale."""
OTHER_SUMS = """In one network the shares of each word sum to 1, in the other those of each capsule. They are not the
same quantity, so there is no difference to draw."""
MATCHED = """{What}s of two trainings have no common order. Each {what} of A is compared with the {what} of B whose
shares of this text are most like its own."""
UNMATCHED = "Without a partner: {names}."
EDITS = """Changes inside the run, as on the command line: drop:never, replace:good=dull, couple:never,capsule 1=0.5,
couplings:uniform, freeze:1. In drop:3, replace:2=dull, capsule:1 and couple:3,1=0.5, words and capsules count
from 0."""
PICTURES = """This page lines up words, so pinned runs of pictures are not in these menus. Open them from the tab
Pinned runs."""
STEP = "Stand still at one iteration, or follow the slider."
WEIGHTS = "The weights of {model} have changed since “{name}” was pinned: its numbers may differ."
NOT_HERE = "{model} is not installed here."
NOT_SHOWN = """That a cell differs does not say that it made the classes differ: What if, on the page of each run,
changes one cell alone. Capsules of two trainings are matched by their shares of this text: that they take the same
words does not say that they do the same. Words are aligned by their spelling and order, not by what they do."""
