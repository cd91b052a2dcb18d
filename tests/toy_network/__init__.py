"""A network in a package outside core and dashboard, as a user would add it.

It has five files: the model, its trace, its network, its recipe (with a card) and its page. The sixth, the figures, is
optional: without it, the picture of a trace shows the class probabilities.
"""
