"""The page on what was measured over whole test splits."""
