"""The page on two runs."""
