"""The page Models, on all checkpoints and the user's own."""
