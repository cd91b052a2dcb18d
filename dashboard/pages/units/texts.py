"""The fixed texts of the page Units."""

from dashboard.figures.units import PlaneAxis

TITLE = "Units"
QUESTION = "What does a capsule, a part, a layer or a component mean, over many texts or pictures?"
WHICH = "Which {unit} …"
ANY = "matters, speaks for a class, is static …"  # before a question is chosen
FIND = "Which {unit} takes this {input} most?"
FIND_HELP = {"word": "Try “never” or “great”", "place": "Try “place 41”"}
RENAME = "Rename"
RENAME_HELP = "Only you see this name. It lasts until you close the page."
NOT_MEASURED = "The units of this network are not measured. `python -m core.measured units {name}` measures them."
NOT_MEASURED_HERE = "The units of this network are not measured. Measure them on texts of yours."
MEASURE_TAB, MEASURE = "Measure on my texts", "Measure"
HOW_MEASURED = (
    "The units of this network are measured on your texts in the background: on at most 10,000, evenly spaced in the "
    "file. That many texts of 20 words take a minute or two. Then the page is about your texts."
)
PRIVATE = (
    "Your file stays on the machine that runs Routescope, and is deleted when your session ends. It has one text in "
    "each row: .txt (a text on each line), .csv or .tsv (with a header), .jsonl or .parquet, up to 20 MB."
)
DATA = "A point is a {unit}; click one to open it. {by} on {data}."
PICTURES = "This network reads pictures, so it has no texts."
PAGE_LINK = {"word": "Open this network's page", "place": "Turn a toy in this network's page"}
TENTHS = (
    "A pair (its left picture) for each tenth of the measured pairs, with the class and the score; the tenth with the "
    "highest scores a comes first. The activation f(a) is the logistic of a, so it orders pairs alike."
)
NO_PICTURES = "A pair for each tenth; the tenth with the highest scores a comes first. Photographs are not kept."
AVERAGE = (
    "The average left picture of the tenth of the pairs in which its score is highest, minus that of all pairs, three "
    "times enlarged. Grey: no difference."
)
POSE = "Component {component}, which the azimuth explains best, as toys turn. 1 is a standard deviation within a toy."
VIEWED = (
    "Measured on {data}: {toys} toys in all azimuths and lights. A curve is fitted to all "
    "other toys: sines and cosines of the azimuth and of twice the azimuth, or a value for each elevation or light. "
    "The share is how much of the variance within a toy that curve predicts. No dot: the share is no more than chance, "
    "or its interval over the toys reaches 0. Chance is the largest share of any component in 19 of 20 shuffles of "
    "each toy's curve."
)
NOT_SHOWN = (
    "What it does not show: a component that each toy turns in its own way follows nothing here. Pairs count alike, "
    "whatever the part's activation f(a) is in them. A direction may be spread over several components, so a component "
    "is no meaning of its own. Nothing says that the answer depends on it."
)
SENTENCES, SPLIT, OWN = "Sentences of the program", "Test split", "Your text"
SHADED = "The darker a word, the more the unit takes from it; the darkest is the word of which it takes most."
NO_READING = "The sentences of the program were not run through this network."
NOT_READ = "This {unit} is not among those that matter most in the sentences of the program."
FILE, HELD_OUT, IN_ARCHIVE = "Your texts", "Held-out texts", "As the archive states"
NOT_CHECKED = "All of this is {stated}. The tab “{tab}” measures it here."
OF = {  # what is read
    SENTENCES: "One of the program's 500 sentences for each tenth of them",
    SPLIT: "One text of the test split for each tenth of them",
    FILE: "One of your texts for each tenth of them",
}
HOME = " They were written for this program: the figures above come from other texts."
ONE_IN_TENTH = (
    "{of}; the tenth with the strongest activations comes first. In bold: the words of which it takes most.{home}"
)
IDEA = "Is {unit} {number} active in texts that have one of these words? (words, or a regular expression)"
IDEA_HELP = "For example: not, never, no. Or ly$ for words that end in ly"
IDEA_HOW = (
    "Words are separated by commas. A regular expression may match any part of a word; ^ and $ stand for its ends. "
    "Upper and lower case are the same. Active: in the quarter of the texts in which its activation is highest."
)
IDEA_ON_SPLIT = (
    "The rule is tested on every second of the texts that were measured ({data}). The program chose its rules on the "
    "others."
)
IDEA_ON_SENTENCES = (
    "The rule is tested on every second of the program's 500 sentences, so its usual answer differs a little from that "
    "of the texts above. What it takes from the words is measured on those."
)
OTHER = "Second network"
NO_PARTNER = "No other network of this task, or with such units, is measured."
NO_TEXTS = "These two networks were not measured on the same texts."
UNMATCHED = "{unit} has no match: each unit there is matched with one that is more like it."
ALIKE = (
    "Measured on {data}, which both networks read. Two units are alike if they take much from the same words: the "
    "correlation of the amounts that they take from each word that is frequent in these texts. Activations are not "
    "compared, because the length of a capsule and the words of a layer are on different scales. Units are matched one "
    "with one, so that the sum of the correlations is largest."
)
STABLE = "In the training with seed {seed}, its match has correlation {here:.2f} (chance: {chance:.2f})."
PUSHES = (
    "To take a word is to use it, not to agree with it: the vote that comes with the word decides which classes gain, "
    "and so a {unit} can take “{word}” and still add to a class that “{word}” speaks against."
)
PREDICTS = (
    "A rule predicts what it takes, or when it is active: in the quarter of the {sample}s in which its {highest} is "
    "highest. What the {unit} does is its effect, and that may be on another class."
)
CITED = (
    "The amount that a {unit} takes from each {input} is 1 for an average {input} of its {sample}. The effect on a "
    "class is its probability with the {unit}, minus that without it, in points, with a 95% interval. "
)
CITED_ALL = "Each point is a {unit}. Across: {x}. Up: {y}. "
MEASURED = "Measured on {data}."
OPEN_TAB = "The open tab"
NOT_CITED = "What predicts a unit is not what it stands for, and a network trained without the unit may do otherwise."
RULE = "Of {rule}, it takes most from {words}. A rule must hold for all of them; the bars show any words."
AXES = {  # the axes of the plane, by their names in the menus
    "How much it matters": PlaneAxis("matters", "matters", "how far P(answer) moves without it"),
    "How much it varies": PlaneAxis(
        "between", "variance between {samples}", "how much the same {input} varies by {sample}"
    ),
    "How selective": PlaneAxis("selective", "takes twice the average from", "inputs with twice the average"),
    "How even": PlaneAxis("evenness", "evenness", "evenness; 100%: takes all alike"),
    "How often idle": PlaneAxis("idle", "idle in", "{samples} in which it does nothing"),
    "How often it decides": PlaneAxis("flips", "decides", "answers that change without it"),
    "How stable": PlaneAxis(
        "stable", "correlation with its match", "correlation with its match in other trainings", False
    ),
}
DEFINITIONS = """
- **Takes**: a unit takes from each word an amount: a capsule its coupling, a part its data used (D_use), a layer its
  attention, a feature capsule the length of the word's contribution, a component the value at the window's last word.
  It is divided by its mean over the text: 1 is an average word, 2 is twice as much.
- **Effect**: the probability of a class in the run, minus that in a run without the unit, as a mean over the texts with
  its 95% interval. Nothing else is changed, and the routing runs again.
- **Matters**: how far the probability of the answer moves without the unit, up or down, as a mean over the texts.
- **Decides**: the share of texts whose answer becomes another class without it.
- **Idle**: the share of texts in which no class moves by 0.1 points without it.
- **Selective**: the share of words from which it takes at least twice the average.
- **Even**: the entropy of what it takes. 100%: the same from every word; 0%: all from one word.
- **Activation**: the length |v| of a capsule, f(a) of an EM part (of one that reads
  pictures: its score a, since f(a) may be 1 in all), the words that an AGT layer selects, the length of a
  feature capsule, or the value of a component. It says how strongly the unit speaks, not for which class.
- **Active**: in the quarter of the texts in which its activation is highest.
- **Comes back**: units have no common order in two trainings, so we match them one with one, by the correlation of what
  they take from each frequent word. A unit comes back if its match is more like it than a match would be if words were
  shuffled, and if their correlation is at least 0.1 above its mean correlation with the other units there. The table
  counts the other trainings in which it does.
- **Between texts**: the part of the variance of what it takes that is not explained by the word itself. 0 is a static
  unit, which works like a list of words with weights.
- **Name**: a rule from a fixed list, such as “negations”, chosen on one half of the texts and scored on the other.
  A unit has a name only if its rule beats always giving the usual answer by more than chance, beats the rules of all
  other units on this unit, and is no other unit's rule.
- **What it does not show**: a name says what predicts the unit, not that the unit stands for it. A removal says what
  this network does without the unit, not what a network trained without it would do.
"""
