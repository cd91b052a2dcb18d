"""Converts samples to the arguments of a network: ids of words, hidden states of a transformer, or pixels."""
