"""The page Compare, on two runs."""
