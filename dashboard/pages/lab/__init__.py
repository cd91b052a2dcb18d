"""The page Lab, on routing without a network."""
