"""Tables of trainings on the same texts, and the advice which routing to take and why."""

from collections.abc import Sequence
from typing import Any

from jaxtyping import Bool
from numpy import ndarray

from core.analysis.intervals import interval_of_paired_difference, interval_of_share
from core.fit.card import place_among
from core.fit.compare import Compared
from core.measured.evidence.badge import Badge
from core.sentences.words import listed


def difference(first: Bool[ndarray, " n"], second: Bool[ndarray, " n"]) -> tuple[float, float]:
    """The 95% interval of the difference of two accuracies on the same texts, first minus second.

    If both are right on the same texts, it is as wide as the interval of the share of texts on which they differ, 0.
    """
    if (first == second).all():
        most = interval_of_share(0, len(first))[1]
        return -most, most
    return interval_of_paired_difference(first[None].astype(float), second[None].astype(float))


def table(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """One row for each routing: its accuracy, and its difference from the most accurate routing."""
    best = max(compared, key=lambda one: one.accuracy)
    return [
        {
            "routing": one.routing,
            **_accuracy_of(one.right, None if one is best else best.right),
            "minutes": one.minutes,
            "parameters": one.parameters,
            "picture": one.badge.verdict,
            "name": one.name,
        }
        for one in compared
    ]


def table_of_others(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """One row for each simpler model, on the same texts: its accuracy, and its difference from the best routing."""
    best = max(compared, key=lambda one: one.accuracy)
    return [{"model": name} | _accuracy_of(right, best.right) for name, right in _others(compared).items()]


def _accuracy_of(right: Bool[ndarray, " n"], best: Bool[ndarray, " n"] | None) -> dict[str, Any]:
    """The accuracy of a row with its interval, and the interval of its difference from the best; None for the best."""
    accuracy = float(right.mean())
    interval = interval_of_share(accuracy, len(right))
    return {"accuracy": accuracy, "interval": interval, "minus best": best if best is None else difference(right, best)}


def _others(compared: Sequence[Compared]) -> dict[str, Bool[ndarray, " n"]]:
    """The answers of the simpler models. Only a network over a transformer has been compared with a linear probe."""
    return {name: right for one in reversed(compared) for name, right in one.others.items()}


def advise(compared: Sequence[Compared]) -> str:
    """Two sentences: which routing to take and why, and how good it is next to simpler models.

    Routings that are not less accurate than the best one beyond chance count as equally accurate. The advised one is
    that whose picture finds most of what matters; without evidence, it is the most accurate one. All this is judged on
    the dev texts, so that the accuracy on the test texts is not that of a winner on them. Only routings that are not
    worse on the test texts, either, are said to be no different.
    """
    best = max(compared, key=lambda one: one.dev.mean())
    equal = [one for one in compared if one is best or difference(one.dev, best.dev)[1] >= 0]
    advised = max(equal, key=lambda one: (one.badge.share or 0.0, one.dev.mean()))
    ties = [one for one in equal if one is not advised and difference(one.right, advised.right)[1] >= 0]
    others = " and ".join(one.title for one in ties)
    rank = f"no different beyond chance from {others or best.title}" if others or advised is not best else "the best"
    picture = f", and its picture {_verdict(advised.badge)}" if advised.badge.is_measured else ""
    share = f"{advised.accuracy:.1%} of the test texts"
    simpler = place_among(advised.right, _others(compared))
    beats = f" On the test texts it is {simpler}." if simpler else ""
    ahead = [one for one in compared if difference(one.right, advised.right)[0] > 0]
    more = f" But on the test texts, {_more_accurate(ahead, advised)}." if ahead else ""
    return f"Take {advised.title} ({share}): on the texts that chose the weights it is {rank}{picture}.{beats}{more}"


def _more_accurate(ahead: Sequence[Compared], advised: Compared) -> str:
    """A clause on routings that are more accurate than the advised one beyond chance."""
    phrases = []
    for one in ahead:
        low, high = (100 * end for end in difference(one.right, advised.right))
        phrases.append(f"{one.title} (by {low:.1f} to {high:.1f} points)")
    return f"{listed(phrases)} {'is' if len(ahead) == 1 else 'are'} more accurate"


def summarize(compared: Sequence[Compared]) -> dict[str, Any]:
    """The tables and the advice, as JSON takes them."""
    return {"table": table(compared), "others": table_of_others(compared), "advice": advise(compared)}


def _verdict(badge: Badge) -> str:
    return badge.verdict if badge.verdict.startswith("finds") else f"is {badge.verdict}"


def lines(compared: Sequence[Compared]) -> list[str]:
    """The table as text, and the advice."""
    head = ("accuracy", 9), ("95% interval", 18), ("minus best, points", 22), ("minutes", 9), ("parameters", 12)
    rows = [f"{'routing':<29}" + "".join(f"{name:>{width}}" for name, width in head) + "  picture"]
    for row in table(compared):
        low, high = row["interval"]
        against = row["minus best"]
        minus = "" if against is None else f"{100 * against[0]:+.1f} to {100 * against[1]:+.1f}"
        rows.append(
            f"{row['routing']:<29}{row['accuracy']:>9.1%}{f'{low:.1%} to {high:.1%}':>18}{minus:>22}"
            f"{row['minutes']:>9.1f}{row['parameters']:>12,}  {row['picture']}"
        )
    for row in table_of_others(compared):
        (low, high), against = row["interval"], row["minus best"]
        minus = f"{100 * against[0]:+.1f} to {100 * against[1]:+.1f}"
        rows.append(f"{row['model']:<29}{row['accuracy']:>9.1%}{f'{low:.1%} to {high:.1%}':>18}{minus:>22}")
    return [*rows, advise(compared)]
