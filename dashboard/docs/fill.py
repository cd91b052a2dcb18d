"""Markdown with its numbers and equations filled in: {accuracy of dragg-sst5}, and TeX between dollar signs.

The numbers are read from the files next to the weights. An equation becomes MathML, which browsers draw without a
script.
"""

import re
from collections.abc import Callable

from dashboard.docs.links import outside_code

FACT = re.compile(r"\{(accuracy|interval|photographs|paper|badge) of ([a-z][\w-]*)\}")
EQUATION = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
SYMBOL = re.compile(r"(?<![\\$`\w])\$([^$`\n]+)\$(?![\w$])")


def fill(text: str) -> str:
    """Fill in the numbers and equations of a page.

    Raises:
        ValueError: there is no such network, or the number is not known of it.
    """
    return outside_code(FACT.sub(lambda found: fact(*found.groups()), text), _draw_equations)


def fact(quantity: str, name: str) -> str:
    """A number that was measured of a network, in words.

    Args:
        quantity: "accuracy" on the test split, its "interval", on "photographs", in the "paper", or "badge".
        name: name of the network.

    Raises:
        ValueError: there is no such network, or the number is not known of it.
    """
    from core.ledger.claim import evidence_of
    from core.manifest import describe
    from core.measured.evidence.badge import badge_of

    metrics = describe(name).metrics
    scores = {"accuracy": metrics.test, "interval": metrics.test, "paper": metrics.paper}
    score = (scores | {"photographs": metrics.photographs}).get(quantity)
    if score is None:
        return badge_of(evidence_of(name)).text
    if score.accuracy is None:
        raise ValueError(f"{quantity} of {name} is not known")
    if quantity == "photographs":
        return f"{score.n_right} of {score.n}"
    if quantity == "interval":
        return " to ".join(f"{end:.1%}" for end in score.interval or ())
    return f"{score.accuracy:.1%}"


def _draw_equations(part: str) -> str:
    part = EQUATION.sub(lambda found: f"\n{to_mathml(found[1], 'block')}\n", part)
    return _outside_spans(part, lambda words: SYMBOL.sub(lambda found: to_mathml(found[1]), words))


def _outside_spans(text: str, change: Callable[[str], str]) -> str:
    """Change the text outside spans of code."""
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if k % 2 else change(part) for k, part in enumerate(parts))


def to_mathml(tex: str, display: str = "inline") -> str:
    """An equation as MathML in one line.

    Args:
        tex: the equation in TeX, without dollar signs.
        display: "block" for a line of its own, or "inline".
    """
    from latex2mathml.converter import convert

    math = convert(" ".join(tex.split()), display=display)
    return math.replace("<math ", '<math tabindex="0" ', 1) if display == "block" else math  # it may scroll
