"""EM routing that maximises "bang per bit" (Heinsen 2019, *An Algorithm for Routing Capsules in All Domains*; alg. 1).

This is the paper's algorithm on votes that fit in memory. ``core.routing.em_large`` gives the same numbers for
thousands of inputs, and ``core.routing.em_module.EMRouting`` holds the weights and chooses between the two.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import logsigmoid

from core.edits import EditArgument
from core.routing.edited import Edited

EPS = 1e-5  # added to denominators and to every variance, as in the author's program


@dataclass(frozen=True, kw_only=True)
class EMStep:
    """The state after one iteration.

    gate: f(a_i), the amount of data in input i, from 0 to 1.
    coupling: R_ij, the routing probabilities (E-step).
    benefit, cost: the two terms of the output score a_j = benefit - cost (M-step).
    means, variances: mu_j and sigma^2_j of each output (M-step).
    """

    gate: Float[Tensor, "b i"]
    coupling: Float[Tensor, "b i j"]
    benefit: Float[Tensor, "b j"]
    cost: Float[Tensor, "b j"]
    means: Float[Tensor, "b j c h"]
    variances: Float[Tensor, "b j c h"]

    @property
    def use(self) -> Float[Tensor, "b i j"]:
        """D_use, the share of input i's data that output j uses (D-step, eq. 4)."""
        return self.gate[..., None] * self.coupling

    @property
    def ignore(self) -> Float[Tensor, "b i j"]:
        """D_ign, the share of input i's data that output j ignores (D-step, eq. 6)."""
        return self.gate[..., None] - self.use

    @property
    def scores(self) -> Float[Tensor, "b j"]:
        """a_j, net benefit minus net cost (eq. 8)."""
        return self.benefit - self.cost

    @property
    def activation(self) -> Float[Tensor, "b j"]:
        """f(a_j), from 0 to 1."""
        return self.scores.sigmoid()

    @property
    def capsules(self) -> Float[Tensor, "b j c h"]:
        """mu_j."""
        return self.means

    def to(self, dtype: torch.dtype) -> "EMStep":
        """The same step with tensors rounded to this dtype."""
        return EMStep(**{field.name: getattr(self, field.name).to(dtype) for field in fields(self)})


def em_routing(
    scores: Float[Tensor, "b i"],
    votes: Float[Tensor, "b i j c h"],
    beta_use: Float[Tensor, "..."],
    beta_ign: Float[Tensor, "..."],
    n_iters: int,
    edit: EditArgument = None,
) -> Iterator[EMStep]:
    """Route input capsules to output capsules by expectation-maximization.

    Args:
        scores: a_i before the logistic function; -inf marks padding, which is ignored.
        votes: V_ij, the vote of input i for output j (``em_votes``). Votes of padding must be finite.
        beta_use, beta_ign: benefit per unit of data used, and cost per unit ignored; [i, j], [j] or a single number.
        n_iters: iterations, at least 1.
        edit: changes inside the routing, applied in order.

    Yields:
        One EMStep per iteration.

    Raises:
        ValueError: n_iters is below 1, or an edit is invalid. It is raised at the call, not at the first step.

    Source:
        Heinsen 2019, algorithm 1, eq. 2-8.
    """
    if n_iters < 1:
        raise ValueError(f"n_iters is {n_iters}, wanted at least 1")
    edited, scores = Edited.by_scores(edit, scores, votes.shape[2])
    return edited.steps(_iterate(scores, votes, beta_use, beta_ign, n_iters, edited))


def _iterate(
    scores: Tensor, votes: Tensor, beta_use: Tensor, beta_ign: Tensor, n_iters: int, edited: Edited
) -> Iterator[EMStep]:
    V, n_out = votes, votes.shape[2]
    f_a = scores.sigmoid()[..., None]  # [b, i, 1]
    last: tuple[Tensor, Tensor, Tensor] | None = None  # a, squares and sigma2 of the last M-step
    for _ in range(n_iters):
        # E-step.
        if last is None:
            R = torch.full_like(f_a, 1 / n_out)  # [b, i, 1], one column for every j
        else:
            a, squares, sigma2 = last
            log_scale = -0.5 * sigma2.log().sum((-2, -1))  # [b, j]
            distance = (squares / sigma2[:, None]).sum((-2, -1))  # [b, i, j]
            R = softmax((logsigmoid(a) + log_scale)[:, None] - 0.5 * distance)  # [b, i, j]
        R = edited.couplings(R)

        # D-step.
        D_use = (f_a * R).expand(-1, -1, n_out)  # [b, i, j]
        D_ign = f_a - D_use

        # M-step.
        benefit, cost = (beta_use * D_use).sum(1), (beta_ign * D_ign).sum(1)
        a = benefit - cost  # [b, j]
        share = D_use / (D_use.sum(1) + EPS)[:, None]  # [b, i, j]
        mu = torch.einsum("bij,bijch->bjch", share, V)
        squares = (V - mu[:, None]).square()  # [b, i, j, c, h]
        sigma2 = torch.einsum("bij,bijch->bjch", share, squares) + EPS
        last = a, squares, sigma2

        R = R.expand_as(D_use)
        yield EMStep(gate=f_a[..., 0], coupling=R, benefit=benefit, cost=cost, means=mu, variances=sigma2)


def em_votes(
    scores: Float[Tensor, "b i"],
    capsules: Float[Tensor, "b i c d"],
    W: Float[Tensor, "*i j d h"],
    B: Float[Tensor, "*i_or_b j c h"],
) -> Float[Tensor, "b i j c h"]:
    """V_ij = mu_i W_ij + B_ij (eq. 1).

    Args:
        scores: a_i. If f(a_i) is 0, the capsule counts as zero regardless of its value.
        capsules: mu_i.
        W: [i, j, d, h], or [j, d, h] if shared by all inputs.
        B: [i, j, c, h] if every input has its own W; otherwise [j, c, h], or [b, j, c, h] for outputs that differ
            between samples.
    """
    mu = capsules.masked_fill((scores.sigmoid() == 0)[..., None, None], 0)
    if W.ndim == 4:
        return torch.einsum("bicd,ijdh->bijch", mu, W) + B
    return torch.einsum("bicd,jdh->bijch", mu, W) + (B[:, None] if B.ndim == 4 else B)


def softmax(logits: Float[Tensor, "*batch j"]) -> Float[Tensor, "*batch j"]:
    """Softmax over the last axis. It changes ``logits`` in place, so pass a tensor that is not used elsewhere.

    Exponentials near underflow (subnormal numbers) take a CPU several times longer. So logits far below the largest are
    raised until their exponential is a normal number, still too small to change any sum. Gradients ignore this change.
    """
    # e^8 times the smallest normal number, so that it is still normal after division by a sum of thousands.
    deepest = 8 + math.log(torch.finfo(logits.dtype).tiny)
    logits.detach().clamp_(min=logits.detach().amax(-1, keepdim=True) + deepest)
    return logits.softmax(-1)
