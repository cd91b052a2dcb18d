"""Identifies the training run of a saved state."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

VERSION = 3  # increase it when older states can no longer be resumed


def fingerprint(settings: Mapping[str, Any]) -> str:
    """The sha256 of ``VERSION`` and of a run's settings as sorted JSON."""
    content = json.dumps({"version": VERSION, "settings": settings}, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()
