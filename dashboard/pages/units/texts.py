"""The fixed texts of the page Units."""

TITLE = "Units"
QUESTION = "What does a capsule, a part, a layer or a component mean, over many texts?"
FIND = "Find a word"
FIND_HELP = "Which unit takes this word most? Try “never” or “great”."
NOT_MEASURED = "The units of this network are not measured. `python -m core.measured units {name}` measures them."
DATA = "Measured on {data}."
PICTURES = "This network reads pictures, so it has no texts."
NOT_READ = "This {unit} is not among those that matter most in the sentences of the program."
ONE_IN_TENTH = (
    "One of the program's 500 sentences for each tenth of them, from the strongest activation to the weakest. In bold: "
    "the words of which it takes most."
)
IDEA = "Your rule: a regular expression that a word must match"
IDEA_HELP = "For example `^(not|never|no)$`, or `ly$`. The rule holds for a text that has such a word."
IDEA_HOW = (
    "A unit is active in a text if its activation is in the highest quarter. The rule is tested on the half of the "
    "program's sentences on which no rule was chosen."
)
AXES = {  # the axes of the scatter: quantity, title, format
    "How much it matters": ("matters", "change of the answer's probability without it, mean", ".1%"),
    "How static": ("between", "share of variance between texts; 0: the same word gets the same in every text", ".0%"),
    "How selective": ("selective", "share of words of which it takes twice the average or more", ".0%"),
    "How even": ("evenness", "entropy of what it takes; 100%: the same from every word", ".0%"),
    "How often idle": ("idle", "share of texts in which its removal changes nothing", ".0%"),
    "How often it decides": ("flips", "share of answers that change without it", ".1%"),
}
DEFINITIONS = """
- **Takes**: a unit takes from each word an amount: a capsule its coupling, a part its data used (D_use), a layer its
  attention, a feature capsule the length of the word's contribution, a component the value at the window's last word.
  It is divided by its mean over the text: 1 is an average word, 2 is twice as much.
- **Effect**: the probability of a class in the run, minus that in a run without the unit, as a mean over the texts with
  its 95% interval. Nothing else is changed, and the routing runs again.
- **Active**: in the quarter of the texts in which its activation is highest.
- **Between texts**: the part of the variance of what it takes that is not explained by the word itself. 0 is a static
  unit, which works like a list of words with weights.
- **Name**: a rule from a fixed list, such as “negations”, chosen on one half of the texts and scored on the other.
  A unit has a name only if its rule beats always giving the usual answer by more than chance, beats the rules of all
  other units on this unit, and is no other unit's rule.
- **What it does not show**: a name says what predicts the unit, not that the unit stands for it. A removal says what
  this network does without the unit, not what a network trained without it would do.
"""
