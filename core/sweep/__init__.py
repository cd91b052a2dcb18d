"""Many trainings in one table: what a network is without a part of it, or with more of it."""
