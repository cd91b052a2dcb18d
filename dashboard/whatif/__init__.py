"""A page on one run: its edits, its inspector, and the effect of cutting each share."""
