"""Guesses which columns of a file hold the texts and the labels."""

from dataclasses import dataclass
from pathlib import Path

from core.batch.columns import SAMPLED, by_name, guess_texts, sample_rows
from core.batch.texts import choose_column, column_names
from core.near import did_you_mean

MAX_CLASSES = 50
LABELS = ("label", "class", "category", "kind", "topic", "sentiment", "stars", "rating", "score", "target", "type")


@dataclass(frozen=True)
class Columns:
    """The columns of a file.

    Args:
        text, label: their names.
        guessed: names of those that were guessed, "text" or "label".
    """

    text: str
    label: str
    guessed: tuple[str, ...] = ()

    def __str__(self) -> str:
        """A sentence such as "Texts are in the column review, labels in stars (guessed)."."""
        notes = {name: " (guessed)" if name in self.guessed else "" for name in ("text", "label")}
        return f"Texts are in the column {self.text}{notes['text']}, labels in {self.label}{notes['label']}."


def choose_columns(path: Path, text: str | None = None, label: str | None = None) -> Columns:
    """The columns of a file: the given ones, and guesses for the others.

    A column whose name says what it holds is preferred. Otherwise labels are in the column with the fewest different
    values, from 2 to ``MAX_CLASSES``, and texts in the one with the longest values.

    Raises:
        ValueError: the file cannot be read, or lacks a column.
    """
    names = column_names(path)
    if len(names) < 2:
        columns = "one column" if names else "no columns"
        raise ValueError(f"{path.name} has {columns}, wanted two: one with texts and one with labels")
    for given in filter(None, (text, label)):
        if given not in names:
            raise ValueError(f"{path.name} has no column {given!r}. {did_you_mean(given, names)}")
    if text is not None and text == label:
        raise ValueError(f"texts and labels are both in the column {text!r}: name two columns")
    guessed = tuple(name for name, given in (("text", text), ("label", label)) if given is None)
    sampled = sample_rows(path, names, SAMPLED)
    values = {name: [row[k] for row in sampled if row[k]] for k, name in enumerate(names)}
    if text is None:
        others = [name for name in names if name != label]
        text = guess_texts(others, values)
    if label is None:
        others = [name for name in names if name != text]
        n_values = {name: len(set(values[name])) for name in others}
        fit = [name for name in others if 2 <= n_values[name] <= MAX_CLASSES]
        label = by_name(fit, LABELS) or min(fit, key=n_values.__getitem__, default=None) or by_name(others, LABELS)
        if label is None:
            raise ValueError(f"{path.name} has no column with 2 to {MAX_CLASSES} different values besides {text!r}")
    return Columns(choose_column(path, text), choose_column(path, label), guessed)
