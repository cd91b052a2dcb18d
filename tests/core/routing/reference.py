"""Dynamic routing in NumPy float64, loop by loop from the paper, sharing nothing with core."""

import numpy as np


def dynamic_routing(votes, n_iters, normalize="output"):
    """votes u_ij [i, j, h] of one sample -> a list of (b, c, v, agreement), one an iteration."""
    n_inp, n_out, _ = votes.shape
    b = np.zeros((n_inp, n_out))
    found = []
    for _ in range(n_iters):
        c = np.zeros_like(b)
        if normalize == "output":
            for i in range(n_inp):
                c[i] = np.exp(b[i] - b[i].max()) / np.exp(b[i] - b[i].max()).sum()
        else:
            for j in range(n_out):
                c[:, j] = np.exp(b[:, j] - b[:, j].max()) / np.exp(b[:, j] - b[:, j].max()).sum()
        v = np.zeros((n_out, votes.shape[2]))
        for j in range(n_out):
            s = sum(c[i, j] * votes[i, j] for i in range(n_inp))
            length = np.sqrt((s**2).sum())
            if length > 0:
                v[j] = length**2 / (1 + length**2) * s / length
        agreement = np.array([[v[j] @ votes[i, j] for j in range(n_out)] for i in range(n_inp)])
        found.append((b.copy(), c, v, agreement))
        b = b + agreement
    return found
