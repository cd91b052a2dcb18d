"""EM routing that maximises "bang per bit" (Heinsen 2019, *An Algorithm for Routing Capsules in All Domains*; alg. 1).

The loop is here; what a step costs is decided in ``core.routing.votes``.
"""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import logsigmoid
from torch.utils.checkpoint import checkpoint

from core.routing.votes import Data, Moments, Votes, pooled

LARGEST = 2**28  # numbers in one tensor; where it would be larger, the inputs are read part by part
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
        n_out: number of output capsules, each with weights of its own; None, which wants n_inp None too, shares
            them over any number, which differ by the ``biases`` that come with the input (3.1.1).
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
        n_out: int | None,
        d_cov: int,
        d_inp: int,
        d_out: int,
        n_iters: int = 3,
        method: Literal["votes", "moments", "auto"] = "auto",
        single_beta: bool = False,
    ):
        super().__init__()
        sizes = {"n_inp": n_inp, "n_out": n_out, "d_cov": d_cov, "d_inp": d_inp, "d_out": d_out, "n_iters": n_iters}
        for name, size in sizes.items():
            if size is not None and size < 1:
                raise ValueError(f"{name} is {size}, wanted at least 1")
        if n_out is None and n_inp is not None:
            raise ValueError(f"n_out is None and n_inp {n_inp}: outputs share weights only where inputs do")
        if method not in ("votes", "moments", "auto") or (method == "moments" and n_inp is not None):
            raise ValueError(f"method is {method!r}, wanted votes, auto, or moments where n_inp is None")
        if method == "auto":
            n_moments = d_inp + d_inp * (d_inp + 1) // 2
            method = "moments" if n_inp is None and n_moments <= DEAREST_MOMENTS * d_out else "votes"
        self.n_inp, self.n_out, self.n_iters, self.method = n_inp, n_out, n_iters, method
        lead = tuple(n for n in (n_inp, n_out) if n is not None)
        self.W = nn.Parameter(torch.randn(*lead, d_inp, d_out) / d_inp)
        self.B = nn.Parameter(torch.zeros(*lead, d_cov, d_out))
        self.beta_use = nn.Parameter(torch.zeros(lead))
        self.beta_ign = self.beta_use if single_beta else nn.Parameter(torch.zeros(lead))

    def forward(
        self,
        scores: Float[Tensor, "b i"],
        capsules: Float[Tensor, "b i c d"],
        biases: Float[Tensor, "b j c h"] | None = None,
    ) -> tuple[Float[Tensor, "b j"], Float[Tensor, "b j c h"], Float[Tensor, "b j c h"]]:
        """Scores, means and variances after the last iteration. Arguments and errors as in ``steps``."""
        n_iters = self._check(scores, capsules, biases, None)
        last = deque(self._rounds(scores, capsules, biases, n_iters, traced=False), maxlen=1).pop()
        dtype = capsules.dtype
        return (last.benefit - last.cost).to(dtype), last.means.to(dtype), last.variances.to(dtype)

    def steps(
        self,
        scores: Float[Tensor, "b i"],
        capsules: Float[Tensor, "b i c d"],
        n_iters: int | None = None,
        biases: Float[Tensor, "b j c h"] | None = None,
    ) -> Iterator[EMStep]:
        """One step an iteration, ``self.n_iters`` of them unless told.

        Args:
            scores: a_i before the logistic; -inf is padding, which takes part in nothing, +inf a sure input.
            capsules: mu_i.
            biases: what tells the outputs apart, added to the votes for each; where n_out is None, and only there.

        Raises:
            ValueError: a shape that does not fit the weights, or n_iters below 1. At once, not at the first step.
        """
        n_iters = self._check(scores, capsules, biases, n_iters)
        return (found.as_step(capsules.dtype) for found in self._rounds(scores, capsules, biases, n_iters, traced=True))

    def _check(self, scores: Tensor, capsules: Tensor, biases: Tensor | None, n_iters: int | None) -> int:
        """The number of iterations; ValueError where an argument does not fit."""
        (c, h), d = self.B.shape[-2:], self.W.shape[-2]
        i = capsules.shape[1] if self.n_inp is None and capsules.ndim == 4 else self.n_inp
        if capsules.ndim != 4 or 0 in capsules.shape[:2] or capsules.shape[1:] != (i, c, d):
            wanted = f"[b, {self.n_inp or 'i'}, {c}, {d}]"
            raise ValueError(f"capsules has shape {list(capsules.shape)}, wanted {wanted}")
        if scores.shape != capsules.shape[:2]:
            raise ValueError(f"scores has shape {list(scores.shape)}, wanted {list(capsules.shape[:2])}")
        if (biases is None) != (self.n_out is not None):
            wanted = "none, as n_out is fixed" if biases is not None else f"[b, j, {c}, {h}], as n_out is None"
            raise ValueError(f"biases is {'None' if biases is None else 'there'}, wanted {wanted}")
        if biases is not None and (
            biases.ndim != 4 or not biases.shape[1] or (len(biases), *biases.shape[2:]) != (len(capsules), c, h)
        ):
            raise ValueError(f"biases has shape {list(biases.shape)}, wanted [{len(capsules)}, j, {c}, {h}]")
        n_iters = self.n_iters if n_iters is None else n_iters
        if n_iters < 1:
            raise ValueError(f"n_iters is {n_iters}, wanted at least 1")
        return n_iters

    def _rounds(
        self, scores: Tensor, capsules: Tensor, biases: Tensor | None, n_iters: int, traced: bool
    ) -> Iterator["_Round"]:
        """The loop. R_ij is kept for the caller only where it is traced: forward never holds all of it."""
        wide = torch.promote_types(capsules.dtype, torch.float32)  # sums over thousands of inputs want the digits
        gate = scores.to(wide).sigmoid()
        mu = capsules.to(wide)
        W, B, beta_use, beta_ign = (p.to(wide) for p in (self.W, self.B, self.beta_use, self.beta_ign))
        if biases is not None:
            W, B = W.expand(biases.shape[1], -1, -1), B + biases.to(wide)
        n_out, per_input = B.shape[-3], self.n_inp is not None
        make = Moments if self.method == "moments" else Votes

        def read(part: slice) -> Data:
            """The inputs of one part."""
            weights = (W[part], B[part]) if per_input else (W, B)
            return make(gate[:, part], mu[:, part], *weights)

        def share(data: Data, part: slice, gaussians: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
            """E-, D- and M-step of one part."""
            same = torch.full_like(gate[:, part, None], 1 / n_out)  # for every j: one column stands for all
            R = _softmax(data.logits(*gaussians)) if gaussians else same  # E-step, eq. 2 as log-sums
            used, means, variances = data.fit(R)  # D- and M-step
            if per_input:  # eq. 8
                use = gate[:, part, None] * R
                benefit = (beta_use[part] * use).sum(1)
                cost = (beta_ign[part] * (gate[:, part, None] - use)).sum(1)
            else:
                benefit, cost = beta_use * used, beta_ign * (gate[:, part].sum(1, keepdim=True) - used)
            return benefit, cost, used, means, variances, *([R] if traced else [])

        size = gate.shape[0] * make.width(mu, W)  # numbers that one input makes in the largest tensor
        at_once = max(1, LARGEST // size)
        parts = [slice(i, i + at_once) for i in range(0, gate.shape[1], at_once)]
        held = read(parts[0]) if len(parts) == 1 else None
        gaussians: tuple[Tensor, ...] = ()
        for _ in range(n_iters):
            if held is not None:
                found = [share(held, parts[0], gaussians)]
            else:  # too much to hold: each part is read anew in each pass, and once more by the gradient
                again = partial(checkpoint, use_reentrant=False) if torch.is_grad_enabled() else _call
                found = [again(lambda part, *g: share(read(part), part, g), part, *gaussians) for part in parts]
            benefits, costs, *fits = list(zip(*found, strict=True))
            benefit, cost = sum(benefits), sum(costs)
            means, variances = pooled(*fits[:3])
            gaussians = logsigmoid(benefit - cost), means, variances
            R = torch.cat(fits[3], 1).expand(-1, -1, n_out) if traced else None
            yield _Round(gate=gate, coupling=R, benefit=benefit, cost=cost, means=means, variances=variances)


@dataclass(frozen=True, kw_only=True)
class _Round:
    """An EMStep before it is rounded; its coupling is None where nobody asked for it."""

    gate: Tensor
    coupling: Tensor | None
    benefit: Tensor
    cost: Tensor
    means: Tensor
    variances: Tensor

    def as_step(self, dtype: torch.dtype) -> EMStep:
        return EMStep(**{name: tensor.to(dtype) for name, tensor in vars(self).items()})


def _softmax(logits: Tensor) -> Tensor:
    """Softmax over the last axis, of logits that are nobody else's.

    Exponentials near underflow take a CPU several times longer: what lies so deep below the largest is raised to
    where no sum can tell it from 0. Not for the gradient to see.
    """
    deepest = 8 + math.log(torch.finfo(logits.dtype).tiny)
    logits.detach().clamp_(min=logits.detach().amax(-1, keepdim=True) + deepest)
    return logits.softmax(-1)


def _call(function, *arguments):
    return function(*arguments)
