"""The page Start: what a capsule is, what coupling is, and why one would doubt a picture of it."""
