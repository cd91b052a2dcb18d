"""The k-means page without a browser."""

import re

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.routing import ROUTINGS, kmeans_routing
from dashboard.runs import checkpoints, texts
from dashboard.runs.pytorch import parameter_bill
from dashboard.screen.evidence import routing_of
from tests.dashboard.app import component, download_labels, open_app, shown_as_markdown, text_in_box, titles, type_text
from tests.sweeps import save_sweep


@pytest.fixture
def app() -> AppTest:
    return open_app("kmeans")


def test_the_page_begins_at_the_iterations_of_the_training(app):
    app.run()
    (scrubber,) = component(app, "scrubber")
    assert (scrubber["n"], scrubber["start"]) == (10, 3)
    assert "In training, iteration 3 was the last" in app.number_input(key="iterations").help
    (verdict,) = component(app, "verdict")
    assert verdict["notes"][2].startswith("After 3 iterations, as trained.")
    assert verdict["notes"][9].startswith("After 10 iterations, beyond training (3).")


def test_the_first_screen_has_the_model_s_numbers(app):
    app.run()
    trace = texts.run("cccaps-ag", "cpu", text_in_box(app), 10)
    (verdict,), (finding,), (shading,) = (component(app, name) for name in ("verdict", "finding", "shading"))
    np.testing.assert_allclose(verdict["values"], trace.probabilities[:10], atol=1e-4)
    assert not verdict["percent"]
    coupling = trace.features_to_classes.coupling
    first = int(coupling[2].max(1).argmax())
    assert app.number_input(key="feature").value == first + 1
    assert component(app, "scrubber")[0]["signals"]["picked"] == first
    assert (
        f"Feature capsule {first + 1} gets more from “rebels” than from any other word, and sends 44% to World"
        in finding["sentences"][2]
    )
    adds = trace.contributions[:, first].clip(min=0)
    np.testing.assert_allclose(shading["shares"][0][0], adds / np.abs(trace.contributions[:, first]).max(), atol=1e-4)
    assert shading["notes"] == [[f"Adds to capsule {first + 1}", f"Takes from capsule {first + 1}"]]


def test_a_network_with_an_added_routing_has_its_page(app, add_model, monkeypatch):
    monkeypatch.setitem(ROUTINGS, "cosine", kmeans_routing)
    add_model("cccaps", "mine", routing="cosine")
    app.query_params["checkpoint"] = "mine"
    app.run()
    assert not app.exception
    assert app.toggle(key="beside").label == "Compare with another routing"
    assert routing_of("mine") == "cosine"


def test_numbers_equal_those_of_the_trace(app):
    app.query_params["tab"] = "Numbers"
    app.run()
    trace = texts.run("cccaps-ag", "cpu", text_in_box(app), 10).first(10)
    cells, iterations, contributions = (table.value for table in app.dataframe)
    assert cells["c_ij"].tolist() == trace.features_to_classes.coupling.ravel().tolist()
    assert iterations["|v| of Sports"].tolist() == trace.probabilities[:, 1].tolist()
    assert contributions["feature 7"].tolist() == trace.contributions[:, 6].tolist()


def test_every_tab_draws_its_charts():
    charts = {
        "Words": ["What each word contributes, k-means routing · news, 4 topics"],
        "Code": ["The code of the chosen word", "Parameters by the number of words"],
        "Iterations": [
            "Entropy of each capsule's share (bold: mean)",
            "Length of each class capsule",
            "Clustering loss (eq. 8) before each iteration",
            "Shares of feature capsule 11",
        ],
    }
    for tab, names in charts.items():
        app = open_app("kmeans")
        app.query_params["tab"] = tab
        app.run()
        assert not app.exception
        assert titles(app)[1:] == names


def test_k_means_and_dynamic_routing_are_shown_side_by_side(app):
    app.run()
    app.toggle(key="beside").set_value(True).run()
    assert not app.exception
    assert {f"Coupling coefficients of {checkpoints.title(name)}" for name in ("cccaps-ag", "cccaps-dynamic-ag")} < set(
        titles(app)
    )
    headings = [text for text in shown_as_markdown(app) if text.startswith("**")]
    for name in ("cccaps-ag", "cccaps-dynamic-ag"):
        above = [heading for heading in headings if heading.startswith(f"**{checkpoints.about(name).title}**")]
        bars, picture = sorted(above, key=len)
        assert re.fullmatch(re.escape(bars) + r" · Finds some words that matter \(\d+%.* of a direct test.*\)", picture)
    assert len(component(app, "finding")) == len(component(app, "shading")) == 2


def test_the_number_of_parameters_follows_its_slider(app):
    app.query_params["tab"] = "Code"
    app.run()
    app.select_slider(key="words").set_value(1_000_000).run()
    assert not app.exception
    composed, table, base = parameter_bill(1_000_000, 64, 8)
    assert any(f"**{composed:,}**" in m.value and f"**{table:,}**" in m.value for m in app.markdown)
    assert base == 6


def test_the_nearest_word_by_code_is_the_word_itself(app):
    app.query_params["tab"] = "Code"
    app.run()
    type_text(app, "Shares fell sharply.")
    app.number_input(key="word").set_value(2.0).run()
    assert not app.exception
    near = next(table.value for table in app.dataframe if "overlap" in table.value.columns)
    assert near["word"][0] == "fell"
    assert near["overlap"][0] == pytest.approx(1, abs=1e-5)
    assert (np.diff(near["overlap"]) <= 0).all()


def test_a_word_outside_the_vocabulary_has_no_code(app):
    app.query_params["tab"] = "Code"
    app.run()
    type_text(app, "zyxzyx rose")
    app.number_input(key="word").set_value(1.0).run()
    assert not app.exception
    assert any("has no code" in info.value for info in app.info)


def test_the_paper_s_tables_are_shown_once_they_are_measured(app, no_sweeps):
    app.query_params["tab"] = "Measured"
    app.run()
    assert not app.exception
    assert any("core.sweep capsules" in caption.value for caption in app.caption)
    rows = [("ag_news", "cwc", "kmeans", "margin+focal", s, 0.9 + s / 100, 0.9239, 11_938, 7600) for s in range(3)]
    rows += [("ag_news", "cwc", "dynamic", "margin+focal", s, 0.9 + s / 100, 0.9214, 11_938, 7600) for s in range(3)]
    names = ["corpus", "embedding", "routing", "loss", "seed", "test", "paper", "trained_on", "tested_on"]
    save_sweep("capsules", pd.DataFrame(rows, columns=names))
    app.run()
    assert not app.exception
    table = next(table.value for table in app.dataframe if "trainings" in table.value.columns)
    assert (table["trainings"][0], table["paper"][0]) == (3, 0.9239)
    assert table["mean"].tolist() == pytest.approx([0.91, 0.91])
    assert table["paper in interval"].tolist() == ["yes", "yes"]
    assert (table["from"] < 0.9).all()
    assert (table["to"] > 0.92).all()
    compared = app.table[0].value
    assert compared["Verdict"].tolist() == ["inconclusive"]
    assert "CSV, tables 4 to 6" in download_labels(app)


def test_the_same_sentence_in_three_trainings(app):
    app.run()
    app.toggle(key="trainings").set_value(True).run()
    assert not app.exception
    (finding,) = component(app, "finding")
    assert finding["sentences"][0].startswith(
        "All three trainings answer World. After 3 iterations, their pictures correlate "
    )
    assert "with this one; by chance, with shuffled classes, 0." in finding["sentences"][0]
    app.number_input(key="iterations").set_value(1).run()  # fewer than in training
    assert not app.exception
    assert "After 1 iteration, their pictures correlate" in component(app, "finding")[0]["sentences"][0]
    type_text(app, "A text of one's own, which no training kept.")
    assert any("The other trainings are not included" in info.value for info in app.info)
    assert any("Coupling coefficients" in title for title in titles(app))  # the usual picture stays
