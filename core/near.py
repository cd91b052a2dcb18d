"""Suggests the known name that a user may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def suggest_similar(name: str, known: Iterable[str]) -> str:
    """Ask whether a similar known name was meant, or the one that differs only in case; "" if there is none."""
    by_lower = {other.lower(): other for other in known}
    lower = name.lower()
    nearest = [lower] if lower in by_lower else get_close_matches(lower, by_lower, n=3, cutoff=0.7)
    names = [by_lower[other] for other in nearest]
    return f"Did you mean {' or '.join(names)}?" if names else ""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "There are") -> str:
    """A sentence that offers similar known names, or lists all of them if none is similar.

    Args:
        name: unknown name.
        known: known names.
        otherwise: beginning of the sentence that lists all names.
    """
    names = list(known)
    return suggest_similar(name, names) or f"{otherwise}: {', '.join(names) or 'none'}."
