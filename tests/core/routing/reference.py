"""The routings of the papers in NumPy loops, in float64 and without any code of core.

An ``edit`` is a function of the couplings [i, j] of an iteration and its number t, from 1. It returns the couplings
that the iteration uses.
"""

import numpy as np


def unedited(c, t):
    """The couplings as they are."""
    return c


def dynamic_routing(votes, n_iters, normalize="output", edit=unedited):
    """Route the votes u_ij [i, j, h] of one sample; return the fields of a DynamicStep for each iteration."""
    n_inp, n_out, _ = votes.shape
    b = np.zeros((n_inp, n_out))
    steps = []
    for t in range(n_iters):
        c = np.zeros_like(b)
        if normalize == "output":
            for i in range(n_inp):
                c[i] = np.exp(b[i] - b[i].max()) / np.exp(b[i] - b[i].max()).sum()
        else:
            for j in range(n_out):
                c[:, j] = np.exp(b[:, j] - b[:, j].max()) / np.exp(b[:, j] - b[:, j].max()).sum()
        c = edit(c, t + 1)
        v = np.zeros((n_out, votes.shape[2]))
        for j in range(n_out):
            s = sum(c[i, j] * votes[i, j] for i in range(n_inp))
            length = np.sqrt((s**2).sum())
            if length > 0:
                v[j] = length**2 / (1 + length**2) * s / length
        agreement = np.array([[v[j] @ votes[i, j] for j in range(n_out)] for i in range(n_inp)])
        steps.append({"logits": b.copy(), "coupling": c, "capsules": v, "agreement": agreement})
        b = b + agreement
    return steps


def kmeans_routing(votes, n_iters, edit=unedited):
    """Route the votes u_ij [i, j, h] of one sample; return the fields of a KMeansStep for each iteration."""
    n_inp, n_out, _ = votes.shape
    v = [sum(votes[i, j] for i in range(n_inp)) / n_out for j in range(n_out)]
    steps = []
    for t in range(n_iters):
        b, c = np.zeros((n_inp, n_out)), np.zeros((n_inp, n_out))
        for i in range(n_inp):
            for j in range(n_out):
                norms = np.sqrt((votes[i, j] ** 2).sum() * (v[j] ** 2).sum())
                b[i, j] = votes[i, j] @ v[j] / norms if norms else 0
            c[i] = np.exp(b[i]) / np.exp(b[i]).sum()
        c = edit(c, t + 1)
        v = [sum(c[i, j] * votes[i, j] for i in range(n_inp)) for j in range(n_out)]
        lengths = [np.sqrt((capsule**2).sum()) for capsule in v]
        squashed = np.array([length / (1 + length**2) * capsule for length, capsule in zip(lengths, v, strict=True)])
        steps.append({"logits": b, "coupling": c, "centres": np.array(v), "capsules": squashed})
    return steps


def em_routing(scores, capsules, W, B, beta_use, beta_ign, n_iters, edit=unedited):
    """Route the scores [i] and capsules [i, c, d] of one sample; return quantities of an EMStep for each iteration.

    W is [i, j, d, h].
    """
    n_inp, n_out = W.shape[:2]
    f = np.array([0.0 if a == -np.inf else 1 / (1 + np.exp(-a)) for a in scores])
    V = np.array([[capsules[i] @ W[i, j] + B[i, j] for j in range(n_out)] for i in range(n_inp)])
    steps = []
    a = mu = sigma2 = None
    for t in range(n_iters):
        R = np.full((n_inp, n_out), 1 / n_out)
        if t:
            log_f = -np.log1p(np.exp(-a))
            for i in range(n_inp):
                far = ((V[i] - mu) ** 2 / (2 * sigma2)).sum((1, 2)) + 0.5 * np.log(sigma2).sum((1, 2))
                p = np.exp(log_f - far - (log_f - far).max())
                R[i] = p / p.sum()
        R = edit(R, t + 1)
        a, mu, sigma2 = np.zeros(n_out), np.zeros(V.shape[1:]), np.zeros(V.shape[1:])
        for j in range(n_out):
            use = f * R[:, j]
            a[j] = beta_use[:, j] @ use - beta_ign[:, j] @ (f - use)
            total = use.sum() + 1e-5
            mu[j] = sum(use[i] * V[i, j] for i in range(n_inp)) / total
            sigma2[j] = sum(use[i] * (V[i, j] - mu[j]) ** 2 for i in range(n_inp)) / total + 1e-5
        steps.append({"gate": f, "use": f[:, None] * R, "scores": a, "means": mu, "variances": sigma2})
    return steps


def set_coupling(i, j, value, over_inputs=False):
    """Set c_ij to the value, and rescale the shares that sum to 1 with it."""

    def edit(c, t):
        c = c.copy()
        line = c[:, j] if over_inputs else c[i]
        place = i if over_inputs else j
        others = sum(line[k] for k in range(len(line)) if k != place)
        for k in range(len(line)):
            line[k] = value if k == place else line[k] / others * (1 - value)
        return c

    return edit


def drop_capsule(j, over_inputs=False):
    """Give capsule j nothing, and rescale the shares of the others to sum to 1."""

    def edit(c, t):
        c = c.copy()
        c[:, j] = 0
        if not over_inputs:
            for row in c:
                row /= row.sum()
        return c

    return edit


def uniform(over_inputs=False):
    """Make all shares equal."""
    return lambda c, t: np.full_like(c, 1 / c.shape[0 if over_inputs else 1])


def freeze_after(last):
    """Keep the couplings of iteration ``last`` in all later ones."""
    kept = {}

    def edit(c, t):
        kept[t] = c
        return kept[min(t, last)]

    return edit


def sharpness(K):
    """Replace softmax(b) by softmax(K b); log softmax(b) is b up to a constant."""

    def edit(c, t):
        powers = np.exp(K * (np.log(c) - np.log(c).max(1, keepdims=True)))
        return powers / powers.sum(1, keepdims=True)

    return edit


def in_order(*edits):
    """Apply several edits, one after the other."""

    def edit(c, t):
        for one in edits:
            c = one(c, t)
        return c

    return edit
