"""Splits a text into words with their positions, and converts words to ids."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import regex
import sentencex

# The tokenization of the Penn Treebank, which the Stanford Sentiment Treebank uses: clitics are
# separate words (do|n't, it|'s), punctuation is cut off, hyphens and inner points stay inside a word.
_WORD = regex.compile(
    r"""
      \w+(?=n['’]t\b)                                           # do|n't
    | n['’]t\b
    | (?<=\w)['’](?:s|m|d|re|ve|ll)\b                           # it|'s
    | \d+(?:[.,:]\d+)+                                          # 2,000  9:30
    | ['’]\d\ds\b                                               # '60s
    | (?:\p{L}\.){2,}                                           # u.s.
    | (?<!\w)\p{L}\.(?=\s+\w)                                   # raymond j. barry
    | (?:mr|mrs|ms|dr|jr|sr|st|vs|etc|bros)\.                   # mr.
    | [\p{L}\p{M}\p{N}_]+ (?:(?:[-/&]|['’](?!(?:s|m|d|re|ve|ll)\b)(?!t\b)) [\p{L}\p{M}\p{N}_]+)*
    | \.{2,} | -{2,} | \*{2,} | `` | ''
    | \X                                                        # any other character, or a whole emoji
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
MAX_SENTENCE = 200  # words
_BREAK = regex.compile(r"<br\s*/?>", regex.IGNORECASE)
_SURROGATES = regex.compile(r"[\ud800-\udfff]")  # lone halves of UTF-16 pairs, which many libraries reject
_TREEBANK = {"(": "-lrb-", ")": "-rrb-", "[": "-lrb-", "]": "-rrb-", "“": "``", "”": "''", '"': "''",
             "’": "'", "‘": "`", "—": "--", "–": "--", "…": "..."}  # fmt: skip
_TYPED = {"-lrb-": "(", "-rrb-": ")", "``": '"', "''": '"', "`": "'"}
_CLITICS = {"n't", "'s", "'m", "'d", "'re", "'ve", "'ll"}
_CLOSING = _CLITICS | {",", ".", "?", "!", ";", ":", "...", "-rrb-", "''", "'", "%"}  # written without a space before
_OPENING = {"-lrb-", "``", "`", "$"}  # written without a space after


@dataclass(frozen=True)
class Word:
    """A word as typed, and its character range [start, end) in the text."""

    text: str
    start: int
    end: int


def replace_breaks(text: str) -> str:
    """Replace HTML line breaks by newlines, without moving any other character."""
    return _BREAK.sub(lambda match: "\n" * len(match.group()), text)


def tokenize(text: str) -> Iterator[Word]:
    """Split a text into words as the Penn Treebank does, without white space and control characters."""
    for match in _WORD.finditer(text):
        word = match.group()
        if not _is_blank(word):
            yield Word(word, *match.span())


def beginning(text: str, n_words: int) -> str:
    """The text up to the end of its word number ``n_words``, counted from 1; the whole text if it has fewer.

    Its last word may be cut in another way than in the whole text: the initial "A." is, where no name follows.
    """
    last = next(islice(tokenize(replace_breaks(text)), n_words - 1, None), None)
    return text if last is None else text[: last.end]


def sentences(text: str) -> Iterator[list[Word]]:
    """Yield the words of each sentence in an English text, with their positions in the text.

    A sentence also ends at an HTML line break, and after ``MAX_SENTENCE`` words. The whole text is searched for ends of
    sentences, which takes minutes for a million quotes: cut a user's text by ``beginning`` before.
    """
    text = replace_breaks(text)
    valid = _SURROGATES.sub("\ufffd", text)
    ends = iter([boundary["end_index"] for boundary in sentencex.get_sentence_boundaries("en", valid)] + [len(text)])
    end, words = next(ends), []
    for word in tokenize(text):
        if words and (word.start >= end or len(words) == MAX_SENTENCE):
            yield words
            words = []
        while word.start >= end:
            end = next(ends)
        words.append(word)
    if words:
        yield words


@lru_cache(maxsize=1 << 16)
def normalize(word: str) -> str:
    """The form of a word in vocabularies: lower case, with the treebank's brackets, quotes and dashes."""
    word = unicodedata.normalize("NFC", word.lower())
    return _TREEBANK.get(word) or word.replace("’", "'")


def as_typed(words: Sequence[str]) -> str:
    """Join the treebank's words into a sentence as people type it, for models with their own tokenizer."""
    return join(words)[0]


def join(words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """``as_typed``, and the character range [start, end) of each word in that sentence."""
    text, places, no_space = "", [], True
    for word in words:
        lower = word.lower()
        text += "" if no_space or lower in _CLOSING else " "
        start = len(text)
        text += _TYPED.get(lower, word)
        places.append((start, len(text)))
        no_space = lower in _OPENING
    return text, places


def align(text: str, words: list[Word], spans: tuple[tuple[int, int], ...]) -> tuple[list[Word], list[int]]:
    """Align words with a transformer's pieces: find the smallest tokens that are made of whole words and whole pieces.

    Usually a token is a word. Neighbouring words that share a piece form one token (MiniLM splits do|n't
    into don|'|t). Words without a piece are left out, because the transformer does not read them. A piece
    outside every word belongs to the token before it.

    Args:
        text: text as typed.
        words: words of the text, in order.
        spans: character range [start, end) of each piece, in order.

    Returns:
        The tokens, and the token index of each piece, ascending from 0.
    """
    starts, ends = [w.start for w in words], [w.end for w in words]
    tokens: list[tuple[int, int]] = []  # first and last word
    token_of = []
    for start, end in spans:
        first, last = bisect_right(ends, start), bisect_left(starts, end) - 1
        if first <= last:
            if tokens and first <= tokens[-1][1]:
                first, last = tokens[-1][0], max(last, tokens.pop()[1])
            tokens.append((first, last))
        token_of.append(max(0, len(tokens) - 1))
    places = [(starts[first], ends[last]) for first, last in tokens]
    return [Word(text[start:end], start, end) for start, end in places], token_of


def _is_blank(text: str) -> bool:
    """Whether a text holds only white space and control characters."""
    if text.isspace() or text.isprintable():  # true of nearly every text, and faster than the test below
        return text.isspace()
    return all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in text)


class Vocabulary:
    """The words that a model was trained on, in the order of its embedding's rows. There is no <unk>."""

    def __init__(self, words: list[str]):
        self.words = list(words)
        self._id = {word: i for i, word in enumerate(self.words)}
        if len(self._id) != len(self.words):
            raise ValueError("words holds a word twice, wanted each once")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._id

    def ids_of(self, words: list[str]) -> tuple[list[int], list[str]]:
        """The ids of words, and the normalized unknown words among them.

        Unknown word u has the id len(self) + u. Its vector is row u of the extra vectors that a model
        gets in addition to the ids.
        """
        unknown: dict[str, int] = {}
        normalized = map(normalize, words)
        ids = [self._id[w] if w in self._id else len(self) + unknown.setdefault(w, len(unknown)) for w in normalized]
        return ids, list(unknown)

    def to_bytes(self) -> bytes:
        """One word per line, in UTF-8."""
        return "".join(f"{word}\n" for word in self.words).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> "Vocabulary":
        """Read the output of ``to_bytes``."""
        return cls(content.decode().replace("\r\n", "\n").split("\n")[:-1])
