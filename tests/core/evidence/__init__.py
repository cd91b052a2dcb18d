"""core.evidence."""
