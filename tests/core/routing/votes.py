"""Random votes, and all routings that take votes, for the tests of routings."""

from functools import partial

import torch

from core.routing import ROUTINGS, dynamic_routing
from tests.core.routing import reference

REVERSED = "reversed"
VOTE_ROUTINGS = {  # the routing and its reference in NumPy, or None, by name
    **{name: (route, getattr(reference, f"{name}_routing", None)) for name, route in ROUTINGS.items()},
    REVERSED: (partial(dynamic_routing, normalize="input"), partial(reference.dynamic_routing, normalize="input")),
}
WITH_REFERENCE = [name for name, (_, in_numpy) in VOTE_ROUTINGS.items() if in_numpy]


def random_votes(seed: int, *shape: int) -> torch.Tensor:
    """Votes of this shape in float64, which depend only on the seed."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
