"""core.measured.evidence."""
