"""Figures are read, not looked at: what data and scales went into them."""

import numpy as np
import pandas as pd
import pytest

from dashboard.figures import routing as figures
from dashboard.figures.figure import stand_alone, together
from dashboard.theme import shorten

RNG = np.random.default_rng(0)
COUPLING = RNG.dirichlet(np.ones(3), size=(4, 2)).astype(np.float32)  # t=4, i=2, j=3


def test_heatmap_holds_the_model_s_numbers():
    figure = figures.coupling_heatmap(COUPLING, ["<b>bad</b>", "film"], "output")
    assert len(figure.data) == COUPLING.size
    for row in figure.data.itertuples():
        assert row.c == COUPLING[row.t - 1, row.i, row.j]
    assert figure.spec["encoding"]["color"]["scale"]["domain"] == [0, 1]
    params = {p["name"]: p for p in figure.spec["params"]}
    assert params["word_names"]["value"] == ["<b>bad</b>", "film"]
    assert params["iteration"]["bind"]["max"] == params["iteration"]["value"] == 4
    assert all(p["bind"]["step"] == 1 for p in params.values() if "bind" in p)  # or a long range skips values
    assert params["cell"]["select"]["fields"] == ["i", "j", "turn"]


def test_lines_hold_every_series():
    values = np.array([[0.1, 0.9], [0.4, 0.6]])
    data, spec = figures.over_iterations(values, "probability", ["bad", "good"], [0, 1])
    pivot = data.pivot(index="t", columns="series", values="value")
    np.testing.assert_allclose(pivot[["bad", "good"]].to_numpy(), values, rtol=1e-6)
    lines, rule = spec["layer"]
    assert lines["encoding"]["y"]["scale"]["domain"] == [0, 1]
    assert rule["transform"] == [{"calculate": "iteration", "as": "t"}]


def test_unnamed_series_are_faint_under_their_mean():
    data, spec = figures.over_iterations(np.array([[1.0, 3.0], [2.0, np.nan]]), "bits")
    assert len(data) == 3  # NaN is no point
    faint, mean, _ = spec["layer"]
    assert faint["mark"]["opacity"] < 1
    assert mean["transform"][0]["aggregate"][0]["op"] == "mean"


@pytest.mark.parametrize(
    "figure",
    [
        figures.coupling_heatmap(COUPLING, ["bad", "film"], "input"),
        figures.over_iterations(COUPLING[:, 0], "probability", ["a", "b", "c"], [0, 1]),
        figures.over_iterations(COUPLING[:, 0], "bits"),
        figures.over_iterations(COUPLING[:1, 0], "bits"),
    ],
)
def test_every_figure_is_valid(figure):
    together({"figure": figure})  # raises where Vega-Lite's schema is broken


def test_figures_stand_alone_on_one_page_with_one_slider():
    heatmap = figures.coupling_heatmap(COUPLING, ["bad", "film"], "output")
    titled = {"shares": heatmap, "entropy": figures.over_iterations(COUPLING[:, 0], "bits")}
    spec = together(titled).to_dict()
    assert [p["name"] for p in spec["params"] if "bind" in p] == ["iteration"]
    assert [row["title"] for row in spec["vconcat"]] == ["shares", "entropy"]
    assert "cdn.jsdelivr" not in stand_alone(titled)


def test_iteration_table():
    table = figures.iteration_table({"P(bad)": np.array([0.1, 0.2])})
    assert table.to_dict("list") == {"iteration": [1, 2], "P(bad)": [0.1, 0.2]}


def test_table_is_the_trace():
    steps = {name: RNG.normal(size=(4, 2, 3)) for name in ("coupling", "logits", "agreement")}
    table = figures.cell_table(steps, ["bad", "film"])
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
