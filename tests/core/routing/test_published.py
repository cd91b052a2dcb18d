"""With the weights that the paper's author published, both routings of his sentiment networks give his outputs."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import layer_norm, silu

from core.routing import EMRouting

PUBLISHED = Path(__file__).parents[4] / "shared" / "published" / "heinsen2019"


def with_weights(routing, weights, prefix):
    """The routing with the tensors whose names start with the prefix; the author keeps a leading 1 for shared ones."""
    shapes = {name: tensor.shape for name, tensor in routing.state_dict().items()}
    routing.load_state_dict({name: weights[prefix + name].reshape(shape) for name, shape in shapes.items()})
    return routing.double()


@pytest.mark.parametrize(("name", "n_classes"), [("SST5R", 5), ("SST2R", 2)])
@pytest.mark.parametrize("method", ["votes", "moments"])
def test_gives_the_author_s_outputs(name, n_classes, method):
    if not PUBLISHED.is_dir():
        pytest.skip(f"no published weights in {PUBLISHED}")
    file = PUBLISHED / f"{name}_pretrained_model_state_dict.pt"
    weights = {k: t.double() for k, t in torch.load(file, map_location="cpu", weights_only=True).items()}
    expected = np.load(PUBLISHED / "expected.npz")

    hidden = torch.from_numpy(expected[f"SST_embeddings_{name}"]).double() + weights["depth_emb"]  # [b, n, l, m]
    parts = silu(hidden @ weights["detect_parts.0.weight"].mT + weights["detect_parts.0.bias"])
    parts = layer_norm(parts, (64,), weights["detect_parts.2.weight"], weights["detect_parts.2.bias"])
    mask = torch.from_numpy(expected[f"{name}_mask"])
    scores = mask.logit()[..., None].expand(parts.shape[:3]).flatten(1)

    first = with_weights(EMRouting(None, 64, 1, 64, 2, method=method), weights, "routings.0.")
    second = with_weights(EMRouting(64, n_classes, 1, 2, 2), weights, "routings.1.")
    middle, capsules, _ = first(scores, parts.flatten(1, 2)[:, :, None])
    for found, what in zip(second(middle, capsules), ("scores", "means", "variances"), strict=True):
        np.testing.assert_allclose(found.detach(), expected[f"{name}_{what}"], rtol=0, atol=1e-12)
