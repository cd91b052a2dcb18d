"""The data and scales of figures, read from their specifications."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from core.trace import Trace
from dashboard.figures import attention, codes, em, heatmap, kinds, lines, vega, windows
from dashboard.figures import routing as figures
from dashboard.figures.aligned import align_runs
from dashboard.figures.chart import sheet_as_chart
from dashboard.runs import texts
from dashboard.theme import shorten

RNG = np.random.default_rng(0)
COUPLING = RNG.dirichlet(np.ones(3), size=(4, 2)).astype(np.float32)  # t=4, i=2, j=3


def test_heatmap_holds_the_model_s_numbers():
    figure = figures.coupling_heatmap(COUPLING, ["<b>bad</b>", "film"], "output")
    assert len(figure.data) == COUPLING.size
    for row in figure.data.to_pandas().itertuples():
        assert row.c == COUPLING[row.t - 1, row.i, row.j]
    assert figure.spec["encoding"]["color"]["scale"]["domain"] == [0, 1]
    said = figure.spec["mark"]["description"]["expr"]
    assert said == "datum[\"word\"] + ', ' + 'capsule ' + datum[\"capsule\"] + ': ' + " + vega.spoken("datum.now")
    params = {p["name"]: p for p in figure.spec["params"]}
    assert set(figure.data["word"].to_pylist()) == {"<b>bad</b>", "film"}
    same_length = figures.coupling_heatmap(COUPLING, ["good", "film"], "output")
    assert same_length.spec == figure.spec  # then the browser updates the chart instead of drawing it again
    assert params["iteration"]["bind"]["max"] == params["iteration"]["value"] == 4
    ranges = [p["bind"] for p in params.values() if p.get("bind", {}).get("input") == "range"]
    assert all(bind["step"] == 1 for bind in ranges)  # otherwise a long range skips values
    assert params["cell"]["select"]["fields"] == ["i", "j", "turn"]


def test_a_heat_map_may_be_very_wide():
    names = [str(k) for k in range(40_000)]
    axes = heatmap.Axis("capsule", names), heatmap.Axis("word", ["film"])
    data = heatmap.heatmap(np.zeros((1, 40_000, 1)), *axes, heatmap.Colour("c", ["share"])).data
    assert data["capsule"].to_pylist() == names


def test_the_embedding_is_drawn_as_the_lowest_layer():
    values = RNG.random((2, 3, 4))
    data, spec = em.layer_heatmap(values, ["a", "b", "isn't"], ["a", "b", "isn·'·t"], list(range(values.shape[2])), "R")
    data = data.to_pandas()
    assert data["layer"].unique().tolist() == ["3", "2", "1", "0"]
    assert data["word"].unique().tolist() == ["a", "b", "isn·'·t"]
    assert data["column"].unique().tolist() == ["0000a", "0001b", "0002isn't"]
    top = data[(data["t"] == 2) & (data["i"] == 1) & (data["j"] == 0)]["c"].item()
    assert top == np.float32(values[1, 1, 3])
    assert spec["encoding"]["color"]["scale"]["domain"] == [0.001, 1]
    assert spec["encoding"]["color"]["scale"]["type"] == "log"
    assert {"calculate": "max(datum.c, 0.001)", "as": "shade"} in spec["transform"]


def test_zero_credit_is_in_the_middle_of_the_scale():
    credit = np.array([[[0.5, -2.0]], [[1.0, 0.0]]])
    _, spec = em.credit_heatmap(credit, ["a"], ["a"], ["bad", "good"])
    assert spec["encoding"]["color"]["scale"]["domain"] == [-2.0, 2.0]
    _, spec = em.credit_heatmap(0 * credit, ["a"], ["a"], ["bad", "good"])
    assert spec["encoding"]["color"]["scale"]["domain"] == [-1.0, 1.0]


def test_a_gaussian_spans_one_deviation_on_each_side_of_its_mean():
    means, variances = RNG.normal(size=(2, 3, 2)), RNG.random((2, 3, 2))
    data, spec = em.gaussians(means, variances, RNG.random((2, 3)), ["a", "b", "c"], chosen=1)
    data = data.to_pandas()
    row = data[(data["t"] == 2) & (data["j"] == 1)].iloc[0]
    np.testing.assert_allclose([row["x"], row["y"]], means[1, 1], rtol=1e-6)
    np.testing.assert_allclose(row["x2"] - row["x1"], 2 * np.sqrt(variances[1, 1, 0]), rtol=1e-5)
    assert spec["layer"][2]["encoding"]["stroke"]["condition"]["test"] == "datum.j == 1"


def test_em_tables_hold_the_numbers_of_the_trace():
    layer = {name: RNG.normal(size=(2, 3)) for name in ("benefit", "cost", "scores", "activation")}
    layer |= {name: RNG.normal(size=(2, 3, 2)) for name in ("capsules", "variances")}
    table = em.capsule_table(SimpleNamespace(**layer), ["a", "b", "c"])
    row = table[(table["iteration"] == 2) & (table["capsule"] == "b")].iloc[0]
    assert (row["cost"], row["mean 2"]) == (layer["cost"][1, 1], layer["capsules"][1, 1, 1])
    values = RNG.random((2, 2, 3))
    table = em.token_table({"R": values}, ["bad", "film"], ["0", "1", "2"], "layer")
    row = table[(table["iteration"] == 2) & (table["word"] == "film") & (table["layer"] == "1")].iloc[0]
    assert (row["position"], row["R"]) == (2, values[1, 1, 1])


def test_lines_hold_every_series():
    values = np.array([[0.1, 0.9], [0.4, 0.6]])
    data, spec = lines.lines_over(values, "probability", ["bad", "good"], [0, 1])
    pivot = data.to_pandas().pivot(index="t", columns="series", values="value")
    np.testing.assert_allclose(pivot[["bad", "good"]].to_numpy(), values, rtol=1e-6)
    series, names, rule = spec["layer"]
    assert series["encoding"]["y"]["scale"]["domain"] == [0, 1]
    assert rule["transform"] == [{"calculate": "iteration", "as": "t"}]
    assert names["encoding"]["text"]["field"] == "series"


def test_every_line_shows_where_lines_coincide():
    full, *dashed = lines.striped(4)
    assert full == [1, 0]
    assert [sum(pattern) for pattern in dashed] == [24] * 3  # one period
    assert [drawn for drawn, _ in dashed] == [18, 12, 6]  # each ends before the line below it


def test_names_at_the_ends_of_lines_keep_apart():
    values = np.array([[0.3, 0.3, 0.3, 0.9], [0.5, 0.5, 0.49, np.nan]])
    data = lines.lines_over(values, "probability", ["a", "b", "c", "gone"], [0, 1]).data.to_pandas()
    ends = data.dropna(subset="end").set_index("series")["end"].sort_values()
    assert set(ends.index) == {"a", "b", "c", "gone"}
    assert np.diff(ends[["c", "a", "b"]]).min() > 0.08
    assert ends["c"] == pytest.approx(0.49)
    assert ends.max() <= 1
    many = [f"class {k}" for k in range(9)]
    _, spec = lines.lines_over(np.ones((2, 9)), "probability", many, [0, 1])
    assert spec["layer"][0]["encoding"]["color"]["legend"]["orient"] == "top"


def test_a_scale_ends_where_small_shares_end_and_says_so():
    small = np.full((2, 3, 4), 0.25, np.float32)
    color = figures.feature_heatmap(small, ["a", "b", "c", "d"]).spec["encoding"]["color"]
    assert color["scale"]["domain"] == [0, 0.3]
    assert color["title"][-1] == "(a feature capsule's shares sum to 1; the scale ends at 0.3)"
    color = figures.feature_heatmap(small, ["a", "b", "c", "d"], largest=0.95).spec["encoding"]["color"]
    assert color["scale"]["domain"] == [0, 1]
    assert "ends" not in str(color["title"])


def test_unnamed_series_are_faint_under_their_mean():
    data, spec = lines.lines_over(np.array([[1.0, 3.0], [2.0, np.nan]]), "bits")
    assert len(data) == 3  # NaN gives no point
    faint, mean, _ = spec["layer"]
    assert faint["mark"]["opacity"] < 1
    assert mean["transform"][0]["aggregate"][0]["op"] == "mean"


WINS = np.array([[0, 2, 9], [4, 1, 6]])  # t=2, i=3


def test_the_decisive_words_of_each_window_are_marked():
    data, spec = windows.wins_heatmap(WINS, ["a", "<b>", "c"], [(2, 3), (1, 3)], 11)
    rows = data.to_pandas()
    assert rows["n"].tolist() == WINS.ravel().tolist()
    marked = rows[rows["first"] >= 0]
    assert marked[["w", "first", "last"]].to_numpy().tolist() == [[1, 2, 2], [2, 1, 2]]
    cells, start, end, _, chosen = spec["layer"]
    assert cells["encoding"]["color"]["scale"]["domain"] == [0, 9]
    assert start["encoding"]["x"] | start["encoding"]["x2"] == start["encoding"]["x"]  # both at the first word
    assert end["encoding"]["x2"] == {"field": "last", "bandPosition": 1}
    assert chosen["transform"] == [{"filter": "datum.w == min(window, 2) && datum.first >= 0"}]


@pytest.mark.parametrize(("n_windows", "n_words", "height", "width"), [(40, 31, 6, "container"), (7, 32, 32, None)])
def test_forty_windows_fit_on_a_screen_and_many_words_scroll(n_windows, n_words, height, width):
    wins = np.ones((n_windows, n_words), int)
    _, spec = windows.wins_heatmap(wins, ["word"] * n_words, [(0, 1)] * n_windows, 11)
    assert spec["height"] == {"step": height}
    assert spec["width"] == (width or {"step": windows.COLUMN})


@pytest.mark.parametrize(("name", "text"), [("em-sst5", "An unwatchable film."), ("drnn-ag", "Shares fell.")])
def test_a_trace_draws_the_main_picture_of_its_page(name, text):
    trace = texts.run(name, "cpu", text)
    for plot in trace.plots:
        assert trace.plot(plot).to_dict()["vconcat"][0]["title"] == f"{plot}, {name}"
    assert next(iter(kinds.family_of(trace).plots)) == trace.plots[0] in ("credit", "wins")


def test_a_kind_without_figures_shows_its_probabilities():
    known = texts.run("agt-sst5", "cpu", "A dull film.")
    shared = {f.name: getattr(known, f.name) for f in dataclasses.fields(Trace)}
    trace = Trace(**shared)
    assert trace.plots == ("probabilities",)
    assert trace.plot().to_dict()["vconcat"][0]["title"] == "probabilities, agt-sst5"
    assert align_runs(trace, trace).changed.shape == (15, 1, 5)


SCALED = np.array([[1.0, 0.2, 0.97], [0.1, 1.0, 0.5]])  # l=2, i=3


def test_the_attention_heat_map_frames_phrases_and_can_scroll():
    data, spec = attention.attention_heatmap(SCALED, ["a", "<b>", "c"], [[(0, 1), (2, 3)], [(1, 2)]], 0.95, 2)
    rows = data.to_pandas()
    np.testing.assert_allclose(rows["a"], SCALED.ravel(), rtol=1e-6)
    assert rows[rows["last"] >= 0][["l", "i", "last"]].to_numpy().tolist() == [[1, 0, 0], [1, 2, 2], [2, 1, 1]]
    assert spec["width"] == "container"
    many = np.ones((2, 40))
    _, spec = attention.attention_heatmap(many, ["a"] * 40, [[], []], 0.95, 2)
    assert spec["width"] == {"step": 32}


def test_a_picked_feature_capsule_has_a_frame():
    contributions = RNG.normal(size=(3, 4))
    _, spec = codes.contribution_heatmap(contributions, ["a", "b", "c"], 2.0, picked=1)
    assert spec["encoding"]["stroke"]["condition"]["test"] == "datum.i == 1"
    assert spec["encoding"]["color"]["scale"]["domain"] == [-2, 2]
    _, spec = codes.contribution_heatmap(contributions, ["a", "b", "c"], 2.0)
    assert "stroke" not in spec["encoding"]


@pytest.mark.parametrize(("name", "main"), [("cccaps-ag", "coupling"), ("agt-sst5", "attention")])
def test_a_trace_draws_the_pictures_of_its_page(name, main):
    trace = texts.run(name, "cpu", "Shares fell.")
    assert trace.plots[0] == main
    for plot in trace.plots:
        assert trace.plot(plot).to_dict()["vconcat"][0]["title"] == f"{plot}, {name}"


@pytest.mark.parametrize(
    "figure",
    [
        windows.wins_heatmap(WINS, ["a", "b", "c"], [(2, 3), (1, 3)], 11),
        windows.wins_heatmap(np.ones((2, 300), int), ["a"] * 300, [(2, 3), (1, 3)], 11),
        figures.coupling_heatmap(COUPLING, ["bad", "film"], "input"),
        em.layer_heatmap(COUPLING, ["bad", "film"], ["bad", "film"], list(range(COUPLING.shape[2])), "D_use"),
        em.credit_heatmap(COUPLING - 0.5, ["bad", "film"], ["bad", "film"], ["a", "b", "c"]),
        em.part_heatmap(COUPLING, ["a", "b", "c"]),
        em.gaussians(COUPLING, COUPLING, COUPLING[..., 0], ["a", "b"], 1),
        em.gaussians(COUPLING[..., :1], COUPLING[..., :1], COUPLING[..., 0], ["a", "b"]),
        lines.lines_over(COUPLING[:, 0], "probability", ["a", "b", "c"], [0, 1]),
        lines.lines_over(COUPLING[:, 0], "bits"),
        lines.lines_over(COUPLING[:1, 0], "bits"),
    ],
)
def test_every_figure_is_valid(figure):
    sheet_as_chart({"figure": figure})  # raises if the figure breaks Vega-Lite's schema


def test_figures_in_one_chart_share_one_slider():
    heatmap = figures.coupling_heatmap(COUPLING, ["bad", "film"], "output")
    titled = {"shares": heatmap, "entropy": lines.lines_over(COUPLING[:, 0], "bits")}
    spec = sheet_as_chart(titled).to_dict()
    assert [p["name"] for p in spec["params"] if "bind" in p] == ["iteration"]
    assert [row["title"] for row in spec["vconcat"]] == ["shares", "entropy"]


def test_an_iteration_table_has_a_row_per_iteration():
    table = lines.iteration_table({"P(bad)": np.array([0.1, 0.2])})
    assert table.to_dict("list") == {"iteration": [1, 2], "P(bad)": [0.1, 0.2]}


def test_a_cell_table_holds_the_numbers_of_the_trace():
    steps = {name: RNG.normal(size=(4, 2, 3)) for name in ("coupling", "logits", "agreement")}
    table = figures.cell_table(SimpleNamespace(**steps), ["bad", "film"])
    assert len(table) == 24
    row = table[(table["iteration"] == 3) & (table["position"] == 2) & (table["capsule"] == 1)].iloc[0]
    assert row["word"] == "film"
    assert row["c_ij"] == steps["coupling"][2, 1, 0]
    assert row["b_ij"] == steps["logits"][2, 1, 0]
    assert row["v_j.u_ij"] == steps["agreement"][2, 1, 0]
    assert isinstance(table, pd.DataFrame)


def test_long_words_are_cut_on_axes_only():
    assert shorten("x" * 10_000) == "x" * 17 + "…"
    assert shorten("film") == "film"


def test_lines_are_faint_beyond_the_trained_iteration_which_is_named():
    spec = lines.lines_over(np.ones((5, 2)), "probability", ["bad", "good"], [0, 1], trained=3).spec
    drawn = [layer for layer in spec["layer"] if layer["mark"].get("type") == "line"]
    tests = [layer["transform"][0]["filter"] for layer in drawn]
    assert tests == ["datum.t <= 3", "datum.t >= 3"]
    assert [layer["mark"].get("opacity", 1) for layer in drawn] == [1, lines.BEYOND]
    assert "trained with 3" in str(spec)
    unmarked = lines.lines_over(np.ones((3, 2)), "probability", ["bad", "good"], [0, 1], trained=3)
    assert "trained with" not in str(unmarked.spec)  # nothing lies beyond


def test_a_tip_has_the_line_of_python_that_reads_the_number():
    pictures = {
        "trace.inputs_to_capsules.coupling": figures.coupling_heatmap(COUPLING, list("abc"), "output"),
        "trace.features_to_classes.coupling": figures.feature_heatmap(COUPLING, list("abcd")),
        "trace.wins": windows.wins_heatmap(WINS, ["a", "b", "c"], [(2, 3), (1, 3)], 11),
        "trace.scaled_attention": attention.attention_heatmap(SCALED, ["a", "b", "c"], [[], []], 0.95, 2),
    }
    for array, (_, spec) in pictures.items():
        cells = spec["layer"][0] if "layer" in spec else spec
        assert {"field": "path", "type": "nominal", "title": "in Python"} in cells["encoding"]["tooltip"]
        assert any(step.get("calculate", "").startswith(f"'{array}['") for step in cells["transform"])
