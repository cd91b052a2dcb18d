"""Training: the settings of every checkpoint (recipes), the training loop, and the scores (metrics)."""
