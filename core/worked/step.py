"""A step of a calculation, and its numbers in LaTeX. No text of a user is ever part of the LaTeX."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy import ndarray

MOST_TERMS = 6  # terms of a sum that are written out; of a longer sum, the largest ones
FEW_TERMS = 3
LONGEST = 110  # characters of LaTeX in one line
DIGITS = 6  # after the point, of the numbers of a vector: smaller ones are noise
RELATIVE, ABSOLUTE = 1e-4, 1e-5  # differences up to which a result equals the number in the trace


@dataclass(frozen=True)
class WorkedStep:
    """A step of a calculation.

    Args:
        symbol: left side of the equation, in LaTeX.
        formula: right side in symbols, in LaTeX.
        numbers: right side with numbers in place of the symbols, in LaTeX; "" if the trace holds only the result.
        value: result, computed from the numbers; the length of a result that is a vector.
        path: line of Python that reads the result from ``trace``, or computes it from arrays of ``trace`` and from
            ``votes``, ``beta_use`` and ``beta_ign``.
        says: explanation in plain words.
        term: word of the glossary for the symbol.
        is_share: whether the result is the number of the cell in the picture.
        stored: the number that the trace has for the result; None if it has none. An edit can make them differ.
        vector: the result in LaTeX if it is a vector; "" if it is a number.
    """

    symbol: str
    formula: str
    numbers: str
    value: float
    path: str
    says: str
    term: str
    is_share: bool = False
    stored: float | None = None
    vector: str = ""

    @property
    def latex(self) -> str:
        """The whole equation; a long one has its numbers on a second line, and that of a vector has a line for each."""
        result = self.vector or number(self.value)
        parts = [self.symbol, self.formula, self.numbers, result]
        line = " = ".join(part for part in parts if part)
        if self.vector and self.formula:
            lines = r" \\ &= ".join(part for part in parts[1:] if part)
            return rf"\begin{{aligned}} {self.symbol} &= {lines} \end{{aligned}}"
        if len(line) <= LONGEST or not (self.formula and self.numbers):
            return line
        return (
            rf"\begin{{aligned}} {self.symbol} &= {self.formula} \\ &= {self.numbers} = {result} "
            r"\end{aligned}"
        )


@dataclass(frozen=True)
class Nouns:
    """The words for the things that are routed.

    Attributes:
        unit, output: nouns for an input and an output.
        outputs: names of the outputs; numbers if there are none.
        components: names of the numbers of a vote, in LaTeX; none if it is too long to be written out.
    """

    unit: str = "part"
    output: str = "whole"
    outputs: Sequence[str] = ()
    components: Sequence[str] = ()

    def name(self, j: int) -> str:
        """The name of an output."""
        return self.outputs[j] if self.outputs else f"{self.output} {j + 1}"


def number(value: float) -> str:
    """A number in LaTeX, with three or four digits."""
    value = float(value)
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else r"\infty"
    if value.is_integer() and abs(value) < 1e6:
        return f"{value:.0f}"
    if 1e-3 <= abs(value) < 1e4:
        return f"{value:.3f}" if abs(value) < 100 else f"{value:.1f}"
    digits, exponent = f"{value:.2e}".split("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}"


def bracketed(value: float) -> str:
    """A number in LaTeX, in brackets if it is negative."""
    return rf"({number(value)})" if value < 0 else number(value)


def vector(values: ndarray, names: Sequence[str]) -> str:
    """A vector in LaTeX, with the name of each component, in LaTeX too, below its number."""
    written = [
        rf"\underset{{{name}}}{{{number(round(value, DIGITS))}}}" for value, name in zip(values, names, strict=True)
    ]
    return r"\left(" + r",\; ".join(written) + r"\right)"


def softmax(logits: ndarray, own: int) -> tuple[str, float]:
    """The softmax of one of these logits, in LaTeX and as a number. Of many terms below the line, the largest stay."""
    x = np.asarray(logits, np.float64)
    shares = np.exp(x - x.max())
    terms = [_power(x[k]) for k in _shown(shares, own)]
    below = " + ".join(terms) + (r" + \dots" if len(terms) < len(x) else "")
    return rf"\frac{{{_power(x[own])}}}{{{below}}}", float(shares[own] / shares.sum())


def _power(exponent: float) -> str:
    return rf"e^{{{number(exponent)}}}"


def _shown(sizes: ndarray, own: int) -> list[int]:
    """The indices of the terms of a sum that are written out, in their order."""
    if len(sizes) <= MOST_TERMS:
        return list(range(len(sizes)))
    largest = [int(k) for k in np.argsort(-np.abs(sizes), kind="stable")[:FEW_TERMS]]
    return sorted({own, *largest})


def total(terms: Iterable[float], own: int) -> str:
    """A sum in LaTeX; of many terms, the largest stay."""
    values = np.asarray(list(terms), np.float64)
    shown = _shown(values, own)
    written = " + ".join(bracketed(values[k]) for k in shown)
    return written + (r" + \dots" if len(shown) < len(values) else "")


def edited(steps: Iterable[WorkedStep]) -> Iterator[WorkedStep]:
    """The steps, with one more after each whose result the user's edits replaced by another number."""
    for step in steps:
        if step.stored is None or math.isclose(step.value, step.stored, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            yield step
        else:
            yield replace(step, path="", says=f"{step.says} Your edits overrule this.", is_share=False)
            says = "Your edits put this number in its place."
            yield replace(step, formula="", numbers="", value=step.stored, says=says)
