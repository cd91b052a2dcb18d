"""Training: what to train (recipes), how (loop), and how good it became (metrics)."""
