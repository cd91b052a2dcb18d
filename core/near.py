"""Which known name someone may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def near(name: str, known: Iterable[str]) -> str:
    """A question that offers the known names that are near, or the one that differs in case; nothing if none is."""
    by_lower = {other.lower(): other for other in known}
    lower = name.lower()
    nearest = [lower] if lower in by_lower else get_close_matches(lower, by_lower, n=3, cutoff=0.7)
    names = [by_lower[other] for other in nearest]
    return f"Did you mean {' or '.join(names)}?" if names else ""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "There are") -> str:
    """A sentence that names what is near, or everything if nothing is.

    Args:
        otherwise: how the sentence begins that lists everything.
    """
    names = list(known)
    return near(name, names) or f"{otherwise}: {', '.join(names) or 'none'}."
