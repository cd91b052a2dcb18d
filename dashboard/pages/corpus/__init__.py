"""The page on many texts at once."""
