"""What if: the edits of the run on screen, what the inspector offers, and what cutting each share does."""
