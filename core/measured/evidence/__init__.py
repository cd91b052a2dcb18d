"""Whether the pictures tell the truth: rankings of words, couplings and capsules, measured over a test split."""
