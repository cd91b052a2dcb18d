"""Sentences on a user's rule for a unit: how well it predicts, and what the unit takes from the words that match."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from core.analysis.rules import RuleScore
from core.sentences.words import listed

MAX_WORDS = 5  # words that are named with their amounts


def say_idea(score: RuleScore, share: float, unit: str, n: int, data: str) -> str:
    """Sentences on how well a rule predicts when a unit is active.

    Args:
        score: score of the rule.
        share: share of all texts that the rule holds for.
        unit: unit with its number, such as "capsule 3".
        n: number of texts that it was scored on.
        data: phrase for all texts, after "the".
    """
    if share in (0, 1):
        return f"Your rule holds for {'all' if share else 'none'} of the {data}, so it predicts nothing."
    verdict = "better than" if score.low > 0 else "worse than" if score.high < 0 else "no better, beyond chance, than"
    return (
        f"Your rule holds for {share:.0%} of the {data}. It predicts when {unit} is active in "
        f"{score.accuracy:.1%} of the {n:,} of them that are kept apart: {verdict} always giving the usual answer "
        f"({score.base:.1%})."
    )


def say_rule_of_program(rule: str, accuracy: float) -> str:
    """One sentence on the program's rule for when a unit is active. accuracy: its share of right predictions."""
    return f"The program's rule, “{rule}”, is right for {accuracy:.1%} of the same texts."


def say_matches(words: Sequence[str], lift: Float[ndarray, " w"], counts: Int[ndarray, " w"], data: str) -> str:
    """One sentence on the amounts that a unit takes from the words that match a rule.

    Args:
        words: words that match, the most taken first.
        lift: amount that the unit takes from each, 1 for an average word of its text.
        counts: how often each occurs.
        data: phrase for the texts.
    """
    if not len(words):
        return f"No word that occurs often enough in {data} matches it."
    mean, amounts = np.average(lift, weights=counts), list_amounts(words, lift)
    return f"From the {len(words)} frequent words that match, it takes {mean:.1f} times an average word: {amounts}."


def list_amounts(words: Sequence[str], lift: Float[ndarray, " w"]) -> str:
    """The first words with the amounts that a unit takes, as in "never (3.2) and not (2.9)"."""
    pairs = zip(words[:MAX_WORDS], lift[:MAX_WORDS], strict=True)
    return listed([f"{word} ({amount:.1f})" for word, amount in pairs])
