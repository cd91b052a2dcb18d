"""The page on routing without a network."""
