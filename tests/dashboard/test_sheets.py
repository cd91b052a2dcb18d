"""Exports: sheets of figures, the self-contained page, charts for notebooks, names of files."""

import re
import struct
from xml.etree import ElementTree

import numpy as np
import pytest

from core import explain, zoo
from dashboard.figures import attention, compare, em, export, lines, plots, routing, windows
from dashboard.figures.aligned import align_runs
from dashboard.figures.sheet import Heading, sheet
from dashboard.figures.standalone import ComponentFiles, DrawnComponent, library, stand_alone
from dashboard.screen.shown import Shown
from dashboard.theme import COLOURS
from tests.dashboard.app import texts

RNG = np.random.default_rng(0)
COUPLING = RNG.dirichlet(np.ones(3), size=(4, 2)).astype(np.float32)  # t=4, i=2, j=3
WORDS = ["bad", "film"]
SHARES = routing.coupling_heatmap(COUPLING, WORDS, "output")
FIGURES = {
    "shares": SHARES,
    "intake": routing.coupling_heatmap(COUPLING, WORDS, "input"),
    "features": routing.feature_heatmap(COUPLING, ["a", "b", "c"]),
    "attention": attention.attention_heatmap(np.eye(2), WORDS, [[(0, 1)], [(1, 2)]], 0.95, 2),
    "wins": windows.wins_heatmap(np.ones((2, 2), int), WORDS, [(0, 1), (0, 2)], 11),
    "credit": em.credit_heatmap(COUPLING - 0.5, WORDS, WORDS, ["a", "b", "c"]),
    "layers": em.layer_heatmap(COUPLING, WORDS, WORDS, list(range(COUPLING.shape[2])), "D_use"),
    "parts": em.part_heatmap(COUPLING, ["a", "b", "c"]),
    "gaussians": em.gaussians(COUPLING, COUPLING, COUPLING[..., 0], WORDS, 1),
    "gates": attention.distribution(np.ones((2, 4), int), 1, "T", "gate components", 2),
    "entropy": lines.lines_over(COUPLING[:, 0], "bits"),
    "length": lines.lines_over(COUPLING[:, 0], "|v_j|", ["a", "b", "c"]),
}


def svg_of(titled, heading=None, **chosen):
    """The SVG of a sheet of figures, by title, at the chosen steps."""
    return export.to_svg(sheet(titled, heading, chosen)).decode()


def title_of(spec):
    """The title of a figure's colours, in one line; empty if they have no legend."""
    units = [unit for unit in (spec, *spec.get("layer", [])) if "encoding" in unit]
    titles = [unit["encoding"].get("color", {}).get("title") for unit in units]
    title = next(filter(None, titles), "")
    return title if isinstance(title, str) else " ".join(title)


@pytest.mark.parametrize("name", FIGURES)
def test_the_title_of_a_legend_is_not_cut(name):
    written = " ".join(texts(svg_of({name: FIGURES[name]})))
    assert "…" not in written
    assert title_of(FIGURES[name].spec) in written


def test_a_pdf_uses_one_typeface():
    pdf = export.to_pdf(sheet(FIGURES, Heading("Shares", ["dragg-sst5, iteration 4 of 4"])))
    faces = {name.split(b"-")[0] for name in re.findall(rb"/BaseFont\s*/[A-Z]{6}\+([\w-]+)", pdf)}
    assert len(faces) == 1


def test_a_heading_says_what_is_shown():
    heading = Heading("Dynamic routing", ["dragg-sst5, iteration 2 of 4: predicts negative (33.2%)", "“a <b>”"])
    written = texts(svg_of({"shares": SHARES}, heading))
    assert heading.title in written
    assert " ".join(heading.lines) in written


def test_a_sheet_shows_the_chosen_step():
    at = {step: svg_of({"shares": SHARES}, iteration=step) for step in (1, 4)}
    for step, svg in at.items():
        shown = [float(share) for share in re.findall(r"capsule \d: ([\d.]+)", svg)]
        assert sorted(shown) == sorted(float(f"{c:.{4 if c < 0.01 else 2}f}") for c in COUPLING[step - 1].ravel())


def test_the_chosen_cell_is_in_a_frame_that_no_neighbour_covers():
    cells = [line for line in svg_of({"a": SHARES, "b": SHARES}, picked=1).split("<") if 'aria-label="' in line]
    rects = [cell for cell in cells if ", capsule" in cell]
    framed = [k for k, cell in enumerate(rects) if COLOURS["picked"][0] in cell]
    assert framed == [5, 11]  # the last cell that each figure draws


def test_every_figure_keeps_its_own_colours():
    network = zoo.load("dragg-sst5")
    three = compare.three_pictures(
        align_runs(explain(network, "a good film"), explain(network, "a bad film")), ("A", "B")
    )
    cells = re.compile(r', capsule[^"]*"[^>]*fill="([^"]+)"')
    single = cells.findall(svg_of({"A": three["A"]}))
    assert single
    assert cells.findall(svg_of(three))[: len(single)] == single


def test_a_screen_reader_hears_how_many_rows_an_axis_has():
    trace = explain(zoo.load("dragg-sst5"), "a good film")
    three = compare.three_pictures(align_runs(trace, trace), ("A", "B"))[compare.DIFFERENCE]
    descriptions = [figure.spec["encoding"]["y"]["axis"]["description"] for figure in (three, FIGURES["credit"])]
    assert descriptions == ["Y-axis: 5 capsules down", "Y-axis: 3 classes down"]


def test_figures_of_two_models_under_one_title_are_both_kept():
    two = {name: Shown({"Share": FIGURES[name], name: FIGURES[name]}) for name in ("shares", "intake")}
    drawn = Shown(by_model=two).all_figures()
    assert list(drawn) == ["Share, shares", "shares", "Share, intake", "intake"]
    assert drawn["Share, intake"] is FIGURES["intake"]
    assert list(Shown(by_model={"shares": two["shares"]}).all_figures()) == ["Share", "shares"]


def test_figures_of_two_texts_keep_their_own_words():
    titled = {
        text: windows.wins_heatmap(np.ones((2, 2), int), text.split(), [(0, 1), (0, 2)], 11)
        for text in ("bad film", "good plot")
    }
    assert {"bad", "film", "good", "plot"} <= set(texts(svg_of(titled)))


def test_numbers_of_a_colour_bar_have_room():
    figure = compare.signed_heatmap(np.array([[[-0.07], [0.03]]]), WORDS, ["1"], "log-odds", "word", "capsule")
    svg = ElementTree.fromstring(svg_of({"effects": figure}))
    (labels,) = [g for g in svg.iter("{http://www.w3.org/2000/svg}g") if "role-legend-label" in g.get("class", "")]
    shown = [node for node in labels.iter("{http://www.w3.org/2000/svg}text") if node.get("opacity") != "0"]
    places = [float(re.search(r"translate\(([-\d.]+)", node.get("transform"))[1]) for node in shown]
    widths = [6 * len(node.text) for node in shown]  # about 6 pixels a character
    gaps = [b - a - (v + w) / 2 for a, b, v, w in zip(places, places[1:], widths, widths[1:], strict=False)]
    assert len(shown) >= 3
    assert min(gaps) > 0


def test_a_picture_of_300_dots_per_inch_is_as_large_as_on_the_screen():
    drawn = sheet({"a": lines.lines_over(np.ones((2, 1)), "y", ["a"])})
    size = struct.unpack(">II", export.to_png(drawn)[16:24])
    svg = export.to_svg(drawn).decode()
    width, height = (float(re.search(f'{name}="([0-9.]+)"', svg)[1]) for name in ("width", "height"))
    assert size == pytest.approx((width * 300 / 72, height * 300 / 72), abs=2)


def test_a_saved_page_runs_each_component_in_its_place():
    source = ComponentFiles("<p>part</p>", ".part { color: red; }", "export default function ({ data }) {}")
    parts = [DrawnComponent(source, {"start": 2}), DrawnComponent(source, {"text": "</script>"})]
    page = stand_alone(Heading("A & B", []), {"shares": SHARES}, parts[:1], [parts[1:]], {"iteration": 2})
    assert page.count("<p>part</p>") == 2
    assert page.count(".part {") == page.count("const component = function") == 1
    assert '{"part-0": {"start": 2}, "part-1": {"text": "\\u003c/script>"}}' in page
    assert "<h1>A &amp; B</h1>" in page
    assert '"name": "iteration", "value": 2, "bind"' in page
    assert "default-src 'none'" in page
    assert not re.search(r"""<(script|img|link|iframe)[^>]*(src|href)=|@import|cdn\.""", page.replace(library(), ""))


def test_a_notebook_s_picture_works_offline_and_begins_at_its_step():
    trace = explain(zoo.load("dragg-sst5"), "A warm film.")
    html = trace.plot()._repr_mimebundle_()["text/html"]
    assert "cdn" not in html
    assert "<script src" not in html
    starts = {
        step: next(p["value"] for p in trace.plot(step=step).to_dict()["params"] if p["name"] == "iteration")
        for step in (None, 1)
    }
    assert starts == {None: 3, 1: 1}
    with pytest.raises(ValueError, match=re.escape("There is no iteration 4 in this run. There are: 1 to 3.")):
        trace.plot(step=4)
    assert trace._repr_mimebundle_()["text/plain"].startswith("dragg-sst5")


def test_a_picture_of_windows_begins_at_the_one_that_answers():
    trace = explain(zoo.load("drnn-ag"), "Shares fell.")
    (window,) = [p["value"] for p in trace.plot().to_dict()["params"] if p["name"] == "window"]
    assert window == trace.own_step < trace.n_steps


def test_a_heading_names_the_edits():
    trace = explain(zoo.load("dragg-sst5"), "A dull film.", edits=["drop:dull", "capsule:capsule 2"])
    assert plots.answers(trace)[-1].endswith("; edited: without “dull”, without capsule 2")


@pytest.mark.parametrize(
    ("name", "ending", "wanted"),
    [
        ("dragg-sst5", "iteration 3.svg", "dragg-sst5-iteration-3.svg"),
        ("A, dragg-sst5", "trace.json", "A-dragg-sst5-trace.json"),
        ("em", "R².csv", "em-R2.csv"),
        ("模型", "cells.csv", "cells.csv"),
    ],
)
def test_names_of_files_are_plain(name, ending, wanted):
    assert export.file_name(name, ending) == wanted


def test_labels_of_columns_are_flat_if_they_fit_and_emoji_always():
    def turned(words):
        heatmap = routing.coupling_heatmap(np.full((1, len(words), 2), 0.5), words, "output")
        labels = re.findall(r"<text ([^>]*)>([^<]+)<", svg_of({"a": heatmap}))
        return {text: "rotate(-60)" in style for style, text in labels if text in words}

    assert turned(["It", "shines", "."]) == {"It": False, "shines": False, ".": False}
    assert turned(["unbelievable", "🎬"] * 10) == {"unbelievable": True, "🎬": False}
