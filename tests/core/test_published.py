"""With the weights that the author published, the networks of EM routing give the outputs of the author's program."""

import copy

import numpy as np
import pytest
import torch

from core import zoo
from core.zoo.__main__ import main
from core.zoo.heinsen import rename_tensors
from tests.benchmarks.reference.em import em_routing
from tests.benchmarks.routing import Run, error_ratios
from tests.core.heinsen import PUBLISHED, import_published


def assert_outputs(step, expected, name):
    """Assert that a step has the outputs that the author's program gave for a network of this name."""
    for quantity in ("scores", "means", "variances"):
        np.testing.assert_allclose(getattr(step, quantity), expected[f"{name}_{quantity}"], rtol=0, atol=1e-10)


@pytest.mark.parametrize("method", ["votes", "moments"])
@pytest.mark.parametrize(("name", "parameters"), [("SST5R", 140_480), ("SST2R", 138_944)])
def test_sentiment_networks_give_the_author_s_outputs(name, parameters, method, tmp_path):
    checkpoint, expected = import_published(name, tmp_path, method)
    assert zoo.describe_folder(tmp_path / name).metrics.parameters == parameters
    hidden = torch.from_numpy(expected[f"SST_embeddings_{name}"]).double()
    *_, last = checkpoint.model.double().steps(hidden, torch.from_numpy(expected[f"{name}_mask"]))
    assert_outputs(last.to_classes, expected, name)


@pytest.mark.parametrize("method", ["votes", "moments"])
def test_the_smallnorb_network_gives_the_author_s_outputs(method, tmp_path):
    checkpoint, expected = import_published("smallNORB", tmp_path, method)
    assert zoo.describe_folder(tmp_path / "smallNORB").metrics.parameters == 271_688
    *_, last = checkpoint.model.double().steps(torch.from_numpy(expected["norb_images"]).double() / 255)
    assert_outputs(last.to_classes, expected, "norb")


@pytest.mark.parametrize("name", ["SST5R", "smallNORB"])
def test_float32_errors_are_like_those_of_the_plain_algorithm(name, tmp_path):
    """The routing chooses its method. The mean is over a few inputs, because one draw of rounding errors is luck."""
    checkpoint, expected = import_published(name, tmp_path)
    model = checkpoint.model.double().requires_grad_(True)
    with torch.no_grad():
        if name == "smallNORB":
            scores, capsules = model.capsules(torch.from_numpy(expected["norb_images"][:1]).double() / 255)
        else:
            hidden, mask = expected[f"SST_embeddings_{name}"], expected[f"{name}_mask"]
            scores, capsules = model.capsules(torch.from_numpy(hidden).double(), torch.from_numpy(mask))
    torch.manual_seed(0)

    def runs(dtype, nearby):
        """The runs of the routing and of the plain algorithm on these capsules."""
        routing = copy.deepcopy(model.to_parts).to(dtype)
        leaves = nearby.to(dtype).requires_grad_(), routing.W, routing.B
        weights = routing.W, routing.B, routing.beta_use, routing.beta_ign
        s = scores.to(dtype)
        return Run(lambda: routing(s, leaves[0]), leaves), Run(lambda: em_routing(s, leaves[0], *weights), leaves)

    ratios = []
    for _ in range(4):
        nearby = capsules * (1 + 0.01 * torch.randn_like(capsules))
        ratios += error_ratios(runs(torch.float64, nearby)[1], *runs(torch.float32, nearby))
    assert np.exp(np.log(ratios).mean()) <= 1.1


def test_an_imported_network_is_described_as_a_checkpoint(tmp_path, monkeypatch, capsys):
    import_published("SST5R", tmp_path)
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path))
    about = zoo.describe("SST5R")
    assert about.reader["backbone"] == "gpt2-large"
    assert about.metrics.paper.accuracy == 0.585
    assert about.metrics.test.accuracy is None
    arguments = [str(PUBLISHED / "SST5R_pretrained_model_state_dict.pt"), "--name", "SST5R"]
    assert main(["import-heinsen", *arguments]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"\x80\x04pickle", "x", "is not one of the 3 files that the author published"),
        (None, "x", "cannot be read: No such file"),
        (b"", "../x", "wanted letters"),
    ],
)
def test_other_files_are_refused(content, name, message, tmp_path, capsys):
    file = tmp_path / "weights.pt"
    if content is not None:
        file.write_bytes(content)
    assert main(["import-heinsen", str(file), "--name", name, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_the_wrong_tensor_is_named():
    expected = {"to_parts.W": torch.zeros(4, 2, 2), "depth": torch.zeros(3, 2)}
    theirs = {
        "routings.0.W": torch.ones(1, 4, 2, 2),
        "routings.0.CONST_one": torch.ones(()),
        "depth_emb": expected["depth"],
    }
    assert rename_tensors(theirs, expected)["to_parts.W"].shape == (4, 2, 2)
    with pytest.raises(ValueError, match="tensor depth is missing"):
        rename_tensors({k: v for k, v in theirs.items() if k != "depth_emb"}, expected)
    with pytest.raises(ValueError, match="tensor other is not one of this network"):
        rename_tensors(theirs | {"other": torch.zeros(1)}, expected)
    with pytest.raises(ValueError, match=r"tensor depth is \[2, 3\], wanted \[3, 2\]"):
        rename_tensors(theirs | {"depth_emb": torch.zeros(2, 3)}, expected)
