"""The words of routing, explained in plain sentences where they stand."""

from typing import NamedTuple

from dashboard.components.terms import words_that_explain


class Term(NamedTuple):
    """The explanation of a word.

    Args:
        says: one or two sentences of at most 30 words in all.
        symbol: the papers' symbol; "" if there is none.
    """

    says: str
    symbol: str = ""


GLOSSARY = {
    "capsule": Term(
        "A list of numbers (a vector) that collects votes. Its direction says what it found, and its length, or in EM "
        "routing its activation, how surely.",
        "vⱼ",
    ),
    "routing": Term("The rule that decides, round after round, how much of each word every capsule gets."),
    "iteration": Term(
        "One round of routing. Shares make the capsules; how well votes agree with the capsules makes the next shares.",
        "t",
    ),
    "vote": Term("What a word proposes to a capsule: a vector that trained weights compute from the word.", "uᵢⱼ"),
    "coupling": Term(
        "The share of a word's vote that a capsule gets, from 0 to 1. In reversed routing, the share of the capsule's "
        "intake that comes from the word.",
        "cᵢⱼ",
    ),
    "agreement": Term(
        "How far a vote points in the same direction as the capsule. Where they agree, the share grows in the next "
        "iteration.",
        "vⱼ · uᵢⱼ",
    ),
    "logit": Term("The score behind a share. The softmax turns scores into shares that sum to 1.", "bᵢⱼ"),
    "standard routing": Term("Each word has one vote to give away: its shares over all capsules sum to 1."),
    "reversed routing": Term("Each capsule has one place to fill: its shares over all words sum to 1."),
    "entropy": Term("How widely shares are spread, in bits. 0 means that everything goes to one capsule.", "H"),
    "dead capsule": Term("A capsule that is hardly ever active: on most texts its length stays below 0.1."),
    "feature capsule": Term(
        "A vector that the network makes of the whole text before routing. Each one votes for every class.",
        "uᵢ",
    ),
    "code": Term(
        "A recipe for a word's vector: how much to take of each entry of a few tables that all words share.", "C"
    ),
    "part": Term(
        "A capsule between the inputs (words, or places in a picture) and the classes. Training decides what it stands "
        "for, so it has a number and no name.",
        "j",
    ),
    "credit": Term(
        "How much a word, or a place in a picture, adds to a class's score, or takes away. The credits of all of them "
        "sum to the score."
    ),
    "used and ignored": Term(
        "EM routing splits every input among capsules. Each capsule uses the share that it takes and ignores the rest.",
        "D_use, D_ign",
    ),
    "bang per bit": Term(
        "What a capsule is worth: the benefit of the data it uses, less the cost of the data it ignores.", "aⱼ"
    ),
    "pose": Term(
        "A few numbers with which an EM capsule describes what it stands for, such as which way a toy faces.", "μⱼ"
    ),
    "frozen transformer": Term(
        "A language model that was trained before and stays as it is. It turns words into vectors, layer by layer."
    ),
    "layer": Term(
        "One of the stages in which a network reads. Each layer starts from what the layer below found.", "l"
    ),
    "attention": Term("How much a layer looks at each word. The attentions of a layer sum to 1.", "dₗₙ"),
    "gate": Term(
        "A switch for each feature. 0 keeps the value of the layer below, 1 replaces it by what this layer read.",
        "Tₗ",
    ),
    "window": Term(
        "The number of words in a row that the network reads at a time. It forgets all words before them.", "k"
    ),
    "feature": Term("One number that the network computes from what it has read, such as a trace of praise."),
    "evidence": Term("How much the words up to one position add to the score of a class, or take away."),
    "integrated gradients": Term(
        "A common ranking of words that does not look at routing. It shows how the answer rises as the words fade in."
    ),
    "each one alone": Term("A ranking by experiment: leave out one word at a time, and see how far the answer falls."),
    "95% interval": Term("The range in which the true value probably lies, given that only some texts were tried."),
    "within chance": Term("Too close to call: the 95% interval of the difference contains 0."),
    "Kendall's tau": Term("How far two orders agree: 1 is the same order, 0 no relation, -1 the reverse.", "τ"),
}
ON_PAGES = {  # words that each page uses, by its folder
    "routing": ("capsule", "vote", "coupling", "agreement", "iteration", "standard routing", "reversed routing"),
    "kmeans": ("feature capsule", "capsule", "vote", "coupling", "agreement", "iteration", "code"),
    "sentiment_capsules": ("frozen transformer", "capsule", "part", "credit", "used and ignored", "bang per bit"),
    "agt": ("layer", "attention", "gate"),
    "drnn": ("window", "feature", "evidence"),
    "smallnorb": ("capsule", "part", "pose", "used and ignored", "credit", "iteration"),
    "units": ("capsule", "coupling", "part", "layer", "95% interval"),
    "compare": ("capsule", "coupling", "iteration"),
    "evidence": ("coupling", "dead capsule", "integrated gradients", "each one alone", "95% interval", "Kendall's tau"),
    "ledger": ("95% interval", "within chance"),
    "corpus": ("entropy", "iteration"),
    "models": ("95% interval", "capsule"),
    "lab": ("part", "vote", "capsule", "coupling", "agreement", "logit", "iteration"),
}


def draw_terms(*names: str, lead: str = "", key: str = "terms") -> None:
    """Draw words that open their explanation.

    Args:
        names: words of ``GLOSSARY``.
        lead: text before them, such as "Words used here:".
        key: key of the component, if a page draws several.
    """
    if not names:
        return
    terms = [{"name": name, "symbol": GLOSSARY[name].symbol, "says": GLOSSARY[name].says} for name in names]
    words_that_explain(key, terms, lead)
