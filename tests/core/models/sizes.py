"""Sizes of a small DR-AGG network, which reads words or documents."""

SMALL = {"n_words": 10, "n_classes": 3, "n_capsules": 2, "d_capsule": 4}
SMALL |= {"d_word": 5, "d_hidden": 4, "d_mlp": 6, "d_piece": 7}
