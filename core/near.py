"""Which known name someone may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "There are") -> str:
    """A sentence that names what is near, or everything if nothing is.

    Args:
        otherwise: how the sentence begins that lists everything.
    """
    names = list(known)
    by_lower = {other.lower(): other for other in names}
    near = get_close_matches(name.lower(), by_lower, n=3, cutoff=0.7)
    if near:
        return f"Did you mean {' or '.join(by_lower[other] for other in near)}?"
    return f"{otherwise}: {', '.join(names) or 'none'}."
