"""The EM routing layer, which holds the weights and checks its inputs. The algorithm is in ``core.routing.em``."""

from collections.abc import Iterator
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.edits import EditArgument
from core.routing.edited import Edited
from core.routing.em import EMStep, em_routing, em_votes
from core.routing.em_large import VotesChunk, em_capsules_large, em_routing_large, fits_at_once, n_moments

Prepared = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]  # scores, capsules, W, B, beta_use, beta_ign
Method = Literal["votes", "moments"]
MAX_MOMENTS = 8  # moments per component of a vote; with more, "auto" chooses votes


class EMRouting(nn.Module):
    """Maps input scores and capsules [b, i, c, d] to output scores, means and variances [b, j, c, h].

    Args:
        n_inp: number of input capsules, each with its own weights; None shares the weights among any number of inputs.
        n_out: number of output capsules, each with its own weights; None shares the weights among any number of
            outputs, which then differ by the ``biases`` given with the input (3.1.1), and requires n_inp to be None
            too.
        d_cov, d_inp, d_out: input capsules are d_cov x d_inp, output capsules d_cov x d_out.
        n_iters: number of iterations, at least 1.
        method: "votes" computes every vote; "moments" computes none, and requires n_inp to be None; "auto" chooses the
            cheaper one.
        single_beta: whether beta_use and beta_ign are one parameter (3.5.1).

    Raises:
        ValueError: a size is below 1, or a method or n_out conflicts with the other arguments.

    Source:
        Heinsen 2019, algorithm 1.

    Example:
        >>> routing = EMRouting(n_inp=100, n_out=10, d_cov=4, d_inp=4, d_out=4)
        >>> scores, means, variances = routing(torch.randn(1, 100), torch.randn(1, 100, 4, 4))
        >>> means.shape
        torch.Size([1, 10, 4, 4])
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
            is_cheaper = n_inp is None and n_moments(d_inp) - 1 <= MAX_MOMENTS * d_out
            method = "moments" if is_cheaper else "votes"
        self.n_inp, self.n_out, self.n_iters = n_inp, n_out, n_iters
        self.method: Method = method
        leading = tuple(n for n in (n_inp, n_out) if n is not None)
        self.W = nn.Parameter(torch.randn(*leading, d_inp, d_out) / d_inp)
        self.B = nn.Parameter(torch.zeros(*leading, d_cov, d_out))
        self.beta_use = nn.Parameter(torch.zeros(leading))
        self.beta_ign = self.beta_use if single_beta else nn.Parameter(torch.zeros(leading))

    def forward(
        self,
        scores: Float[Tensor, "b i"],
        capsules: Float[Tensor, "b i c d"],
        biases: Float[Tensor, "b j c h"] | None = None,
        edit: EditArgument = None,
    ) -> tuple[Float[Tensor, "b j"], Float[Tensor, "b j c h"], Float[Tensor, "b j c h"]]:
        """Scores, means and variances after the last iteration. Arguments and errors as in ``steps``."""
        self._check(scores, capsules, biases)
        inputs = self._prepared(scores, capsules, biases, edit)
        if self._is_small(capsules, inputs[2]):
            for step in _from_votes(*inputs, self.n_iters, edit):
                last = step
            outputs = last.scores, last.means, last.variances
        else:
            outputs = em_capsules_large(*inputs, n_iters=self.n_iters, method=self.method, edit=edit)
        a, mu, sigma2 = (tensor.to(capsules.dtype) for tensor in outputs)
        return a, mu, sigma2

    def steps(
        self,
        scores: Float[Tensor, "b i"],
        capsules: Float[Tensor, "b i c d"],
        n_iters: int | None = None,
        biases: Float[Tensor, "b j c h"] | None = None,
        edit: EditArgument = None,
    ) -> Iterator[EMStep]:
        """Yield one step per iteration.

        Args:
            scores: a_i before the logistic function; -inf is padding, which is ignored, and +inf a certain input.
            capsules: mu_i.
            n_iters: number of iterations; ``self.n_iters`` if None.
            biases: biases to add to the votes for each output; required if n_out is None, otherwise refused.
            edit: changes inside the routing, applied in order.

        Raises:
            ValueError: a shape does not fit the weights, n_iters is below 1, or an edit is invalid. It is raised at the
                call, not at the first step.
        """
        n_iters = self.n_iters if n_iters is None else n_iters
        if n_iters < 1:
            raise ValueError(f"n_iters is {n_iters}, wanted at least 1")
        self._check(scores, capsules, biases)
        inputs = self._prepared(scores, capsules, biases, edit)
        if self._is_small(capsules, inputs[2]):
            steps = _from_votes(*inputs, n_iters, edit)
        else:
            steps = em_routing_large(*inputs, n_iters, self.method, edit)
        return (step.to(capsules.dtype) for step in steps)

    def _check(self, scores: Tensor, capsules: Tensor, biases: Tensor | None) -> None:
        """Raise ValueError, naming the argument and the wanted shape, if an argument does not fit the weights."""
        (c, h), d = self.B.shape[-2:], self.W.shape[-2]
        i = capsules.shape[1] if self.n_inp is None and capsules.ndim == 4 else self.n_inp
        if capsules.ndim != 4 or 0 in capsules.shape[:2] or capsules.shape[1:] != (i, c, d):
            wanted = f"[b, {self.n_inp or 'i'}, {c}, {d}]"
            raise ValueError(f"capsules has shape {list(capsules.shape)}, wanted {wanted}")
        if not capsules.is_floating_point():
            raise ValueError(f"capsules has dtype {capsules.dtype}, wanted a floating-point one")
        if scores.shape != capsules.shape[:2]:
            raise ValueError(f"scores has shape {list(scores.shape)}, wanted {list(capsules.shape[:2])}")
        if (biases is None) != (self.n_out is not None):
            wanted = "none, as n_out is fixed" if biases is not None else f"[b, j, {c}, {h}], as n_out is None"
            raise ValueError(f"biases is {'None' if biases is None else 'given'}, wanted {wanted}")
        if biases is not None and (
            biases.ndim != 4 or not biases.shape[1] or (len(biases), *biases.shape[2:]) != (len(capsules), c, h)
        ):
            raise ValueError(f"biases has shape {list(biases.shape)}, wanted [{len(capsules)}, j, {c}, {h}]")

    def _prepared(self, scores: Tensor, capsules: Tensor, biases: Tensor | None, edit: EditArgument) -> Prepared:
        """The scores after edits, capsules, W, B, beta_use and beta_ign.

        They are at least float32, because sums over many inputs need the precision.
        """
        wide = torch.promote_types(capsules.dtype, torch.float32)
        tensors = (scores, capsules, self.W, self.B, self.beta_use, self.beta_ign)
        scores, capsules, W, B, beta_use, beta_ign = (tensor.to(wide) for tensor in tensors)
        if biases is not None:
            W, B = W.expand(biases.shape[1], -1, -1), B + biases.to(wide)
        _, scores = Edited.by_scores(edit, scores, B.shape[-3])
        return scores, capsules, W, B, beta_use, beta_ign

    def _is_small(self, capsules: Tensor, W: Tensor) -> bool:
        """Whether to use ``em_routing``: the method is by votes, and all votes fit in memory."""
        return self.method == "votes" and fits_at_once(
            len(capsules), capsules.shape[1], VotesChunk.numbers(capsules, W)
        )


def _from_votes(
    scores: Tensor,
    capsules: Tensor,
    W: Tensor,
    B: Tensor,
    beta_use: Tensor,
    beta_ign: Tensor,
    n_iters: int,
    edit: EditArgument,
) -> Iterator[EMStep]:
    """The steps of ``em_routing`` on the votes of capsules."""
    return em_routing(scores, em_votes(scores, capsules, W, B), beta_use, beta_ign, n_iters, edit)
