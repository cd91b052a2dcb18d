"""Applies edits inside a routing's generator: to its inputs, its couplings and its steps."""

import math
from collections.abc import Iterable, Iterator
from typing import TypeVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.edits import (
    Couplings,
    DropCapsule,
    DropInput,
    Edit,
    EditArgument,
    FreezeAfter,
    GivenCouplings,
    Index,
    Number,
    RoutingEdit,
    SetCoupling,
    Sharpness,
)
from core.types import Mask

Step = TypeVar("Step")


class Edited:
    """The edits of one routing. Without edits, every method returns its argument.

    A generator uses ``mask`` instead of its own, and passes the couplings of each iteration through ``couplings``, and
    its steps through ``steps``.
    """

    def __init__(
        self,
        edit: EditArgument,
        inputs: Float[Tensor, "#b i *rest"],
        n_out: int,
        mask: Mask = None,
        axis: int = 2,
        is_kmeans: bool = False,
    ):
        """Check the edits and sort them by where they apply.

        Args:
            edit: one edit, or several that are applied in order.
            inputs: any tensor with one row per input.
            n_out: number of output capsules.
            mask: True for real inputs. Edits do not change the couplings of padding.
            axis: axis of c_ij over which shares sum to 1: 1 for the inputs, 2 for the outputs.
            is_kmeans: whether this is k-means routing, the only one with a sharpness.

        Raises:
            ValueError: an edit does not belong to this routing, or an index is out of range.
        """
        self.mask, self.n_out, self.axis = mask, n_out, axis
        self._last: float = math.inf  # iteration after which couplings are frozen
        # Edits of couplings, each with the capsules that no edit before it has switched off: it changes only these.
        self._changes: list[tuple[RoutingEdit, Bool[Tensor, "#b 1 j"]]] = []
        is_on = torch.ones(1, 1, n_out, dtype=torch.bool, device=inputs.device)
        b, n_inp = inputs.shape[:2]
        edits = (edit,) if isinstance(edit, Edit) else edit or ()
        for one in edits:
            if not isinstance(one, RoutingEdit) or (isinstance(one, Sharpness) and not is_kmeans):
                raise ValueError(f"{one} does not apply to this routing")
            one.check(i=n_inp, j=n_out)
            match one:
                case DropInput(i=i):
                    kept = ~_one_hot(i, n_inp, inputs.device)
                    kept = kept.expand(max(b, len(kept)), -1)
                    self.mask = kept if self.mask is None else self.mask & kept
                case FreezeAfter(t=t):
                    self._last = min(self._last, t)
                case Couplings(how="first"):
                    self._last = 1
                case _:
                    self._changes.append((one, is_on))
                    if isinstance(one, DropCapsule):
                        is_on = is_on & ~_one_hot(one.j, n_out, inputs.device)[:, None]

    @classmethod
    def by_scores(
        cls, edit: EditArgument, scores: Float[Tensor, "b i"], n_out: int
    ) -> tuple["Edited", Float[Tensor, "b i"]]:
        """The edits of an EM routing, where padding has f(a_i) = 0, and the scores with -inf for dropped inputs."""
        edited = cls(edit, scores, n_out, scores.sigmoid() > 0 if edit else None)
        return edited, scores if edited.mask is None else scores.masked_fill(~edited.mask, -torch.inf)

    @property
    def changes_couplings(self) -> bool:
        """Whether ``couplings`` changes its argument."""
        return bool(self._changes)

    def steps(self, steps: Iterable[Step]) -> Iterator[Step]:
        """The steps of a run. Once couplings are frozen, the last step is repeated, because nothing else changes."""
        steps = iter(steps)
        last = next(steps)  # there is at least one
        yield last
        for t, step in enumerate(steps, 2):
            if t <= self._last:
                last = step
            yield last

    def couplings(self, c: Float[Tensor, "#b i #j"]) -> Float[Tensor, "b i #j"]:
        """Apply the edits to the couplings of an iteration."""
        for change, is_on in self._changes:
            c = self._change(c.expand(-1, -1, self.n_out), change, is_on)
        return c

    def _change(self, c: Tensor, change: RoutingEdit, is_on: Bool[Tensor, "#b 1 j"]) -> Tensor:
        """Apply one edit to the couplings of the capsules that are on."""
        match change:
            case DropCapsule(j=j):
                return self._set(c, _one_hot(j, c.shape[2], c.device)[:, None], 0.0)
            case SetCoupling(i=i, j=j, value=value):
                row, column = _one_hot(i, c.shape[1], c.device), _one_hot(j, c.shape[2], c.device)
                return self._set(c, row[:, :, None] & column[:, None] & is_on, value)
            case Sharpness(value=K):  # c is a softmax of b, so log c is b minus a constant per input
                logits = c.clamp(min=torch.finfo(c.dtype).tiny).log()
                return self._shares((_per_sample(K, c) * logits).softmax(self.axis) * (c > 0))
            case GivenCouplings(c=given):
                return self._shares(given.to(c) * is_on)
            case Couplings(how="uniform"):
                return self._shares(torch.ones_like(c) * is_on)
            case Couplings(how="random", seed=seed):
                # Shares proportional to exponential random numbers are uniformly distributed over all possible ones.
                return self._shares(-torch.log1p(-_noise(seed, c)).to(c).expand_as(c) * is_on)
            case Couplings(how="shuffled", seed=seed):
                return self._shares(self._shuffled(c, seed))
            case _:
                raise ValueError(f"{change} does not apply to this routing")

    def _set(self, c: Tensor, cells: Bool[Tensor, "#b #i j"], value: Number) -> Tensor:
        """Set these cells to a value, and rescale the shares that sum to 1 with them."""
        if self.mask is not None:
            cells = cells & self.mask[:, :, None]
        new = _per_sample(value, c) * cells
        others = _normalized(c.masked_fill(cells, 0), self.axis) * (1 - new.sum(self.axis, keepdim=True))
        return torch.where(cells.any(self.axis, keepdim=True), new + others, c)

    def _shares(self, weights: Tensor) -> Tensor:
        """Shares proportional to weights, with 0 at padding."""
        if self.mask is not None:
            weights = weights * self.mask[:, :, None]
        return _normalized(weights, self.axis)

    def _shuffled(self, c: Tensor, seed: int) -> Tensor:
        """Each capsule's shares, permuted among the real inputs."""
        real = c.new_ones(c.shape[:2], dtype=torch.bool) if self.mask is None else self.mask
        keys = _noise(seed, c).masked_fill(~real[:, :, None], 2)  # padding comes last
        places = (~real).int().argsort(dim=1, stable=True)[:, :, None].expand_as(c)  # the real ones, then padding
        order = keys.argsort(dim=1, stable=True).expand_as(c)
        return torch.zeros_like(c).scatter(1, places, c.gather(1, order))


def _normalized(weights: Tensor, axis: int) -> Tensor:
    """Weights divided by their sum; 0 if all are 0."""
    return weights / weights.sum(axis, keepdim=True).clamp(min=torch.finfo(weights.dtype).tiny)


def _one_hot(index: Index, n: int, device: torch.device) -> Bool[Tensor, "b n"]:
    """True at the index, with one row for all samples or one per sample; all False if the index is -1."""
    return torch.arange(n, device=device) == torch.as_tensor(index, device=device).reshape(-1, 1)


def _per_sample(value: Number, like: Tensor) -> Float[Tensor, "b 1 1"]:
    """The value as a tensor for couplings, with one row for all samples or one per sample."""
    return torch.as_tensor(value, dtype=like.dtype, device=like.device).reshape(-1, 1, 1)


def _noise(seed: int, like: Float[Tensor, "b i j"]) -> Float[Tensor, "1 i j"]:
    """Uniform random numbers in [0, 1). An input's numbers do not depend on how many inputs follow it."""
    generator = torch.Generator().manual_seed(seed)
    dtype = torch.float32 if like.device.type == "mps" else torch.float64  # the GPU of a Mac has no float64
    return torch.rand(1, *like.shape[1:], generator=generator, dtype=torch.float64).to(like.device, dtype)
