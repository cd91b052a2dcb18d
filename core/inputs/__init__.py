"""Converts samples to the arguments of a network: word ids, hidden states of a transformer, or pixels."""
