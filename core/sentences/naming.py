"""Names of the things that edits change, used on screens, in summaries, and in edits such as ``drop:never``.

A thing is named by its word, its class, or its unit with a number from 1, as in "capsule 1". A bare number counts from
0.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.near import suggest_similar
from core.sentences.words import quote

Things = Mapping[str, Sequence[str]]  # names of all words, classes and so on, by unit ("word", "class")
MAX_NAME = 60  # characters of a user's name that a sentence repeats
FEW = 5  # equal words that a sentence lists
FORMS = {  # form of every edit with names, and its effect
    "drop:WORD": "ignore a word as if it were padding; or a sentence, a feature, a part, a place",
    "replace:WORD=TEXT": "replace a word in the text; an empty TEXT removes it",
    "capsule:CAPSULE": "let a capsule receive nothing; or a part, a class",
    "couple:WORD,CAPSULE=V": "set a word's share for a capsule to V, from 0 to 1, in every iteration",
    "couplings:HOW[,SEED]": "make all shares uniform, first (as in iteration 1), shuffled or random",
    "freeze:T": "keep the shares of iteration T, counted from 1, in all later iterations",
    "sharpness:K": "k-means routing: set the factor in the softmax of the shares to K",
    "pose:PART,ROW,COLUMN=BY": "smallNORB: add BY to one component of a part's pose",
    "gate:LAYER=V": "AGT: set all gates of a layer to V, from 0 to 1",
    "attention:LAYER": "AGT: let a layer attend to no word",
}


class Sides(NamedTuple):
    """Units of a routing's inputs and outputs, and the name of the routing if a network has two."""

    input: str
    output: str
    title: str = ""


class UnknownNameError(ValueError):
    """An edit has a name that is not even similar to the name of a thing."""


class NearlyNamedError(ValueError):
    """An edit has a name that is similar to the name of a thing, or that several things have."""


@dataclass(frozen=True)
class Naming:
    """The meaning of the indices in edits of one kind of network.

    Args:
        routings: sides of each routing by its name in an edit: "0", "1", or "" for edits that name none.
        dropped: unit that an edit without a routing drops, if this is more than one input.
        examples: examples of edits, with {word} for a word and {of_class} for a class.
    """

    routings: Mapping[str, Sides] = field(default_factory=dict)
    dropped: str = ""
    examples: tuple[str, ...] = ()

    def unit(self, edit: str, letter: str, routing: str) -> str:
        """The unit of an edit's argument.

        Args:
            edit: word before the colon.
            letter: letter of the argument: I, J, L, R or C.
            routing: routing that the edit names, or "".
        """
        if letter == "I" and edit == "replace":
            return "word"
        if letter == "I" and edit == "drop" and not routing and self.dropped:
            return self.dropped
        sides = self.sides(routing)
        return {"I": sides.input, "J": sides.output, "L": "layer", "R": "row", "C": "column"}[letter]

    def sides(self, routing: str) -> Sides:
        """The sides of the routing that an edit names."""
        return self.routings.get(routing) or self.routings.get("", Sides("input", "output"))

    def find_indices(
        self, edit: str, names: Mapping[str, str], routing: str, things: Things
    ) -> tuple[dict[str, int], str]:
        """Find the index of each named thing, and the routing that has such things.

        Args:
            edit: word before the colon.
            names: names by letter of the argument.
            routing: routing that the edit names, or "" for the first one with such things.
            things: names of all things in this run.

        Raises:
            ValueError: nothing here has this name, or several things do.
        """
        refused = []
        candidates = [routing] if routing else list(self.routings) or [""]
        for candidate in candidates:
            units = {letter: self.unit(edit, letter, candidate) for letter in names}
            try:
                return {letter: number_of(names[letter], unit, things) for letter, unit in units.items()}, candidate
            except ValueError as error:
                refused.append(error)
        raise next((error for error in refused if isinstance(error, NearlyNamedError)), refused[0])


def name_in_words(unit: str, n: int, things: Things) -> str:
    """The name of thing n, counted from 0, in a sentence."""
    names = things.get(unit, ())
    if unit not in ("word", "sentence", "class") or n >= len(names):
        return f"{unit} {n + 1}"
    return f"class {quote(names[n])}" if unit == "class" else quote(names[n])


def names_of(words: Sequence[str]) -> list[str]:
    """The name of each word in edits: the#2 is the second "the"; 7#1 is the first "7", because a bare 7 is an index."""
    counts, seen = Counter(words), Counter[str]()
    names = []
    for word in words:
        seen[word] += 1
        names.append(f"{word}#{seen[word]}" if counts[word] > 1 or is_number(word) else word)
    return names


def number_of(name: str, unit: str, things: Things) -> int:
    """The index of a thing, counted from 0.

    Args:
        name: name from ``names_of``, or the unit with a number from 1, or the index itself.
        unit: unit of the thing, such as "word".
        things: names of all things in this run.

    Raises:
        UnknownNameError: nothing has this name.
        NearlyNamedError: a thing has a similar name, or several have this one.
    """
    if is_number(name):
        return int(name)
    names = list(things.get(unit, ()))
    for read in (_by_word, _by_unit):
        if (n := read(name, unit, names)) is not None:
            return n
    if nearest := suggest_similar(name, dict.fromkeys(names)):
        raise NearlyNamedError(f"There is no {unit} {_short(name)!r}. {nearest}")
    raise UnknownNameError(f"There is no {unit} {_short(name)!r} here{_how_to_name(unit, names)}.")


def _how_to_name(unit: str, names: list[str]) -> str:
    """The end of a sentence that refuses a name, for things that only have numbers."""
    if not names:
        return "" if unit == "word" else f": name one by its number, as in {unit} 1"
    return f": name {names[0]} to {names[-1]}" if names[0] == f"{unit} 1" else ""


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"


def _by_word(name: str, unit: str, names: list[str]) -> int | None:
    """The index of the word with this name, or with one such as "name#2"; None if there is none."""
    same = [n for n, other in enumerate(names) if other == name]
    if len(same) > 1:
        numbers = " and ".join(f"{unit} {n + 1}" for n in same[:FEW]) + " and more" * (len(same) > FEW)
        raise NearlyNamedError(f"{name!r} is {numbers}: write {name}#1 for the first, {name}#2 for the second.")
    if same:
        return same[0]
    word, _, count = name.rpartition("#")
    alike = [n for n, other in enumerate(names) if other == word]
    if not alike or not count.isdecimal():
        return None
    if not 1 <= int(count) <= len(alike):
        range_hint = f"only one {word}" if len(alike) == 1 else f"but {word}#1 to {word}#{len(alike)}"
        raise NearlyNamedError(f"There is no {_short(name)}, {range_hint}.")
    return alike[int(count) - 1]


def _by_unit(name: str, unit: str, names: list[str]) -> int | None:
    """The index in a name such as "capsule 3", if ``unit`` is "capsule"; None for another name."""
    before, _, number = name.rpartition(" ")
    if before != unit or not is_number(number):
        return None
    if int(number) < 1 or (names and int(number) > len(names)):
        range_hint = f", but {unit} 1 to {unit} {len(names)}" if names else ""
        raise NearlyNamedError(f"There is no {_short(name)}{range_hint}.")
    return int(number) - 1


def is_number(text: str) -> bool:
    """Whether Python parses the text as a whole number."""
    try:
        int(text)
    except ValueError:
        return False
    return True


def forms_in_lines() -> Iterator[str]:
    """Yield every form of an edit with its effect, for a help text."""
    width = max(map(len, FORMS)) + 2
    for form, effect in FORMS.items():
        yield f"  {form:<{width}}{effect}"
