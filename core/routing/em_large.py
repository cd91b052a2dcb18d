"""EM routing of thousands of inputs, with the same numbers as ``em_routing`` (tests/core/routing/test_em.py).

It saves time and memory in two independent ways:

- ``Moments`` computes no votes. With weights shared by all inputs a vote is linear in mu_i, so the E-step and the
  M-step need only first and second moments of mu_i, and each step is one matrix product.
- Chunks: if a tensor would pass ``MAX_NUMBERS``, the inputs are read chunk by chunk, with gradient checkpointing.
"""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from operator import add
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import logsigmoid
from torch.utils.checkpoint import checkpoint

from core.edits import EditArgument
from core.routing.edited import Edited
from core.routing.em import EPS, EMStep, em_votes, softmax

MAX_NUMBERS = 2**28  # numbers in one tensor


class Fit(NamedTuple):
    """The result of one M-step over some or all of the inputs.

    used: sum of D_use over the inputs.
    variances: variances of the votes, to which ``merge`` adds EPS.
    coupling: R_ij; None if it is not kept.
    """

    benefit: Float[Tensor, "b j"]
    cost: Float[Tensor, "b j"]
    used: Float[Tensor, "b j"]
    means: Float[Tensor, "b j c h"]
    variances: Float[Tensor, "b j c h"]
    coupling: Float[Tensor, "b i j"] | None


def em_routing_large(
    scores: Float[Tensor, "b i"],
    capsules: Float[Tensor, "b i c d"],
    W: Float[Tensor, "*i j d h"],
    B: Float[Tensor, "*i_or_b j c h"],
    beta_use: Float[Tensor, "..."],
    beta_ign: Float[Tensor, "..."],
    n_iters: int,
    method: Literal["votes", "moments"],
    edit: EditArgument = None,
) -> Iterator[EMStep]:
    """The steps of ``em_routing`` on the votes of these capsules.

    Args:
        scores, beta_use, beta_ign, n_iters, edit: as in ``em_routing``.
        capsules, W, B: as in ``em_votes``.
        method: "votes", or "moments", which requires W to be shared by all inputs.
    """
    edited, scores = Edited.by_scores(edit, scores, B.shape[-3])
    gate = scores.sigmoid()
    fits = _fits(scores, capsules, W, B, beta_use, beta_ign, n_iters, method, edited, keep_coupling=True)
    for fit in edited.steps(fits):
        quantities = fit._asdict()
        del quantities["used"]
        yield EMStep(gate=gate, **quantities)


def em_capsules_large(
    scores: Float[Tensor, "b i"],
    capsules: Float[Tensor, "b i c d"],
    W: Float[Tensor, "*i j d h"],
    B: Float[Tensor, "*i_or_b j c h"],
    beta_use: Float[Tensor, "..."],
    beta_ign: Float[Tensor, "..."],
    n_iters: int,
    method: Literal["votes", "moments"],
    edit: EditArgument = None,
) -> tuple[Float[Tensor, "b j"], Float[Tensor, "b j c h"], Float[Tensor, "b j c h"]]:
    """Scores, means and variances after the last iteration, without holding all of R_ij in memory.

    Arguments as in ``em_routing_large``.
    """
    edited, scores = Edited.by_scores(edit, scores, B.shape[-3])
    fits = _fits(scores, capsules, W, B, beta_use, beta_ign, n_iters, method, edited, keep_coupling=False)
    for fit in edited.steps(fits):
        last = fit
    return last.benefit - last.cost, last.means, last.variances


def fits_at_once(batch: int, n_inp: int, numbers: int) -> bool:
    """Whether one chunk can hold all inputs; ``numbers`` is the size of the largest tensor per input and sample."""
    return n_inp <= _chunk_size(batch, numbers)


def _chunk_size(batch: int, numbers: int) -> int:
    """The largest number of inputs in a chunk."""
    return max(1, MAX_NUMBERS // (batch * numbers))


def _fits(
    scores: Tensor,
    capsules: Tensor,
    W: Tensor,
    B: Tensor,
    beta_use: Tensor,
    beta_ign: Tensor,
    n_iters: int,
    method: str,
    edited: Edited,
    keep_coupling: bool,
) -> Iterator[Fit]:
    """Yield one fit to all inputs per iteration."""
    kind = Moments if method == "moments" else VotesChunk
    n_out, per_input = B.shape[-3], W.ndim == 4
    gate = scores.sigmoid()

    def prepare(chunk: slice) -> "VotesChunk | Moments":
        weights = (W[chunk], B[chunk]) if per_input else (W, B)
        return kind(scores[:, chunk], capsules[:, chunk], *weights)

    def step(data: "VotesChunk | Moments", chunk: slice, *outputs: Tensor) -> Fit:
        f_a = gate[:, chunk, None]  # [b, i, 1]
        # E-step. At first every output has the same R_ij, so one column represents all.
        R = softmax(data.logits(*outputs)) if outputs else torch.full_like(f_a, 1 / n_out)
        R = edited.couplings(R)
        # D-step and M-step.
        used, means, variances = data.fit(R)
        if per_input:
            D_use = f_a * R
            benefit, cost = (beta_use[chunk] * D_use).sum(1), (beta_ign[chunk] * (f_a - D_use)).sum(1)
        else:
            benefit, cost = beta_use * used, beta_ign * (f_a.sum(1) - used)
        coupling = R.expand(-1, -1, n_out) if keep_coupling else None
        return Fit(benefit, cost, used, means, variances, coupling)

    # No chunks with edits, which number all inputs and may exchange shares between them.
    size = gate.shape[1] if edited.changes_couplings else _chunk_size(len(gate), kind.numbers(capsules, W))
    over_chunks = map_chunks(prepare, step, [slice(i, i + size) for i in range(0, gate.shape[1], size)])
    outputs: tuple[Tensor, ...] = ()
    for _ in range(n_iters):
        fit = merge(over_chunks(*outputs))
        outputs = logsigmoid(fit.benefit - fit.cost), fit.means, fit.variances
        yield fit


def map_chunks(prepare: Callable, step: Callable, chunks: list[slice]) -> Callable[..., list[Fit]]:
    """Make a function of the outputs' state that returns ``step(prepare(chunk), chunk, *state)`` for every chunk.

    A single chunk is prepared once and kept. Several chunks are prepared again in every pass, and once more in the
    backward pass, so that only one chunk's tensors exist at a time.
    """
    if len(chunks) == 1:
        kept = prepare(chunks[0])
        return lambda *state: [step(kept, chunks[0], *state)]

    def prepare_and_step(chunk: slice, *state: Tensor) -> Fit:
        return step(prepare(chunk), chunk, *state)

    def over_chunks(*state: Tensor) -> list[Fit]:
        run = prepare_and_step
        if torch.is_grad_enabled():
            run = partial(checkpoint, prepare_and_step, use_reentrant=False)
        return [run(chunk, *state) for chunk in chunks]

    return over_chunks


def merge(fits: list[Fit]) -> Fit:
    """Merge the fits to chunks into the fit to all inputs, and add EPS to its variances."""
    if len(fits) == 1:
        return fits[0]._replace(variances=fits[0].variances + EPS)
    parts = zip(*((fit.benefit, fit.cost, fit.used) for fit in fits), strict=True)
    benefit, cost, used = (reduce(add, terms) for terms in parts)
    totals = [fit.used[..., None, None] + EPS for fit in fits]
    total = used[..., None, None] + EPS
    mean = sum(n * fit.means for n, fit in zip(totals, fits, strict=True)) / total
    variance = torch.zeros_like(mean)
    for n, fit in zip(totals, fits, strict=True):
        m, v = fit.means, fit.variances
        # sum_i D_use (V - mean)^2, given that sum_i D_use (V - m) = EPS m, because m = sum_i D_use V / (used + EPS)
        variance = variance + (n * v + (m - mean) * (2 * EPS * m + (n - EPS) * (m - mean))) / total
    couplings = [fit.coupling for fit in fits if fit.coupling is not None]
    coupling = torch.cat(couplings, 1) if couplings else None
    return Fit(benefit, cost, used, mean, variance + EPS, coupling)


class VotesChunk:
    """A chunk of inputs, represented by its votes V_ijch."""

    def __init__(self, scores: Tensor, capsules: Tensor, W: Tensor, B: Tensor):
        self.f_a = scores.sigmoid()[..., None]
        self.V = em_votes(scores, capsules, W, B)

    @staticmethod
    def numbers(capsules: Tensor, W: Tensor) -> int:
        """The numbers per input and sample in the largest tensor."""
        return capsules.shape[2] * W.shape[-3] * W.shape[-1]

    def logits(
        self, log_f: Float[Tensor, "b j"], means: Float[Tensor, "b j c h"], variances: Float[Tensor, "b j c h"]
    ) -> Float[Tensor, "b i j"]:
        """log f(a_j) + log P_ij, up to a constant (eq. 3)."""
        distance = ((self.V - means[:, None]).square() / variances[:, None]).sum((-2, -1))
        return (log_f - 0.5 * variances.log().sum((-2, -1)))[:, None] - 0.5 * distance

    def fit(
        self, R: Float[Tensor, "b i #j"]
    ) -> tuple[Float[Tensor, "b j"], Float[Tensor, "b j c h"], Float[Tensor, "b j c h"]]:
        """The sum of D_use over the inputs, and the votes' means and variances weighted by D_use, without EPS."""
        D_use = (self.f_a * R).expand(self.V.shape[:3])
        used = D_use.sum(1)
        share = D_use / (used + EPS)[:, None]
        means = torch.einsum("bij,bijch->bjch", share, self.V)
        return used, means, torch.einsum("bij,bijch->bjch", share, (self.V - means[:, None]).square())


class Moments:
    """A chunk of inputs, represented by the moments of their capsules, with the same methods as ``VotesChunk``.

    With x_i = mu_i minus the chunk's weighted mean (which avoids cancellation in the variances), a vote is

        V_ijch = sum_d W_jdh x_icd + V0_jch,    V0 the vote of the weighted mean,

    so the log-density of V_ij is a linear function of phi_i, and every sum over i is a weighted sum of phi_i, where

        phi_ic = [x_icd;  x_icd x_icd' for d <= d';  1].
    """

    def __init__(self, scores: Tensor, capsules: Tensor, W: Tensor, B: Tensor):
        gate = scores.sigmoid()
        self.d = d = capsules.shape[-1]
        mu = capsules.permute(0, 2, 3, 1).clone(memory_format=torch.contiguous_format)  # [b, c, d, i]
        mu = mu.masked_fill_((gate == 0)[:, None, None], 0)
        share = gate / (gate.sum(1, keepdim=True) + EPS)
        centre = (mu @ share[:, None, :, None])[..., 0]  # [b, c, d]
        x = mu - centre[..., None]
        phi = torch.cat([x, *(x[:, :, k : k + 1] * x[:, :, k:] for k in range(d)), torch.ones_like(x[:, :, :1])], 2)
        self.phi = phi.flatten(1, 2)  # [b, c * moments, i]
        self.gated = (phi * gate[:, None, None]).flatten(1, 2)  # f(a_i) phi_i, so that no pass computes D_use
        row, column = torch.triu_indices(d, d, device=mu.device)
        self.W = W
        self.WW = W[:, row] * W[:, column] * torch.where(row == column, 1.0, 2.0).to(W)[:, None]  # [j, q, h]
        self.V0 = B + torch.einsum("bcd,jdh->bjch", centre, W)

    @staticmethod
    def numbers(capsules: Tensor, W: Tensor) -> int:
        c, d = capsules.shape[2:]
        return max(W.shape[0], c * n_moments(d))

    def logits(
        self, log_f: Float[Tensor, "b j"], means: Float[Tensor, "b j c h"], variances: Float[Tensor, "b j c h"]
    ) -> Float[Tensor, "b i j"]:
        precision, m = 0.5 / variances, means - self.V0  # V - mean = W x - m
        linear = 2 * torch.einsum("bjch,jdh->bjcd", precision * m, self.W)
        quadratic = -torch.einsum("bjch,jqh->bjcq", precision, self.WW)
        constant = log_f[..., None] / m.shape[-2] - (precision * m.square() + 0.5 * variances.log()).sum(-1)
        theta = torch.cat([linear, quadratic, constant[..., None]], -1).flatten(2)  # [b, j, c * moments]
        return self.phi.mT @ theta.mT

    def fit(
        self, R: Float[Tensor, "b i #j"]
    ) -> tuple[Float[Tensor, "b j"], Float[Tensor, "b j c h"], Float[Tensor, "b j c h"]]:
        sums = (self.gated @ R).mT.expand(-1, len(self.W), -1).unflatten(-1, (self.V0.shape[-2], -1))  # [b, j, c, q]
        used = sums[..., 0, -1]
        first, second, whole = (sums / (used + EPS)[..., None, None]).tensor_split([self.d, -1], -1)
        Wx = torch.einsum("bjcd,jdh->bjch", first, self.W)
        WxWx = torch.einsum("bjcq,jqh->bjch", second, self.WW)
        means = Wx + whole * self.V0  # whole: the sum of the shares, which EPS makes less than 1
        m = means - self.V0
        variances = WxWx - 2 * m * Wx + whole * m.square()
        return used, means, variances.clamp(min=0)


def n_moments(d: int) -> int:
    """The number of moments up to the second of a vector with d components: d + d (d + 1) / 2 + 1."""
    return d + d * (d + 1) // 2 + 1
