"""Quantities computed from a trace: pure functions on arrays."""
