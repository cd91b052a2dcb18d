"""From a typed text to words with their places in it, and from words to ids."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex
import sentencex

# The Penn Treebank's cuts, which the Stanford Sentiment Treebank uses: clitics stand alone
# (do|n't, it|'s), punctuation is cut off, hyphens and inner points stay inside a word.
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
    | \X                                                        # any other sign, an emoji whole
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
LONGEST_SENTENCE = 200  # words
_BREAK = regex.compile(r"<br\s*/?>", regex.IGNORECASE)
_HALF = regex.compile(r"[\ud800-\udfff]")  # of a sign beyond UTF-16's first plane, which no library takes
_TREEBANK = {"(": "-lrb-", ")": "-rrb-", "[": "-lrb-", "]": "-rrb-", "“": "``", "”": "''", '"': "''",
             "’": "'", "‘": "`", "—": "--", "–": "--", "…": "..."}  # fmt: skip
_TYPED = {"-lrb-": "(", "-rrb-": ")", "``": '"', "''": '"', "`": "'"}
_CLITICS = {"n't", "'s", "'m", "'d", "'re", "'ve", "'ll"}
_CLOSING = _CLITICS | {",", ".", "?", "!", ";", ":", "...", "-rrb-", "''", "'", "%"}  # no space before these
_OPENING = {"-lrb-", "``", "`", "$"}  # none after these


@dataclass(frozen=True)
class Word:
    """A word as typed, and the half-open character range [start, end) it fills in the text."""

    text: str
    start: int
    end: int


def as_read(text: str) -> str:
    """The text with HTML's line breaks as such; every other character stays where it was."""
    return _BREAK.sub(lambda found: "\n" * len(found.group()), text)


def tokenize(text: str) -> Iterator[Word]:
    """Cut a text into words as the Penn Treebank does; white space and control characters belong to none."""
    for found in _WORD.finditer(text):
        if not _is_blank(found.group()):
            yield Word(found.group(), found.start(), found.end())


def sentences(text: str) -> Iterator[list[Word]]:
    """The words of each sentence of an English text, places as in the text. A line break of HTML ends one, and so do
    ``LONGEST_SENTENCE`` words.
    """
    text = as_read(text)
    whole = _HALF.sub("\ufffd", text)
    ends = iter([found["end_index"] for found in sentencex.get_sentence_boundaries("en", whole)] + [len(text)])
    end, words = next(ends), []
    for word in tokenize(text):
        if words and (word.start >= end or len(words) == LONGEST_SENTENCE):
            yield words
            words = []
        while word.start >= end:
            end = next(ends)
        words.append(word)
    if words:
        yield words


@lru_cache(maxsize=1 << 16)
def normalize(word: str) -> str:
    """The form under which a word is looked up: lower case, the treebank's brackets, quotes and dashes."""
    word = unicodedata.normalize("NFC", word.lower())
    return _TREEBANK.get(word) or word.replace("’", "'")


def as_typed(words: list[str]) -> str:
    """A sentence that reads as people type it, of the treebank's words: for models that cut text in their own way."""
    text, glue = "", True
    for word in words:
        sign = word.lower()
        text += ("" if glue or sign in _CLOSING else " ") + _TYPED.get(sign, word)
        glue = sign in _OPENING
    return text


def join(text: str, words: list[Word], spans: tuple[tuple[int, int], ...]) -> tuple[list[Word], list[int]]:
    """Words and a transformer's pieces under one roof: the smallest tokens made of whole words and whole pieces.

    A word is one token, but for neighbours that a piece reaches across (MiniLM cuts do|n't into
    don|'|t), which are one together, and for words without a piece, which the transformer does not
    read and which are left out. A piece outside every word belongs to the token before it.

    Args:
        words: of the text, in order.
        spans: characters [start, end) of each piece, in order.

    Returns:
        The tokens, and for each piece the number of its token, ascending from 0.
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
    return all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in text)


class Vocabulary:
    """The words a model was trained on, in the order of its embedding rows. There is no <unk>."""

    def __init__(self, words: list[str]):
        self.words = list(words)
        self._id = {word: i for i, word in enumerate(self.words)}
        if len(self._id) != len(self.words):
            raise ValueError("words holds a word twice, wanted each once")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._id

    def encode(self, words: list[str]) -> tuple[list[int], list[str]]:
        """Ids of words, and the normalized words that have no row of their own.

        Unknown word u has id len(self) + u, so that a model finds its vector at row u of the
        vectors it is handed beside the ids.
        """
        unknown: dict[str, int] = {}
        looked_up = map(normalize, words)
        ids = [self._id[w] if w in self._id else len(self) + unknown.setdefault(w, len(unknown)) for w in looked_up]
        return ids, list(unknown)

    def to_bytes(self) -> bytes:
        """One word a line, UTF-8."""
        return "".join(f"{word}\n" for word in self.words).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> "Vocabulary":
        return cls(content.decode().replace("\r\n", "\n").split("\n")[:-1])
