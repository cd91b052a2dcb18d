"""The sweep of sharpness: its networks, and its rows."""

import dataclasses

import pandas as pd
import pytest
import torch

from core.edits import Sharpness
from core.models import CCCaps, CCCapsConfig
from core.sweep import capsules, sharpness
from core.sweep.__main__ import main
from core.training.schedules import Schedule

SIZES = CCCapsConfig(n_words=5, n_classes=3, d_word=4, n_books=2, d_hidden=8, d_feature=4, d_capsule=4)


@pytest.mark.parametrize("K", ["1", "5", "20"])
def test_a_fixed_sharpness_is_that_of_the_edit(K):
    network, plain = sharpness.SharpCCCaps(SIZES, K), CCCaps(SIZES)
    plain.load_state_dict({name: value for name, value in network.state_dict().items() if name != "log_sharpness"})
    encoding = torch.randn(2, 8, generator=torch.Generator().manual_seed(0))
    *_, last = network.route(encoding)
    *_, expected = plain.route(encoding, edits=[Sharpness(float(K))])
    torch.testing.assert_close(last.coupling, expected.coupling)
    assert not network.log_sharpness.requires_grad


def test_a_learned_sharpness_starts_at_1_and_has_a_gradient():
    network = sharpness.SharpCCCaps(SIZES, sharpness.LEARNED)
    assert network.log_sharpness.exp().item() == 1
    *_, last = network.route(torch.randn(2, 8, generator=torch.Generator().manual_seed(0)))
    last.activation[:, 0].sum().backward()
    assert network.log_sharpness.grad.abs() > 0


def test_the_command_writes_the_trained_sharpness(tmp_path, monkeypatch):
    folder = tmp_path / "ag_news"
    folder.mkdir()
    rows = "".join(f'"{1 + n % 4}","","item {n} of kind k{n % 4}"\n' for n in range(80))
    for name in ("train.sample.csv", "test.csv"):
        (folder / name).write_text(rows)
    quick = dataclasses.replace(capsules.BASE, schedule=Schedule(epochs=1, lr=1e-1, warmup=1), d_cooccurrence=2)
    monkeypatch.setattr(capsules, "BASE", quick)
    monkeypatch.setattr(capsules, "N_CLASSES", {"ag_news": 4})
    monkeypatch.setattr(capsules, "COUNTED", {"ag_news": (("ag_news", "train"),)})
    monkeypatch.setattr(sharpness, "SHARPNESSES", ("5", sharpness.LEARNED))
    out = tmp_path / "t.parquet"
    command = ["sharpness", "--data", str(tmp_path), "--seeds", "1", "--workers", "1", "--device", "cpu"]
    assert main([*command, "--out", str(out)]) == 0
    table = pd.read_parquet(out).set_index("sharpness")
    assert table["K"]["5"] == pytest.approx(5)
    assert table["K"][sharpness.LEARNED] != 1
