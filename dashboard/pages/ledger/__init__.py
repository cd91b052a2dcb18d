"""The page on the claims of the papers."""
