"""Simple rules for what a unit takes or when it is active, and how well they predict it on texts kept apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np
import regex
from jaxtyping import Bool, Int
from numpy import ndarray

from core.analysis.intervals import interval_over_groups

RECURSION = regex.compile(r"\(\?(?:R|[+-]?\d|&|P>)")  # an expression that calls itself, or a group of itself
NEGATIONS = "not no never n't nothing nobody none nor neither without hardly cannot nowhere barely scarcely"
CONTRASTS = "but although though yet however despite while whereas instead nevertheless still unless"
PRAISE = (
    "good great best fine funny beautiful brilliant wonderful excellent charming moving enjoyable delightful fresh "
    "smart clever strong perfect powerful fascinating entertaining engaging touching compelling love loved superb "
    "masterpiece warm honest rich hilarious terrific solid gorgeous impressive remarkable pleasant winning triumph gem"
)
BLAME = (
    "bad worst worse dull boring awful terrible poor stupid silly weak mess waste lame flat tedious predictable lacks "
    "lack fails fail failed failure empty bland annoying ugly pointless slow clumsy forgettable disappointing shallow "
    "thin tired contrived painful ridiculous mediocre unfunny pretentious problem"
)
INTENSIFIERS = "very so too really quite most more such truly utterly completely absolutely extremely just even"
FUNCTION = "the a an of to in and is it that this with for as its on by from at be are was were or has have his her"
PERSONS = "i you he she we they me him them us my your our their who"
MONEY = "percent million billion dollar profit sales shares market stock stocks prices oil bank company firm economy"
SPORT = "game team season win won coach cup league match goal players final olympic championship victory beat"
STATE = "president minister government police troops war iraq election officials leader peace attack military un"
SCIENCE = "software internet computer microsoft space web scientists technology search users phone nasa research online"
QUESTIONS = "what who why how when where which whether"
VOCABULARIES = {
    "negations": NEGATIONS,
    "contrasts": CONTRASTS,
    "praise": PRAISE,
    "blame": BLAME,
    "intensifiers": INTENSIFIERS,
    "function words": FUNCTION,
    "persons": PERSONS,
    "question words": QUESTIONS,
    "money": MONEY,
    "sport": SPORT,
    "politics and war": STATE,
    "technology": SCIENCE,
}
UNIONS = {"praise and blame": (PRAISE, BLAME), "negations and blame": (NEGATIONS, BLAME)}
LISTS = {name: frozenset(words.split()) for name, words in VOCABULARIES.items()}
LISTS |= {name: frozenset(" ".join(lists).split()) for name, lists in UNIONS.items()}
SHORT_TEXT, LONG_TEXT, LONG_WORD = 10, 25, 8


@dataclass(frozen=True)
class Text:
    """A text for rules.

    Args:
        words: its words as written.
        answer: the class that the network gives it.
    """

    words: Sequence[str]
    answer: str


@dataclass(frozen=True)
class Rule:
    """A rule on a text: yes or no for each word, or one yes or no for the whole text.

    Args:
        name: name in words, such as "negations".
        of_word: function of the words and an index; None for a rule on the whole text only.
        of_text: function of a text; whether ``of_word`` holds for any of its words if None.
    """

    name: str
    of_word: Callable[[Sequence[str], int], bool] | None = None
    of_text: Callable[[Text], bool] | None = None

    def on_words(self, text: Text) -> Bool[ndarray, " n"]:
        """Whether it holds for each word."""
        return np.array([bool(self.of_word and self.of_word(text.words, n)) for n in range(len(text.words))], bool)

    def on_text(self, text: Text) -> bool:
        """Whether it holds for the text."""
        return self.of_text(text) if self.of_text else bool(self.on_words(text).any())


def among(name: str, words: frozenset[str]) -> Rule:
    """The rule that a word is one of these lower-case words, or ends in n't if that is one of them."""
    return Rule(name, lambda text, n: (word := text[n].lower()) in words or ("n't" in words and word.endswith("n't")))


def matching(pattern: str, seconds: float = 1.0) -> Rule:
    """The rule that a word matches a regular expression in any place, in upper or lower case.

    Args:
        pattern: regular expression, which may come from a stranger.
        seconds: time for all matches together, since some expressions take longer than the universe is old.

    Raises:
        ValueError: the expression is not valid or calls itself; or, from the rule, the time is over.
    """
    if RECURSION.search(pattern):
        raise ValueError(f"The regular expression {pattern!r} calls itself, which may take all memory.")
    try:
        compiled = regex.compile(pattern, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise ValueError(f"The regular expression {pattern!r} is not valid: {error}.") from None
    end = monotonic() + seconds

    def of_word(words: Sequence[str], n: int) -> bool:
        try:
            return compiled.search(words[n], timeout=max(end - monotonic(), 1e-6), concurrent=True) is not None
        except (TimeoutError, MemoryError):
            raise ValueError(f"The regular expression {pattern!r} takes too long. Write a simpler one.") from None

    return Rule(f"words that match {pattern}", of_word)


def library(classes: Sequence[str]) -> list[Rule]:
    """The rules that are tried on every unit of a network with these classes."""
    lists = [among(name, words) for name, words in LISTS.items()]
    of_words = [
        Rule("sentence ends", lambda text, n: text[n] in {".", "!", "?"}),
        Rule("punctuation", lambda text, n: not any(letter.isalnum() for letter in text[n])),
        Rule("first words", lambda text, n: n == 0),
        Rule("last words", lambda text, n: n == len(text) - 1),
        Rule("capitals", lambda text, n: n > 0 and text[n][:1].isupper()),
        Rule("numbers", lambda text, n: any(letter.isdigit() for letter in text[n])),
        Rule("long words", lambda text, n: len(text[n]) >= LONG_WORD),
    ]
    of_texts = [
        Rule("short texts", of_text=lambda text: len(text.words) <= SHORT_TEXT),
        Rule("long texts", of_text=lambda text: len(text.words) >= LONG_TEXT),
    ]
    return [*lists, *of_words, *of_texts, *on_answers(classes)]


def on_answers(classes: Sequence[str]) -> list[Rule]:
    """The rules on the answer of the network, which are the only ones for a network of pictures."""
    return [Rule(f"{name} answers", of_text=lambda text, name=name: text.answer == name) for name in classes]


@dataclass(frozen=True)
class RuleScore:
    """The accuracy of a rule on a yes or no, on items that it was not chosen on.

    Args:
        rule: name of the rule.
        accuracy: share of right predictions.
        base: the same for always giving the most frequent answer.
        low, high: 95% interval of the difference, over texts.
    """

    rule: str
    accuracy: float
    base: float
    low: float
    high: float

    @property
    def beats_base(self) -> bool:
        """Whether the rule beats the most frequent answer by more than chance."""
        return self.low > 0


def score(
    name: str,
    predicted: Bool[ndarray, " n"],
    truth: Bool[ndarray, " n"],
    groups: Int[ndarray, " n"],
    usual: bool,
) -> RuleScore:
    """RuleScore a rule.

    Args:
        groups: text of each item.
        usual: the most frequent answer, from the items that the rule was chosen on.

    Raises:
        ValueError: the items come from fewer than two texts.
    """
    right, base = predicted == truth, truth == usual
    low, high = interval_over_groups(right.astype(float) - base, groups)
    return RuleScore(name, float(right.mean()), float(base.mean()), low, high)


@dataclass(frozen=True)
class UnitName:
    """The rule that predicts a unit best, and whether it is good enough for a name.

    Args:
        score: score of the rule on the half it was not chosen on.
        alike: other units whose best rule is the same one, if it beats the most frequent answer for all of them.
        is_name: whether the rule beats the most frequent answer, and the rules of all other units on this unit, and no
            other unit is alike.
    """

    score: RuleScore
    alike: tuple[int, ...]
    is_name: bool


def name_units(
    rules: Sequence[str],
    predicted: Bool[ndarray, "r n"],
    truth: Bool[ndarray, "u n"],
    groups: Int[ndarray, " n"],
) -> list[UnitName]:
    """Choose the best rule of each unit on the texts with an even number, and score it on the others.

    Args:
        rules: names of the rules.
        predicted: whether each rule holds for each item, a word or a text.
        truth: whether each unit takes the word, or is active in the text.
        groups: number of the text of each item.
    """
    is_first = groups % 2 == 0
    best, scores = [], []
    for unit in truth:
        rule = int((predicted[:, is_first] == unit[is_first]).mean(1).argmax())
        usual = bool(unit[is_first].mean() > 0.5)
        best.append(rule)
        scores.append(score(rules[rule], predicted[rule, ~is_first], unit[~is_first], groups[~is_first], usual))
    names = []
    for u, scored in enumerate(scores):
        alike = tuple(v for v, one in enumerate(scores) if v != u and one.rule == scored.rule and one.beats_base)
        rivals = [predicted[other, ~is_first] == truth[u, ~is_first] for other in {*best} - {best[u]}]
        is_best = all(scored.accuracy > rival.mean() for rival in rivals)
        names.append(UnitName(scored, alike * scored.beats_base, scored.beats_base and is_best and not alike))
    return names
