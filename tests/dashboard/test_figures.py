"""Figures are read, not looked at: what data and scales went into them."""

import numpy as np
import pandas as pd
import pytest

from dashboard.figures import routing as figures
from dashboard.theme import shorten

RNG = np.random.default_rng(0)
COUPLING = RNG.dirichlet(np.ones(3), size=(4, 2)).astype(np.float32)  # t=4, i=2, j=3


def test_heatmap_holds_the_model_s_numbers():
    figure = figures.coupling_heatmap(COUPLING, ["<b>bad</b>", "film"], ["share"], high=1.0)
    assert len(figure.data) == COUPLING.size
    for row in figure.data.itertuples():
        assert row.c == COUPLING[row.t - 1, row.i, row.j]
    assert figure.spec["encoding"]["color"]["scale"]["domain"] == [0, 1.0]
    params = {p["name"]: p for p in figure.spec["params"]}
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
        figures.coupling_heatmap(COUPLING, ["bad", "film"], ["share"]),
        figures.over_iterations(COUPLING[:, 0], "probability", ["a", "b", "c"], [0, 1]),
        figures.over_iterations(COUPLING[:, 0], "bits"),
        figures.over_iterations(COUPLING[:1, 0], "bits"),
    ],
)
def test_every_figure_is_valid_and_stands_alone(figure):
    figure.to_altair()  # raises where Vega-Lite's schema is broken
    page = figure.to_html()
    assert "cdn.jsdelivr" not in page
    assert "vega-embed" in page.lower()


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
