"""Text from outside, shown as it was typed."""

import re

FOLDERS = re.compile(r"(?<![\w:/.])/(?:[^\s/'\"]+/)+|\b[A-Za-z]:\\(?:[^\s\\'\"]+\\)+")


def escape(text: str) -> str:
    """The text with Markdown's signs escaped: names of files and checkpoints are shown, not rendered.

    Addresses become links whatever is escaped in them, so an invisible character splits them.
    """
    split = re.sub(r"(?<=www)(?=\.)|(?<=:)(?=//)|(?=@)", "\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]<>#|~:$&])", r"\\\1", split)


def escape_error(error: Exception | str) -> str:
    """What an error says, escaped. Files are called by their names alone: where they lie is no visitor's business."""
    return escape(FOLDERS.sub("", str(error)))
