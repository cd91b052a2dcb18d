"""The sweeps of aggregation and iterations: their cases, networks and rows."""

import pandas as pd
import pytest
import torch

from core.datasets import sst
from core.models import DRAgg, Pooled
from core.sweep import aggregation, iterations
from core.sweep.__main__ import main
from core.training.glove import D_GLOVE
from core.training.recipes import words
from core.training.schedules import Schedule


def test_table_3_has_every_aggregation_and_set_once_per_seed():
    cases = list(aggregation.cases(3))
    free, equal = ([case for case in cases if case.equal_epochs == n] for n in (0, 1))
    assert len(free) == len(set(free)) == 2 * 3 * 2 * 5
    assert [(c.glove, c.seed) for c in free] == sorted((c.glove, c.seed) for c in free)
    assert len(equal) == len(set(equal)) == 3 * 2
    assert {(case.aggregation, case.glove) for case in equal} == {("standard", True)}


def test_figure_2_has_every_number_of_iterations_once_per_seed():
    cases = list(iterations.cases(3))
    assert len(cases) == len(set(cases)) == 3 * 5 * 4
    assert {(case.corpus, case.aggregation) for case in cases} == {("sst2", "standard")}


@pytest.mark.parametrize("aggregated", aggregation.AGGREGATIONS)
def test_encoder_and_head_do_not_depend_on_the_aggregation(aggregated):
    case = next(c for c in aggregation.cases(1) if c.aggregation == aggregated)
    model = aggregation.training(case).network(10)
    assert isinstance(model, DRAgg if aggregated in aggregation.ROUTED else Pooled)
    assert (model.encoder.hidden_size, model.mlp[1].out_features) == (aggregation.D, 300)
    if isinstance(model, DRAgg):
        assert model.config.normalize == {"standard": "output", "reversed": "input"}[aggregated]


def test_the_training_follows_the_paper(trees):
    training = aggregation.training(next(c for c in aggregation.cases(1) if c.corpus == "sst2"))
    assert (training.dropout, training.batch, aggregation.D) == (0.5, 64, 200)
    train, dev, _ = training.splits(trees)
    assert train.words == sst.sentences(trees, "train", 2).words
    assert dev.words == sst.sentences(trees, "dev", 2).words


def test_the_command_writes_one_row_per_training(tmp_path, trees, monkeypatch):
    monkeypatch.setattr(aggregation, "N_CLASSES", {"sst2": 2})
    monkeypatch.setattr(aggregation, "SCHEDULES", dict.fromkeys((False, True), Schedule(epochs=1, lr=1e-3)))
    monkeypatch.setattr(words, "glove_vectors", lambda found: torch.zeros(len(found), D_GLOVE))
    out = tmp_path / "t.parquet"
    command = ["aggregation", "--data", str(trees), "--seeds", "1", "--workers", "1", "--device", "cpu"]
    assert main([*command, "--out", str(out)]) == 0
    table = pd.read_parquet(out)
    assert table["aggregation"].tolist() == [*2 * aggregation.AGGREGATIONS, "standard"]
    papers = dict(zip(aggregation.AGGREGATIONS, (0.870, 0.852, 0.864, 0.876, 0.872), strict=True))
    assert table["paper"].tolist() == [papers[name] for name in table["aggregation"]]
    assert table["glove"].tolist() == 5 * [False] + 6 * [True]
    assert table["equal_epochs"].tolist() == 10 * [0] + [1]
    assert table["test"].between(0, 1).all()
