"""The page Corpus, on many texts at once."""
