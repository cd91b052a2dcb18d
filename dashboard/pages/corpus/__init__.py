"""The page My texts, on many texts."""
