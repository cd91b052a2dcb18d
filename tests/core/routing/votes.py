"""Random votes for the tests of routings."""

import torch


def votes_of(seed: int, *shape: int) -> torch.Tensor:
    """Votes of that shape in float64, the same for the same seed."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
