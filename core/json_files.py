"""Reads untrusted JSON files: numbers, texts and nesting are limited, so that code that uses them is safe."""

import json
from pathlib import Path
from typing import Any

LARGEST_FILE = 1 << 24  # bytes
LARGEST_NUMBER = 10**15  # exact as a float, an int64 and in JavaScript
LONGEST_TEXT = 10_000  # characters
DEEPEST = 20  # nested objects and lists


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        ValueError: the file cannot be read, holds no object, or has a value that ``check_values`` refuses.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(f"it has more than {LARGEST_FILE:,} bytes")
        value = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(value, dict):
            raise ValueError("it holds no object")
        check_values(value)
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read as JSON: {error}") from None
    return value


def check_values(value: Any, depth: int = 0) -> None:
    """Raise ValueError unless all numbers are finite and moderate, texts valid and short, and nesting shallow."""
    if depth > DEEPEST:
        raise ValueError(f"its values are nested more than {DEEPEST} deep")
    if isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:  # NaN fails this too
        raise ValueError(f"it holds the number {value!r:.20}, wanted at most {LARGEST_NUMBER:.0e}")
    if isinstance(value, str):
        _check_text(value)
    for key in value if isinstance(value, dict) else ():
        _check_text(key)
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_values(inner, depth + 1)


def _check_text(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"it holds a text of {len(text):,} characters, wanted at most {LONGEST_TEXT:,}")
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a UTF-16 pair, which cannot be displayed
        raise ValueError(f"it holds the text {text!r:.20}, which is not valid Unicode") from None
