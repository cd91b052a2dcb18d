"""The tab What if: edits that are offered, kept and applied."""
