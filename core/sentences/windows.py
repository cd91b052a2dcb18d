"""Findings on windows: the answer with each window, the passage that decides it, and how many words it takes."""

from collections.abc import Sequence

from jaxtyping import Float
from numpy import ndarray

from core.analysis.windows import decisive_words, words_needed
from core.sentences.findings import in_words
from core.sentences.words import Phrasing, capital

MAX_PASSAGE = 36  # characters of a quoted passage


def describe_windows(
    evidence: Float[ndarray, "t i k"],
    probabilities: Float[ndarray, "t k"],
    phrasing: Phrasing,
    classes: Sequence[str],
    trained: int,
) -> list[str]:
    """Say for each window which class it answers, and which passage decides; for the trained one, how few words do.

    Args:
        evidence: contribution of each position to each logit.
        probabilities: class probabilities with windows of 1, 2, .. words.
        phrasing: words of the text.
        classes: names of the classes.
        trained: words in the window of training.
    """
    own = min(trained, len(probabilities))
    sentences = []
    for window, (contributions, p) in enumerate(zip(evidence, probabilities, strict=True), 1):
        k = int(p.argmax())
        read = "one word" if window == 1 else f"{window} words"
        answer = f"Reading {read} at a time: {classes[k]} ({p[k]:.0%})."
        passage, added = _passage(contributions, p, window, phrasing)
        if added > 0:
            reason = f"{capital(passage)} decides and adds {added:.2f} to the score of {classes[k]}."
        else:
            reason = f"No passage speaks for {classes[k]}. {capital(passage)} lowers its score least, by {-added:.2f}."
        few = f" {_describe_need(evidence, probabilities, phrasing, classes, own)}" if window == own else ""
        sentences.append(f"{answer} {reason}{few}".rstrip())
    return sentences


def decisive_word(
    evidence: Float[ndarray, "i k"], probabilities: Float[ndarray, " k"], window: int, phrasing: Phrasing
) -> int:
    """The last word of the deciding passage, which the finding names."""
    start, end = decisive_words(evidence, probabilities, window)
    words = [i for i in range(start, end) if phrasing.is_word[i]]
    return words[-1] if words else end - 1


def _passage(contributions: ndarray, p: ndarray, window: int, phrasing: Phrasing) -> tuple[str, float]:
    """The deciding passage, quoted without punctuation around it, and what it adds to the class."""
    start, end = decisive_words(contributions, p, window)
    added = float(contributions[end - 1, p.argmax()])
    words = [i for i in range(start, end) if phrasing.is_word[i]]
    return phrasing.quote(words[0], words[-1] + 1, MAX_PASSAGE) if words else "punctuation alone", added


def _describe_need(
    evidence: ndarray, probabilities: ndarray, phrasing: Phrasing, classes: Sequence[str], own: int
) -> str:
    """Say how many words in a row are enough for the answer with the trained window."""
    needed = words_needed(probabilities[:own])
    k = int(probabilities[own - 1].argmax())
    if needed == own:
        before = int(probabilities[own - 2].argmax()) if own > 1 else k
        fewer = f": with {in_words(own - 1)}, the answer is {classes[before]}" if before != k else ""
        return f"The decision takes all {in_words(own)} words{fewer}." if own > 1 else ""
    passage, _ = _passage(evidence[needed - 1], probabilities[needed - 1], needed, phrasing)
    reading = f"Reading {in_words(needed)} word{'s' * (needed > 1)} at a time"
    answer = f"{classes[k]} ({probabilities[needed - 1, k]:.0%}), and {passage} decides"
    return f"{reading} would be enough: {answer}."
