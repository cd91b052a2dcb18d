"""Reads untrusted JSON files. Numbers, texts and nesting are limited, so that other code can use them safely."""

import json
from pathlib import Path
from typing import Any

MAX_FILE = 1 << 24  # bytes
MAX_NUMBER = 10**15  # exact as a float, an int64 and in JavaScript
MAX_TEXT = 10_000  # characters
MAX_DEPTH = 20  # nested objects and lists


def read_json(path: Path) -> dict[str, Any]:
    """Read the object in a JSON file.

    Raises:
        ValueError: the file cannot be read, holds no object, or has a value that ``check_values`` refuses.
    """
    try:
        if path.stat().st_size > MAX_FILE:
            raise ValueError(f"it has more than {MAX_FILE:,} bytes")
        value = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(value, dict):
            raise ValueError("it holds no object")
        check_values(value)
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read as JSON: {error}") from None
    return value


def check_values(value: Any, depth: int = 0) -> None:
    """Raise ValueError unless all numbers are finite and moderate, texts valid and short, and nesting shallow."""
    if depth > MAX_DEPTH:
        raise ValueError(f"its values are nested more than {MAX_DEPTH} deep")
    if isinstance(value, int | float) and not abs(value) <= MAX_NUMBER:  # NaN fails this too
        raise ValueError(f"it holds the number {value!r:.20}, wanted at most {MAX_NUMBER:.0e}")
    if isinstance(value, str):
        _check_text(value)
    if isinstance(value, dict):
        for key in value:
            _check_text(key)
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            check_values(inner, depth + 1)


def _check_text(text: str) -> None:
    """Raise ValueError unless a text is short and valid Unicode."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"it holds a text of {len(text):,} characters, wanted at most {MAX_TEXT:,}")
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a UTF-16 pair, which cannot be displayed
        raise ValueError(f"it holds the text {text!r:.20}, which is not valid Unicode") from None
