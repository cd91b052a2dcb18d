"""Training: the settings of every checkpoint (recipes), the training loop, and accuracy (metrics)."""
