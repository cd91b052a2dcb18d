"""Identifies the run that a saved state belongs to."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

VERSION = 3  # to be raised when older states can no longer be resumed


def fingerprint(settings: Mapping[str, Any]) -> str:
    """The sha256 of the settings of a run as sorted JSON, and of ``VERSION``."""
    content = json.dumps({"version": VERSION, "settings": settings}, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()
