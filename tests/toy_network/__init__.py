"""A network as somebody else would add it: a package outside of core and dashboard.

It takes five files: the model, its trace, its network, its recipe (with a card) and its page. A sixth, the figures, is
there to be left out: the picture of a trace is then that of its class probabilities.
"""
