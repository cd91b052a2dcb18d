"""Analyses of traces: pure functions on arrays."""
