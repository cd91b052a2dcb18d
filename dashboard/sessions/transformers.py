"""The transformers that heads can be over."""

from core import manifest
from dashboard.public import is_public

BUILT_IN = "all-MiniLM-L6-v2"


def transformers() -> dict[str, str]:
    """What a head can be trained over: the built-in transformer, and the folders of the user's own, by name."""
    return {BUILT_IN: BUILT_IN} | {name: str(f.absolute()) for name, f in manifest.transformers().items()}


def of_archives() -> dict[str, str]:
    """What the head in an uploaded archive can be over: the same, and on one's own server what its user has fetched."""
    if is_public():
        return transformers()
    from core.inputs.transformers import fetched

    return {name: name for name in fetched()} | transformers()
