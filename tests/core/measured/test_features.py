"""Features of pictures, and the sample of them that the command stores."""

import json

import numpy as np
import pytest
import torch

from core.analysis.novelty import FeatureSample, share_within
from core.measured import features, store
from core.measured.__main__ import main


def test_features_are_the_mean_and_deviation_of_each_channel(tiny_em_smallnorb, monkeypatch):
    monkeypatch.setattr(features, "BATCH_SIZE", 2)
    images = np.random.default_rng(0).integers(0, 256, (5, 2, 45, 37), np.uint8)
    actual = features.pooled_features(tiny_em_smallnorb, images)
    with torch.inference_mode():
        maps = tiny_em_smallnorb.model.features(**tiny_em_smallnorb.inputs(images[3:4]))[0].flatten(1).double().numpy()
    np.testing.assert_allclose(actual[3], [*maps.mean(1), *maps.std(1)], rtol=1e-5, atol=1e-6)


def test_a_network_that_reads_text_is_refused(tiny):
    with pytest.raises(ValueError, match="reads text"):
        features.pooled_features(tiny, np.zeros((1, 2, 40, 40), np.uint8))


def test_the_command_stores_the_sample_next_to_the_weights(tiny_em_smallnorb, norb, tmp_path, monkeypatch):
    name = tiny_em_smallnorb.name
    metrics = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": 0.5}}
    (tmp_path / "models" / name / "metrics.json").write_text(json.dumps(metrics))
    monkeypatch.setattr(features, "SAMPLE", 20)
    assert main(["features", name, "--data", str(norb), "--device", "cpu"]) == 0
    measured = store.read("features", name)
    assert str(measured["data"]) == "20 training pairs of smallNORB"
    assert len(measured["distances"]) == 20
    sample = FeatureSample(*(measured[field] for field in FeatureSample._fields))
    unusual = np.full((1, len(sample.mean)), 1e3)  # far from all of the sample
    assert share_within(unusual, sample) == [1]
