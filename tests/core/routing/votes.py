"""Random votes, and all routings of votes with their references, for the tests of routings."""

from functools import partial

import torch

from core.routing import ROUTINGS, dynamic_routing
from tests.core.routing import reference

REVERSED = "reversed"
OF_VOTES = {  # by name: the routing, and its reference in NumPy, or None
    **{name: (route, getattr(reference, f"{name}_routing", None)) for name, route in ROUTINGS.items()},
    REVERSED: (partial(dynamic_routing, normalize="input"), partial(reference.dynamic_routing, normalize="input")),
}
WITH_REFERENCE = [name for name, (_, of_numpy) in OF_VOTES.items() if of_numpy]


def votes_of(seed: int, *shape: int) -> torch.Tensor:
    """Votes of that shape in float64, the same for the same seed."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
