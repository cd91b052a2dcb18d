"""Integrated gradients compared with Captum's."""

import numpy as np
import pytest
import torch

from core import zoo
from core.measured.evidence.gradients import GRADIENT_STEPS, integrate, integrated_gradients
from core.networks import network_of
from tests.conftest import save_tiny

WORDS = ["a", "warm", "and", "funny", "film", "."]
SAMPLES = dict.fromkeys(("dragg", "cccaps", "em-sst", "agt", "drnn"), WORDS) | {
    "dragg-documents": [WORDS, ["i", "liked", "it", "."]],
    "em-smallnorb": np.random.default_rng(0).integers(0, 256, (2, 40, 48), np.uint8),
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_integrated_gradients_equal_captum_s(tmp_path, kind):
    from captum.attr import IntegratedGradients  # here, because it imports Matplotlib

    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
    scores = network_of(checkpoint).differentiable(checkpoint, SAMPLES[kind])
    x, score = scores.x, scores.score
    for answer in (0, len(checkpoint.classes) - 1):
        theirs = IntegratedGradients(score).attribute(x, torch.zeros_like(x), target=answer, n_steps=GRADIENT_STEPS)
        torch.testing.assert_close(integrate(score, x, answer), theirs[0].detach(), atol=1e-6, rtol=1e-5)
        per_part = integrated_gradients(scores, answer)
        np.testing.assert_allclose(per_part, scores.by_part(theirs[0].detach().numpy()), atol=1e-5, rtol=1e-4)


def test_integrated_gradients_sum_to_the_difference_of_scores():
    def score(x):
        return torch.stack([x.prod(-1), x.pow(3).sum(-1)], -1)

    x = torch.tensor([[2.0, -1.0, 3.0]], dtype=torch.float64)
    for answer in range(2):
        torch.testing.assert_close(integrate(score, x, answer).sum(), score(x)[0, answer])  # the score at 0 is 0
