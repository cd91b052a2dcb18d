"""Figures are read, not looked at: what data and scales went into them."""

import numpy as np
import pandas as pd
import pytest

from dashboard.figures import routing as figures
from dashboard.theme import shorten

RNG = np.random.default_rng(0)
COUPLING = RNG.dirichlet(np.ones(3), size=(4, 2)).astype(np.float32)  # t=4, i=2, j=3


def test_heatmap_holds_the_model_s_numbers():
    chart = figures.coupling_heatmap(COUPLING, ["<b>bad</b>", "film"], ["share"], high=1.0)
    data = chart.data
    assert len(data) == COUPLING.size
    for row in data.itertuples():
        assert row.c == COUPLING[row.t - 1, row.i, row.j]
    spec = chart.to_dict()
    assert spec["encoding"]["color"]["scale"]["domain"] == [0, 1.0]
    params = {p["name"]: p for p in spec["params"]}
    assert params["words"]["value"] == ["<b>bad</b>", "film"]
    assert params["iteration"]["bind"]["max"] == params["iteration"]["value"] == 4
    assert params["cell"]["select"]["fields"] == ["i", "j"]


@pytest.mark.parametrize(("normalize", "high"), [("output", 1.0), ("input", 0.5)])
def test_scale_is_one_for_the_whole_run(normalize, high):
    coupling = np.full((3, 2, 2), 0.2)
    coupling[2, 0, 0] = 0.41
    title, end = figures.scale(coupling, normalize)
    assert end == pytest.approx(high)
    assert title[0].startswith("cᵢⱼ")


def test_lines_hold_every_series():
    values = np.array([[0.1, 0.9], [0.4, 0.6]])
    lines, rule = figures.over_iterations(values, "probability", ["bad", "good"], (0, 1)).layer
    pivot = lines.data.pivot(index="t", columns="series", values="value")
    np.testing.assert_allclose(pivot[["bad", "good"]].to_numpy(), values, rtol=1e-6)
    assert lines.to_dict()["encoding"]["y"]["scale"]["domain"] == [0, 1]
    assert rule.to_dict()["transform"] == [{"as": "t", "calculate": "iteration"}]


def test_unnamed_series_have_their_mean():
    values = np.array([[1.0, 3.0], [2.0, np.nan]])
    faint, mean, _ = figures.over_iterations(values, "bits").layer
    assert len(faint.data) == 3  # NaN is no point
    assert mean.data["value"].tolist() == [2, 2]


def test_table_is_the_trace():
    steps = {name: RNG.normal(size=(4, 2, 3)) for name in ("coupling", "logits", "agreement")}
    table = figures.table(steps, ["bad", "film"])
    assert len(table) == 24
    row = table[(table["iteration"] == 3) & (table["position"] == 2) & (table["capsule"] == 1)].iloc[0]
    assert row["word"] == "film"
    assert row["cᵢⱼ"] == steps["coupling"][2, 1, 0]
    assert row["bᵢⱼ"] == steps["logits"][2, 1, 0]
    assert row["vⱼ·uᵢⱼ"] == steps["agreement"][2, 1, 0]
    assert isinstance(table, pd.DataFrame)


def test_long_words_are_cut_on_axes_only():
    assert shorten("x" * 10_000) == "x" * 17 + "…"
    assert shorten("film") == "film"
