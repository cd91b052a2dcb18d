"""The AGT page without a browser."""

import numpy as np
import pandas as pd
import pytest

from dashboard.pages.agt.trials import finding, summarize
from dashboard.runs import texts
from tests.dashboard.app import component, download_labels, open_app, titles, type_text
from tests.sweeps import save_sweep


@pytest.fixture
def app():
    return open_app("agt")


def test_the_scrubber_drives_the_layer(app):
    app.run()
    driven = {
        "label": "Layer",
        "param": "layer",
        "address": "layer",
        "follows": "",
        "subject": "",
        "tells": False,
        "play": "Play",
        "signals": {"turn": 0},
        "trained": None,
    }
    assert component(app, "scrubber") == [{"n": 15, "start": 15, **driven}]
    (verdict,) = component(app, "verdict")
    assert verdict["param"] == "layer"
    assert verdict["notes"] == [
        *(f"Prediction from layer {n}" for n in range(1, 15)),
        "Prediction from layer 15, the final one",
    ]


def test_numbers_equal_those_of_the_trace(app):
    app.query_params["tab"] = "Numbers"
    text = "Not so much a movie as a picture book for the big screen."
    type_text(app.run(), text)
    trace = texts.run("agt-sst5", "cpu", text)
    tables = {column: table.value for table in app.dataframe for column in table.value.columns}
    attention = tables["share of the largest"]
    assert attention["attention"].to_numpy().tolist() == trace.attention.ravel().tolist()
    largest = trace.attention.max(1, keepdims=True)
    np.testing.assert_allclose(attention["share of the largest"], (trace.attention / largest).ravel())
    assert (attention["selected"] == (attention["share of the largest"] > 0.95)).all()
    assert tables["T"]["T"].to_numpy().tolist() == trace.gates.ravel().tolist()
    (verdict,), (finding,), (shading,) = (component(app, name) for name in ("verdict", "finding", "shading"))
    np.testing.assert_allclose(verdict["values"], trace.probabilities, atol=1e-4)
    assert [part["param"] for part in (finding, shading)] == ["layer"] * 2
    assert finding["sentences"][0].startswith("Layer 1 looks mostly at “")
    assert len(shading["shares"]) == len(shading["notes"]) == 15
    first = attention[attention["layer"] == 1]
    assert shading["notes"][0] == [f"Layer 1 · {first['selected'].sum()} selected"]


def test_the_threshold_decides_what_is_selected(app):
    app.run()
    before = app.dataframe[0].value
    findings_before = component(app, "finding")[0]["sentences"]
    app.number_input(key="threshold").set_value(0.5).run()
    assert component(app, "finding")[0]["sentences"] != findings_before
    after = app.dataframe[0].value
    assert "selected, above 0.50" in after.columns
    assert after["selected, above 0.50"].tolist() == after["relaxed, above .5"].tolist()
    assert before["relaxed, above .5"].tolist() == after["relaxed, above .5"].tolist()


def test_an_unmeasured_network_with_attention_in_one_layer(app, no_sweeps, add_model):
    """A random network of three layers, of which one attends."""
    add_model("agt", n_attending=1)
    app.query_params["checkpoint"] = "tiny-agt"
    app.run()
    assert not app.exception
    (shading,) = component(app, "shading")
    assert shading["shares"][1:] == [[[0.0] * len(shading["shares"][0][0])]] * 2
    assert [note for (note,) in shading["notes"]][1:] == ["Layer 2 has no attention", "Layer 3 has no attention"]
    for tab, charts in (("Test split", ["Phrases by their length, this sentence"]), ("Measured", [])):
        app.query_params["tab"] = tab
        app.run()
        assert not app.exception
        assert any("core.measured selections NAME" in caption.value for caption in app.caption)
        assert titles(app)[1:] == charts


def test_every_tab_draws_its_charts_and_keeps_its_tables(app, no_sweeps):
    charts = {
        "Layers": ["Prediction from each layer"],
        "Gates": ["Gates, this sentence", "Gates, all test sentences"],
        "Test split": [
            *("Phrases by their length, this sentence", "Phrases by their length, all test sentences"),
            "Words by the attention they get, all test sentences",
            "Words that the chosen layer selects most often, all test sentences",
        ],
        "Measured": [],
    }
    tables = {
        "Test split": [f"CSV, {what}, test split" for what in ("attention", "gates", "words", "phrase lengths")],
        "Measured": ["CSV, what the paper observed", "CSV, constituents", "CSV, networks"],
    }
    for tab, names in charts.items():
        app.query_params["tab"] = tab
        app.run()
        assert not app.exception
        assert titles(app)[1:] == names
        assert set(tables.get(tab, [])) <= set(download_labels(app))


def test_trials_are_shown_once_they_are_trained(app, no_sweeps):
    rows = [("gate bias 1", 0.48, 0.47, [1.0, 1.5, 1.1]), ("gate bias 3", 0.47, 0.46, [1.0, 1.0, 4.0])]
    save_sweep("composition", pd.DataFrame(rows, columns=["trial", "dev", "test", "lengths"]).assign(seed=0))
    app.query_params["tab"] = "Measured"
    app.run()
    assert not app.exception
    (trials,) = (table.value for table in app.dataframe if "trial" in table.value.columns)
    assert trials["trial"].tolist() == ["gate bias 3", "gate bias 1"]
    assert trials["mean length"].tolist() == pytest.approx([2.0, 1.2])
    assert (trials["longest"].tolist(), trials["in layer"].tolist()) == ([4.0, 1.5], [3, 2])
    assert "CSV, composition" in download_labels(app)
    assert "Length of the phrases that each layer selects" in titles(app)


COLUMNS = ["trial", "dev", "test", "mean length", "longest", "in layer"]
USUAL_ROW = ("usual start", 0.48, 0.475, 1.0, 1.0, 1)


@pytest.mark.parametrize(
    ("mean", "sentence"),
    [
        (
            1.1,
            "None of 3 trainings makes the layers select phrases. "
            "The longest phrases come from the training “8 layers” (accuracy on the dev split 47.0%): "
            "1.10 words on average, 4.00 in layer 3.",
        ),
        (
            2.0,
            "The longest phrases come from the training “8 layers”: 2.00 words on average, 4.00 in layer 3. "
            "The test accuracy with this change is 45.0% (2 trainings); that of the usual start is 47.5% (1 training).",
        ),
    ],
)
def test_a_sentence_says_whether_a_training_composes(mean, sentence):
    rows = [USUAL_ROW, ("8 layers", 0.47, 0.46, mean, 4.0, 3), ("8 layers", 0.46, 0.44, 1.0, 1.0, 1)]
    assert finding(pd.DataFrame(rows, columns=COLUMNS)) == sentence


def test_a_sentence_says_how_many_phrases_are_constituents():
    columns = ["trial", "dev", "test", "lengths", "constituents", "by_chance", "low", "high"]
    rows = [
        ("8 layers", 0.47, 0.46, [2.0], 0.4, 0.25, 0.1, 0.2),
        ("8 layers", 0.47, 0.46, [3.0], 0.3, 0.15, 0.08, 0.16),
        ("one lucky training", 0.47, 0.46, [9.0], 0.9, 0.1, 0.7, 0.8),
        ("another", 0.48, 0.46, [1.0], *[np.nan] * 4),
    ]
    assert finding(summarize(pd.DataFrame(rows, columns=columns).assign(seed=0))) == (
        "We compare changes whose selected phrases average at least 1.2 words, and of these only the ones with the "
        "most trainings. With “8 layers” (2 trainings), the phrases average 2.50 words. Of those with two words or "
        "more, 35% are constituents of the sentence, against 20% by chance. This is the largest margin among these "
        "changes (the 95% intervals of its trainings reach from +8 to +20 points)."
    )


def test_trainings_that_learned_nothing_are_left_out():
    table = pd.DataFrame([USUAL_ROW, ("another rate", 0.2, 0.2, 4.0, 4.0, 3)], columns=COLUMNS)
    sentence = finding(table)
    assert sentence.startswith(
        "No training makes the layers select phrases. The longest phrases come from the training “"
    )
    assert sentence.endswith("We left out 1 more training, which learned nothing.")
    assert finding(table[1:]) == "None of these trainings learned anything."


def test_the_ablation_is_shown_once_it_is_trained(app, no_sweeps):
    app.query_params["tab"] = "Measured"
    app.run()
    assert not app.exception
    before = titles(app)
    assert any("core.sweep attention" in caption.value for caption in app.caption)
    rows = [
        (a, s, 2210, 0.4, 0.4 + a / 100 + s / 1000, p) for a, p in ((15, 0.505), (3, 0.49), (1, 0.485)) for s in (0, 1)
    ]
    save_sweep("attention", pd.DataFrame(rows, columns=["attending", "seed", "tested_on", "dev", "test", "paper"]))
    app.run()
    assert not app.exception
    assert titles(app) == [*before, "Test accuracy by the number of layers that attend"]
    (summary,) = (table.value for table in app.dataframe if "trainings" in table.value.columns)
    assert summary["layers that attend"].tolist() == [15, 3, 1]
    assert summary["paper"].tolist() == [0.505, 0.49, 0.485]
    np.testing.assert_allclose(summary["mean"], [0.5505, 0.4305, 0.4105])
    assert "CSV, ablation" in download_labels(app)
