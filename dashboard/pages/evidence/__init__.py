"""The page Evidence, on measurements over whole test splits."""
