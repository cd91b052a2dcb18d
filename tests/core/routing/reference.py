"""The routings in NumPy float64, loop by loop from the papers, sharing nothing with core."""

import numpy as np


def dynamic_routing(votes, n_iters, normalize="output"):
    """votes u_ij [i, j, h] of one sample -> for each iteration the fields of a DynamicStep."""
    n_inp, n_out, _ = votes.shape
    b = np.zeros((n_inp, n_out))
    steps = []
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
        steps.append({"logits": b.copy(), "coupling": c, "capsules": v, "agreement": agreement})
        b = b + agreement
    return steps


def kmeans_routing(votes, n_iters):
    """votes u_ij [i, j, h] of one sample -> for each iteration the fields of a KMeansStep."""
    n_inp, n_out, _ = votes.shape
    v = [sum(votes[i, j] for i in range(n_inp)) / n_out for j in range(n_out)]
    steps = []
    for _ in range(n_iters):
        b, c = np.zeros((n_inp, n_out)), np.zeros((n_inp, n_out))
        for i in range(n_inp):
            for j in range(n_out):
                b[i, j] = votes[i, j] @ v[j] / np.sqrt((votes[i, j] ** 2).sum() * (v[j] ** 2).sum())
            c[i] = np.exp(b[i]) / np.exp(b[i]).sum()
        v = [sum(c[i, j] * votes[i, j] for i in range(n_inp)) for j in range(n_out)]
        lengths = [np.sqrt((capsule**2).sum()) for capsule in v]
        squashed = np.array([length / (1 + length**2) * capsule for length, capsule in zip(lengths, v, strict=True)])
        steps.append({"logits": b, "coupling": c, "centres": np.array(v), "capsules": squashed})
    return steps


def em_routing(scores, capsules, W, B, beta_use, beta_ign, n_iters):
    """One sample: scores [i], capsules [i, c, d], W [i, j, d, h] -> for each iteration quantities of an EMStep."""
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
        a, mu, sigma2 = np.zeros(n_out), np.zeros(V.shape[1:]), np.zeros(V.shape[1:])
        for j in range(n_out):
            use = f * R[:, j]
            a[j] = beta_use[:, j] @ use - beta_ign[:, j] @ (f - use)
            total = use.sum() + 1e-5
            mu[j] = sum(use[i] * V[i, j] for i in range(n_inp)) / total
            sigma2[j] = sum(use[i] * (V[i, j] - mu[j]) ** 2 for i in range(n_inp)) / total + 1e-5
        steps.append({"gate": f, "use": f[:, None] * R, "scores": a, "means": mu, "variances": sigma2})
    return steps
