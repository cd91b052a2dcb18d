"""Random EM routings and their inputs."""

import torch

from core.routing import EMRouting


def random_routing(seed, n_inp, n_out, d_cov, d_inp, d_out, dtype=torch.float64, **options):
    """A routing with random weights, biases and betas."""
    torch.manual_seed(seed)
    routing = EMRouting(n_inp, n_out, d_cov, d_inp, d_out, **options)
    for parameter in routing.parameters():
        torch.nn.init.normal_(parameter)
    return routing.to(dtype)


def random_inputs(seed, *shape, dtype=torch.float64):
    """Random scores [b, i], and capsules of the shape [b, i, c, d]."""
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(shape[:2], generator=generator, dtype=torch.float64)
    return scores.to(dtype), torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)
