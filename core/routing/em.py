"""EM routing that maximises "bang per bit" (Heinsen 2019, *An Algorithm for Routing Capsules in All Domains*; alg. 1).

Two ways to the same numbers. "votes" makes every vote V_ijch. "moments" never does: with weights
shared over i a vote is linear in mu_i, so every sum that the loop needs is a sum of first and
second moments of mu_i, and both the E-step and the M-step are one matrix product each.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

EPS = 1e-5  # in both denominators and on every variance, as in the author's program
DEAREST_MOMENTS = 8  # moments win while there are at most this many of them for each component of a vote


@dataclass(frozen=True, kw_only=True)
class EMStep:
    """The state after one iteration.

    gate: f(a_i). coupling: R_ij (E-step).
    benefit, cost: the two terms of the output scores a_j. means, variances: mu_j and sigma^2_j (M-step).
    """

    gate: Float[Tensor, "b i"]
    coupling: Float[Tensor, "b i j"]
    benefit: Float[Tensor, "b j"]
    cost: Float[Tensor, "b j"]
    means: Float[Tensor, "b j c h"]
    variances: Float[Tensor, "b j c h"]

    @property
    def use(self) -> Float[Tensor, "b i j"]:
        """D_use, the share of input i's data that output j takes (D-step, eq. 4)."""
        return self.gate[..., None] * self.coupling

    @property
    def ignore(self) -> Float[Tensor, "b i j"]:
        """D_ign, the share of input i's data that output j leaves (D-step, eq. 6)."""
        return self.gate[..., None] - self.use

    @property
    def scores(self) -> Float[Tensor, "b j"]:
        """a_j, net benefit less net cost (eq. 8)."""
        return self.benefit - self.cost

    @property
    def activation(self) -> Float[Tensor, "b j"]:
        """f(a_j), from 0 to 1."""
        return self.scores.sigmoid()

    @property
    def capsules(self) -> Float[Tensor, "b j c h"]:
        """mu_j."""
        return self.means


class EMRouting(nn.Module):
    """Input scores and capsules [b, i, c, d] to output scores, means and variances [b, j, c, h].

    Args:
        n_inp: number of input capsules, each with weights of its own; None shares them over any number.
        n_out: number of output capsules.
        d_cov, d_inp, d_out: capsules are d_cov x d_inp in, d_cov x d_out out.
        n_iters: iterations, at least 1.
        method: "votes", "moments" (only where n_inp is None) or "auto", the cheaper.
        single_beta: beta_ign is beta_use (3.5.1).

    Raises:
        ValueError: a size below 1, or a method that cannot be.
    """

    def __init__(
        self,
        n_inp: int | None,
        n_out: int,
        d_cov: int,
        d_inp: int,
        d_out: int,
        n_iters: int = 3,
        method: Literal["votes", "moments", "auto"] = "auto",
        single_beta: bool = False,
    ):
        super().__init__()
        sizes = {"n_out": n_out, "d_cov": d_cov, "d_inp": d_inp, "d_out": d_out, "n_iters": n_iters}
        for name, size in (sizes | ({} if n_inp is None else {"n_inp": n_inp})).items():
            if size < 1:
                raise ValueError(f"{name} is {size}, wanted at least 1")
        if method not in ("votes", "moments", "auto") or (method == "moments" and n_inp is not None):
            raise ValueError(f"method is {method!r}, wanted votes, auto, or moments where n_inp is None")
        if method == "auto":
            n_moments = d_inp + d_inp * (d_inp + 1) // 2
            method = "moments" if n_inp is None and n_moments <= DEAREST_MOMENTS * d_out else "votes"
        self.n_inp, self.n_iters, self.method = n_inp, n_iters, method
        lead = (n_out,) if n_inp is None else (n_inp, n_out)
        self.W = nn.Parameter(torch.randn(*lead, d_inp, d_out) / d_inp)
        self.B = nn.Parameter(torch.zeros(*lead, d_cov, d_out))
        self.beta_use = nn.Parameter(torch.zeros(lead))
        self.beta_ign = self.beta_use if single_beta else nn.Parameter(torch.zeros(lead))

    def forward(
        self, scores: Float[Tensor, "b i"], capsules: Float[Tensor, "b i c d"]
    ) -> tuple[Float[Tensor, "b j"], Float[Tensor, "b j c h"], Float[Tensor, "b j c h"]]:
        """Scores, means and variances after the last iteration. Arguments and errors as in ``steps``."""
        last = deque(self.steps(scores, capsules), maxlen=1).pop()
        return last.scores, last.means, last.variances

    def steps(
        self, scores: Float[Tensor, "b i"], capsules: Float[Tensor, "b i c d"], n_iters: int | None = None
    ) -> Iterator[EMStep]:
        """One step an iteration, ``self.n_iters`` of them unless told.

        Args:
            scores: a_i before the logistic; -inf is padding, which takes part in nothing, +inf a sure input.
            capsules: mu_i.

        Raises:
            ValueError: a shape that does not fit the weights, or n_iters below 1. At once, not at the first step.
        """
        c, d = self.B.shape[-2], self.W.shape[-2]
        i = capsules.shape[1] if self.n_inp is None and capsules.ndim == 4 else self.n_inp
        if capsules.ndim != 4 or not capsules.shape[1] or capsules.shape[1:] != (i, c, d):
            wanted = f"[b, {self.n_inp or 'i'}, {c}, {d}]"
            raise ValueError(f"capsules has shape {list(capsules.shape)}, wanted {wanted}")
        if scores.shape != capsules.shape[:2]:
            raise ValueError(f"scores has shape {list(scores.shape)}, wanted {list(capsules.shape[:2])}")
        n_iters = self.n_iters if n_iters is None else n_iters
        if n_iters < 1:
            raise ValueError(f"n_iters is {n_iters}, wanted at least 1")
        return self._iterate(scores, capsules, n_iters)

    def _iterate(self, scores: Tensor, capsules: Tensor, n_iters: int) -> Iterator[EMStep]:
        dtype = capsules.dtype
        wide = dtype if dtype == torch.float64 else torch.float32  # sums over thousands of inputs want the digits
        gate = scores.to(wide).sigmoid()
        mu = capsules.to(wide).masked_fill((gate == 0)[..., None, None], 0)
        W, B, beta_use, beta_ign = (p.to(wide) for p in (self.W, self.B, self.beta_use, self.beta_ign))
        data: _Data = (_Moments if self.method == "moments" else _Votes)(gate, mu, W, B)
        n_out = B.shape[-3]
        R = torch.full_like(gate, 1 / n_out)[..., None]  # the same for every j: one column stands for all
        gaussians = None
        for _ in range(n_iters):
            if gaussians is not None:  # E-step, eq. 2 as log-sums
                R = data.logits(*gaussians).softmax(-1)
            used, means, variances = data.fit(R)  # D- and M-step
            if self.n_inp is None:  # eq. 8
                benefit, cost = beta_use * used, beta_ign * (gate.sum(1, keepdim=True) - used)
            else:
                use = gate[..., None] * R
                benefit, cost = (beta_use * use).sum(1), (beta_ign * (gate[..., None] - use)).sum(1)
            gaussians = logsigmoid(benefit - cost), means, variances
            found = {"gate": gate, "coupling": R.expand(*gate.shape, n_out), "benefit": benefit, "cost": cost}
            found |= {"means": means, "variances": variances}
            yield EMStep(**{name: tensor.to(dtype) for name, tensor in found.items()})


class _Data(Protocol):
    """What the outputs' Gaussians are fitted to."""

    def logits(self, prior: Tensor, means: Tensor, variances: Tensor) -> Tensor:
        """prior_j + log P_ij up to a constant [b, i, j] (eq. 3)."""

    def fit(self, R: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Sum of D_use over i [b, j], means and variances [b, j, c, h] of the votes under it. R: [b, i, j or 1]."""


class _Votes:
    def __init__(self, gate: Tensor, mu: Tensor, W: Tensor, B: Tensor):
        self.gate = gate
        self.V = torch.einsum("bicd,jdh->bijch" if W.ndim == 3 else "bicd,ijdh->bijch", mu, W) + B  # eq. 1

    def logits(self, prior: Tensor, means: Tensor, variances: Tensor) -> Tensor:
        far = ((self.V - means[:, None]).square() / variances[:, None]).sum((-2, -1))
        return (prior - 0.5 * variances.log().sum((-2, -1)))[:, None] - 0.5 * far

    def fit(self, R: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        use = (self.gate[..., None] * R).expand(self.V.shape[:3])
        used = use.sum(1)
        share = use / (used + EPS)[:, None]
        means = torch.einsum("bij,bijch->bjch", share, self.V)
        variances = torch.einsum("bij,bijch->bjch", share, (self.V - means[:, None]).square())
        return used, means, variances + EPS


class _Moments:
    """phi_i = [x_icd, x_icd x_icd' for d <= d', 1], with x_i = mu_i less its weighted mean, or the variances cancel.

    A vote is V_ijch = sum_d W_jdh x_icd + V0_jch, V0 being the vote of the mean.
    """

    def __init__(self, gate: Tensor, mu: Tensor, W: Tensor, B: Tensor):
        centre = torch.einsum("bi,bicd->bcd", gate / (gate.sum(1, keepdim=True) + EPS), mu)
        x = mu - centre[:, None]
        self.d = mu.shape[-1]
        row, column = torch.triu_indices(self.d, self.d, device=mu.device)
        x = x.permute(0, 2, 3, 1).contiguous()  # [b, c, d, i]: picking pairs then copies whole rows
        pairs = x[:, :, row] * x[:, :, column]
        phi = torch.cat([x.flatten(1, 2), pairs.flatten(1, 2), torch.ones_like(x[:, 0, :1])], 1)
        self.phi, self.gated = phi.mT, (phi * gate[:, None]).mT  # gated once here, not D_use in every pass
        self.W = W
        self.WW = W[:, row] * W[:, column] * torch.where(row == column, 1.0, 2.0).to(W)[:, None]
        self.V0 = B + torch.einsum("bcd,jdh->bjch", centre, W)

    def logits(self, prior: Tensor, means: Tensor, variances: Tensor) -> Tensor:
        precision, m = 0.5 / variances, means - self.V0  # V - mean = W x - m
        quadratic = -torch.einsum("bjch,jqh->bjcq", precision, self.WW)
        linear = 2 * torch.einsum("bjch,jdh->bjcd", precision * m, self.W)
        constant = prior - (precision * m.square() + 0.5 * variances.log()).sum((-2, -1))
        theta = torch.cat([linear.flatten(2), quadratic.flatten(2), constant[..., None]], -1)
        return self.phi @ theta.mT

    def fit(self, R: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        sums = (R.mT @ self.gated).expand(-1, len(self.W), -1)
        used = sums[..., -1]
        sums = sums / (used + EPS)[..., None]
        c = self.V0.shape[-2]
        first, second, whole = sums.split([c * self.d, sums.shape[-1] - c * self.d - 1, 1], -1)
        Wx = torch.einsum("bjcd,jdh->bjch", first.unflatten(-1, (c, self.d)), self.W)
        WxWx = torch.einsum("bjcq,jqh->bjch", second.unflatten(-1, (c, -1)), self.WW)
        whole = whole[..., None]  # sum of the shares, EPS short of 1
        means = Wx + whole * self.V0
        m = means - self.V0
        variances = WxWx - 2 * m * Wx + whole * m.square()
        return used, means, variances.clamp(min=0) + EPS
