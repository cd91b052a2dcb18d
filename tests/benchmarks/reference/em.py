"""Plain EM routing: algorithm 1 of the paper in einsums, with all votes in memory. Inputs share weights."""

import torch

EPS = 1e-5


def em_routing(a_inp, mu_inp, W, B, beta_use, beta_ign, n_iters=3):
    """a_inp [b, i], mu_inp [b, i, c, d], W [j, d, h], B [j, c, h], betas [j] -> a, mu, sig2."""
    V = torch.einsum("jdh,bicd->bijch", W, mu_inp) + B
    f_a = torch.sigmoid(a_inp)[:, :, None]
    n_out = W.shape[0]
    a = mu = sig2 = None
    for t in range(n_iters):
        if t == 0:
            R = torch.full((*a_inp.shape, n_out), 1 / n_out, dtype=V.dtype, device=V.device)
        else:
            distance = torch.einsum("bijch,bjch->bij", (V - mu[:, None]) ** 2, 1 / (2 * sig2))
            log_p = -distance - (0.5 * sig2.log()).sum((2, 3))[:, None]
            R = torch.softmax(torch.nn.functional.logsigmoid(a)[:, None] + log_p, dim=2)
        D_use = f_a * R
        D_ign = f_a - D_use
        a = torch.einsum("j,bij->bj", beta_use, D_use) - torch.einsum("j,bij->bj", beta_ign, D_ign)
        over = 1 / (D_use.sum(1) + EPS)
        mu = torch.einsum("bij,bijch,bj->bjch", D_use, V, over)
        sig2 = torch.einsum("bij,bijch,bj->bjch", D_use, (V - mu[:, None]) ** 2, over) + EPS
    return a, mu, sig2
