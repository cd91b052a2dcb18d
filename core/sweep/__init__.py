"""Sweeps: many trainings of small networks with varied settings, each sweep collected in one table."""
