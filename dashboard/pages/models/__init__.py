"""The page on all checkpoints, and one's own."""
