"""What the Gaussians of EM routing are fitted to: two ways to the same numbers.

``Votes`` makes every vote V_ijch. ``Moments`` never does: with weights shared over i a vote is linear in mu_i, so
every sum that the loop needs is a sum of first and second moments of mu_i, and both the E-step and the M-step are
one matrix product each.
"""

from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

EPS = 1e-5  # in both denominators and on every variance, as in the author's program


def pooled(used: tuple[Tensor, ...], means: tuple[Tensor, ...], variances: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    """Means and variances of all inputs from those of parts of them, each [b, j, c, h] (``Data.fit``)."""
    if len(used) == 1:
        return means[0], variances[0] + EPS
    totals = [u[..., None, None] + EPS for u in used]
    total = sum(totals) - (len(totals) - 1) * EPS
    mean = sum(t * m for t, m in zip(totals, means, strict=True)) / total
    variance = torch.zeros_like(mean)
    for t, m, v in zip(totals, means, variances, strict=True):
        # sum of D_use (V - mean)^2, where sum of D_use (V - m) is EPS m, m being EPS short of the true mean
        variance = variance + (t * v + (m - mean) * (2 * EPS * m + (t - EPS) * (m - mean))) / total
    return mean, variance + EPS


@runtime_checkable
class Data(Protocol):
    """What the outputs' Gaussians are fitted to."""

    @staticmethod
    def width(mu: Tensor, W: Tensor) -> int:
        """Numbers that one input makes in the largest tensor."""

    def logits(self, prior: Tensor, means: Tensor, variances: Tensor) -> Tensor:
        """prior_j + log P_ij up to a constant [b, i, j] (eq. 3)."""

    def fit(self, R: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Sum of D_use over i [b, j]; means and variances [b, j, c, h] of the votes under it, no EPS added to the
        variances yet. R: [b, i, j or 1].
        """


class Votes:
    def __init__(self, gate: Tensor, mu: Tensor, W: Tensor, B: Tensor):
        self.gate = gate
        mu = mu.masked_fill((gate == 0)[..., None, None], 0)
        per_input = W.ndim == 4
        V = torch.einsum("bicd,ijdh->bijch" if per_input else "bicd,jdh->bijch", mu, W)
        self.V = V + (B[:, None] if B.ndim == 4 and not per_input else B)  # eq. 1

    @staticmethod
    def width(mu: Tensor, W: Tensor) -> int:
        return mu.shape[2] * W.shape[-3] * W.shape[-1]

    def logits(self, prior: Tensor, means: Tensor, variances: Tensor) -> Tensor:
        far = ((self.V - means[:, None]).square() / variances[:, None]).sum((-2, -1))
        return (prior - 0.5 * variances.log().sum((-2, -1)))[:, None] - 0.5 * far

    def fit(self, R: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        use = (self.gate[..., None] * R).expand(self.V.shape[:3])
        used = use.sum(1)
        share = use / (used + EPS)[:, None]
        means = torch.einsum("bij,bijch->bjch", share, self.V)
        return used, means, torch.einsum("bij,bijch->bjch", share, (self.V - means[:, None]).square())


class Moments:
    """phi_ic = [x_icd, x_icd x_icd' for d <= d', 1], with x_i = mu_i less its weighted mean, or the variances cancel.

    A vote is V_ijch = sum_d W_jdh x_icd + V0_jch, V0 being the vote of the mean.
    """

    def __init__(self, gate: Tensor, mu: Tensor, W: Tensor, B: Tensor):
        self.d = d = mu.shape[-1]
        mu = mu.permute(0, 2, 3, 1).clone(memory_format=torch.contiguous_format)  # [b, c, d, i]
        mu = mu.masked_fill_((gate == 0)[:, None, None], 0)
        share = gate / (gate.sum(1, keepdim=True) + EPS)
        centre = (mu @ share[:, None, :, None])[..., 0]
        x = mu - centre[..., None]
        phi = torch.cat([x, *(x[:, :, k : k + 1] * x[:, :, k:] for k in range(d)), torch.ones_like(x[:, :, :1])], 2)
        self.phi = phi.flatten(1, 2)  # [b, c * moments, i]
        self.gated = (phi * gate[:, None, None]).flatten(1, 2)  # once here, not D_use in every pass
        row, column = torch.triu_indices(d, d, device=mu.device)
        self.W = W
        self.WW = W[:, row] * W[:, column] * torch.where(row == column, 1.0, 2.0).to(W)[:, None]
        self.V0 = B + torch.einsum("bcd,jdh->bjch", centre, W)

    @staticmethod
    def width(mu: Tensor, W: Tensor) -> int:
        c, d = mu.shape[2:]
        return max(W.shape[0], c * (d + d * (d + 1) // 2 + 1))

    def logits(self, prior: Tensor, means: Tensor, variances: Tensor) -> Tensor:
        precision, m = 0.5 / variances, means - self.V0  # V - mean = W x - m
        linear = 2 * torch.einsum("bjch,jdh->bjcd", precision * m, self.W)
        quadratic = -torch.einsum("bjch,jqh->bjcq", precision, self.WW)
        constant = prior[..., None] / m.shape[-2] - (precision * m.square() + 0.5 * variances.log()).sum(-1)
        theta = torch.cat([linear, quadratic, constant[..., None]], -1).flatten(2)
        return self.phi.mT @ theta.mT

    def fit(self, R: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        sums = (self.gated @ R).mT.expand(-1, len(self.W), -1).unflatten(-1, (self.V0.shape[-2], -1))
        used = sums[..., 0, -1]
        first, second, whole = (sums / (used + EPS)[..., None, None]).tensor_split([self.d, -1], -1)
        Wx = torch.einsum("bjcd,jdh->bjch", first, self.W)
        WxWx = torch.einsum("bjcq,jqh->bjch", second, self.WW)
        means = Wx + whole * self.V0  # whole: the sum of the shares, EPS short of 1
        m = means - self.V0
        variances = WxWx - 2 * m * Wx + whole * m.square()
        return used, means, variances.clamp(min=0)
