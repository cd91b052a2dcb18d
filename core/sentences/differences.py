"""Names of two runs that are compared, and sentences on their differences."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.sentences.words import capital, listed, quote

NOTHING = 0.0005  # smaller changes are ignored
MAX_NAMED = 28  # characters of the words that name a run
AT_SLIDER = "at the slider"  # iteration of a run that follows the slider
LEFT_AND_RIGHT = ("left", "right")
Values = Float[ndarray, "t k"]


def name_runs(settings: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Short names for two runs, made of the first setting in which they differ, and of the iteration if it differs.

    Args:
        settings: values of both runs by the name of the setting: "model", "text", "iteration" or "edits".

    Returns:
        Two different names, such as "with “never”" and "without “never”"; "left" and "right" if nothing short differs.
    """
    names, when = _name_by_first_setting(settings), settings.get("iteration", ("", ""))
    if names == when or when[0] == when[1]:
        return names
    first, second = (f"{name}, {text}" if text != AT_SLIDER else name for name, text in zip(names, when, strict=True))
    return first, second


def _name_by_first_setting(settings: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """The names of two runs, made of the first setting in which they differ."""
    name = next((name for name, (first, second) in settings.items() if first != second), "")
    if name == "model":
        return _name_models(*settings[name])
    if name == "text":
        return _name_texts(*settings[name])
    first, second = settings.get(name, ("", ""))
    if name == "edits" and "" in (first, second):
        return ("edited", "unedited") if first else ("unedited", "edited")
    return (first, second) if name == "iteration" else LEFT_AND_RIGHT


def _name_models(first: str, second: str) -> tuple[str, str]:
    """The beginnings of the titles of two networks, which say how they route, or the whole titles."""
    a, b = (title.partition(" · ")[0] for title in (first, second))
    return (a, b) if a != b else (first, second)


def _name_texts(first: str, second: str) -> tuple[str, str]:
    """The words that only one of two texts has, or else the first words of both."""
    a, b = first.split(), second.split()
    changes = [places for tag, *places in SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if tag != "equal"]
    only = [_words_in(a, [(i, j) for i, j, _, _ in changes]), _words_in(b, [(i, j) for _, _, i, j in changes])]
    if max(map(len, only)) <= MAX_NAMED and only[0] != only[1]:
        if "" not in only:
            return quote(only[0]), quote(only[1])
        word = quote(only[0] or only[1])
        return (f"with {word}", f"without {word}") if only[0] else (f"without {word}", f"with {word}")
    begun = quote(first, MAX_NAMED), quote(second, MAX_NAMED)
    return begun if begun[0] != begun[1] and first.strip() and second.strip() else LEFT_AND_RIGHT


def _words_in(words: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
    """The words in these spans, without the punctuation around each; an ellipsis is between two spans."""
    parts = (" ".join(words[i:j]).strip(" .,;:!?") for i, j in spans)
    return " … ".join(filter(None, parts))


def place_of(name: str) -> str:
    """The words that say where a number is larger, such as "with “never”" or "in EM routing", for a name of a run."""
    what = name.partition(", at ")[0]
    if name.startswith(("with", "at ")):
        return name
    if what in LEFT_AND_RIGHT:
        return f"on the {name}"
    if what in ("edited", "unedited"):
        return f"when {name}"
    return f"with {name}" if name.startswith("“") else f"in {name}"


def describe_settings(settings: Mapping[str, tuple[object, object]]) -> str:
    """Say which settings differ. ``settings`` holds the values of both runs by name."""
    differing = [f"the {name}" for name, (first, second) in settings.items() if first != second]
    if not differing:
        return "Both runs have the same settings."
    if len(differing) == 1:
        return f"Only {differing[0]} differ{'' if differing[0].endswith('s') else 's'}."
    sentence = listed(differing)
    return f"{capital(sentence)} differ."


def describe_answers(
    names: tuple[str, str], classes: tuple[Sequence[str], Sequence[str]], values: tuple[Values, Values], percent: bool
) -> list[str]:
    """Say for each step what both runs predict.

    Args:
        names: names of the runs.
        classes: names of the classes of each run.
        values: probabilities of the classes, or lengths of their capsules, of each run; with the same steps.
        percent: whether these are probabilities.
    """
    sentences = []
    for both in zip(*values, strict=True):
        best = [int(row.argmax()) for row in both]
        given = [kinds[k] for kinds, k in zip(classes, best, strict=True)]
        numbers = [f"{row[k]:.1%}" if percent else f"length {row[k]:.2f}" for row, k in zip(both, best, strict=True)]
        if given[0] == given[1]:
            each = [f"{name} {number}" for name, number in zip(names, numbers, strict=True)]
            number = numbers[0] if numbers[0] == numbers[1] else ", ".join(each)
            sentences.append(f"Both: {given[0]} ({number}).")
            continue
        parts = [f"{name}: {answer} ({number})" for name, answer, number in zip(names, given, numbers, strict=True)]
        sentences.append(f"{capital(parts[0])}; {parts[1]}.")
    return sentences


def describe_changes(
    first: Float[ndarray, "t i j"],
    second: Float[ndarray, "t i j"],
    inputs: Sequence[str],
    outputs: Sequence[str],
    names: tuple[str, str] = LEFT_AND_RIGHT,
) -> list[str]:
    """Say for each step which cell differs most.

    Args:
        first, second: numbers of the two runs; NaN if a run lacks the input.
        inputs, outputs: name of each input and output in the sentence, quoted if it is a word.
        names: names of the runs.
    """
    sentences, places = [], [place_of(name) for name in names]
    for a, b in zip(first, second, strict=True):
        size = np.nan_to_num(np.abs(b - a))
        if size.max(initial=0) < NOTHING:
            sentences.append("The pictures are the same.")
            continue
        i, j = divmod(int(size.argmax()), size.shape[1])
        pair = [float(a[i, j]), float(b[i, j])]
        are_counts = all(x.is_integer() for x in pair) and max(map(abs, pair)) > 1
        numbers = [f"{x:.0f}" if are_counts else f"{x:.2f}" for x in pair]
        sentences.append(
            f"Largest change: {inputs[i]} → {outputs[j]} is {numbers[0]} {places[0]}, {numbers[1]} {places[1]}."
        )
    return sentences
