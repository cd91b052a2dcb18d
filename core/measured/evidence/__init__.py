"""Evidence: how faithful rankings of words, couplings and capsules are, measured over a test split."""
