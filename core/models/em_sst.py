"""The sentiment network: two EM routings over a frozen transformer (Heinsen 2019, fig. 5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.edits import Edit
from core.layers.initial import kaiming
from core.models.check import check_sizes
from core.models.two_routings import TwoRoutings, TwoSteps
from core.routing import EMRouting
from core.types import check_mask


@dataclass(frozen=True)
class EMSSTConfig:
    """Sizes of figure 5.

    Args:
        n_layers: number of the transformer's layers, plus one for the embedding output.
        d_hidden: components of the transformer's hidden states.
    """

    n_layers: int
    d_hidden: int
    n_classes: int
    n_iters: int = 3
    n_parts: int = 64
    d_detect: int = 64
    d_part: int = 2

    def __post_init__(self):
        products = ("n_layers", "d_hidden"), ("d_hidden", "d_detect"), ("n_parts", "d_detect", "d_part")
        check_sizes(self, *products, ("n_parts", "n_classes", "d_part", "d_part"))


class EMSST(TwoRoutings):
    """Maps hidden states of every layer to class scores: detect -> route to parts -> route to classes."""

    def __init__(self, config: EMSSTConfig):
        super().__init__()
        self.config = c = config
        self.depth = nn.Parameter(torch.zeros(c.n_layers, c.d_hidden))
        self.detect = nn.Sequential(nn.Linear(c.d_hidden, c.d_detect), nn.SiLU(), nn.LayerNorm(c.d_detect))
        self.to_parts = EMRouting(None, c.n_parts, 1, c.d_detect, c.d_part, c.n_iters)
        self.to_classes = EMRouting(c.n_parts, c.n_classes, 1, c.d_part, c.d_part, c.n_iters)
        kaiming(self.detect)

    def forward(
        self,
        hidden: Float[Tensor, "b n l m"],
        mask: Float[Tensor, "b n"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Float[Tensor, "b classes"]:
        """Class scores a_k; their softmax gives the probabilities. Arguments and errors as in ``steps``."""
        return self.route_to_classes(*self.capsules(hidden, mask), edits)[0]

    def steps(
        self,
        hidden: Float[Tensor, "b n l m"],
        mask: Float[Tensor, "b n"] | None = None,
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> Iterator[TwoSteps]:
        """The steps of both routings after each iteration (``route``).

        Args:
            hidden: hidden states of the transformer; they are ignored at padding.
            mask: 1 for a piece, 0 for padding, values between them for mixed samples; None if all are pieces.
            n_iters: number of iterations; ``config.n_iters`` if None.
            edits: changes inside the routings.

        Raises:
            ValueError: a shape does not fit, the mask is outside 0 to 1, or an edit is out of range.
        """
        yield from self.route(*self.capsules(hidden, mask), n_iters, edits)

    def capsules(
        self, hidden: Float[Tensor, "b n l m"], mask: Float[Tensor, "b n"] | None = None
    ) -> tuple[Float[Tensor, "b i"], Float[Tensor, "b i 1 d"]]:
        """Scores and capsules of the n * l detected inputs; the layers of one piece are adjacent.

        A score is logit(mask), so that f(a_i) equals the mask.
        """
        c = self.config
        if hidden.ndim != 4 or 0 in hidden.shape or hidden.shape[2:] != (c.n_layers, c.d_hidden):
            raise ValueError(f"hidden has shape {list(hidden.shape)}, wanted [b, n, {c.n_layers}, {c.d_hidden}]")
        if mask is None:
            mask = hidden.new_ones(hidden.shape[:2])
        check_mask(mask, hidden.shape[:2], soft=True)
        detected = self.detect(hidden + self.depth)
        scores = mask.to(hidden.dtype).logit()[..., None].expand(detected.shape[:3])
        return scores.flatten(1), detected.flatten(1, 2)[:, :, None]
