"""Sweeps: many trainings of small networks with varied settings, collected in one table each."""
