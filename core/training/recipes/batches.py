"""The shuffled batches of an epoch, as indices of samples. The same seed gives the same batches."""

import torch
from torch import Tensor


def same_length_batches(lengths: Tensor, batch: int, seed: int) -> list[Tensor]:
    """Batches of samples of equal length, which need no padding and no mask."""
    generator = torch.Generator().manual_seed(seed)
    batches = []
    for length in lengths.unique():
        members = (lengths == length).nonzero().flatten()
        batches.extend(members[torch.randperm(len(members), generator=generator)].split(batch))
    return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]


def similar_length_batches(lengths: Tensor, batch: int, seed: int) -> list[Tensor]:
    """Batches of samples of similar length, which need little padding."""
    generator = torch.Generator().manual_seed(seed)
    # Up to two words are added to each length, so that batches differ between epochs.
    order = (lengths + 2 * torch.rand(len(lengths), generator=generator)).argsort()
    batches = order.split(batch)
    return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]


def shuffled_batches(n: int, batch: int, seed: int) -> tuple[Tensor, ...]:
    """Batches of n samples in random order."""
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed)).split(batch)
