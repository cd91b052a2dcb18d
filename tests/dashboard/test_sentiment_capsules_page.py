"""The EM routing page without a browser."""

import numpy as np
import pytest

from dashboard.runs import texts
from tests.dashboard.app import component, open_app, text_in_box, titles, type_text


@pytest.fixture
def app():
    return open_app("sentiment_capsules")


def test_the_scrubber_has_the_chosen_part(app):
    app.run()
    part = int(app.number_input(key="part").value) - 1
    (scrubber,) = component(app, "scrubber")
    driven = {"label": "Routing iteration", "param": "iteration", "address": "t", "follows": "", "subject": ""}
    driven |= {"tells": False, "play": "Play"}
    assert scrubber == {"n": 3, "start": 3, "trained": 3, "signals": {"picked": part, "turn": 1}, **driven}


def test_numbers_equal_those_of_the_trace(app):
    app.query_params["tab"] = "Numbers"
    type_text(app.run(), "A good film, and a long one.")
    trace = texts.run("em-sst5", "cpu", "A good film, and a long one.").first(3)
    credit, part, parts, classes = (table.value for table in app.dataframe)
    assert classes["scores"].to_numpy().tolist() == trace.parts_to_classes.scores.ravel().tolist()
    assert parts["benefit"].to_numpy().tolist() == trace.inputs_to_parts.benefit.ravel().tolist()
    totals = credit.groupby(["iteration", "class"], sort=False)["credit"].sum().to_numpy()
    np.testing.assert_allclose(totals, trace.parts_to_classes.scores.ravel(), rtol=1e-4, atol=1e-4)
    j = int(app.number_input(key="part").value) - 1
    assert len(part) == 3 * len(trace.tokens) * 7
    np.testing.assert_allclose(part["D_use"] + part["D_ign"], 1, atol=1e-6)
    couplings = trace.inputs_to_parts.coupling[:, :, j].reshape(3, -1, 7)  # every word here is one piece
    np.testing.assert_allclose(part["R"], couplings.ravel(), rtol=1e-6)


def test_classes_credit_and_text_follow_the_scrubber(app):
    app.run()
    trace = texts.run("em-sst5", "cpu", text_in_box(app)).first(3)
    (verdict,), (finding,), (shading,) = (component(app, name) for name in ("verdict", "finding", "shading"))
    np.testing.assert_allclose(verdict["values"], trace.probabilities, atol=1e-4)
    assert verdict["notes"][1:] == ["After 2 iterations; trained with 3.", "After 3 iterations, as trained."]
    leading = trace.probabilities.argmax(1)
    names = [trace.classes[k] for k in leading]
    assert [sentence.lower().startswith(name) for sentence, name in zip(finding["sentences"], names, strict=True)]
    assert shading["notes"] == [[f"For {name}", f"Against {name}"] for name in names]
    credit = trace.credit_of_words[2, :, leading[2]]
    positive, negative = np.array(shading["shares"][2])
    np.testing.assert_allclose((positive - negative) * abs(trace.credit_of_words).max(), credit, atol=1e-4)


def test_each_tab_shows_its_own_charts(app):
    first = ["Credit of each word for each class, through both routings"]
    charts_of_tabs = {
        "Classes": ["Bang per bit of each class", "Benefit", "Cost"],
        "Capsules": ["Classes: mean, and one standard deviation to each side", "Parts, part 9 in a ring"],
        "Iterations": [
            "Class if routing stopped here",
            "Entropy of each word's share (bold: mean)",
            "Change since the last iteration",
        ],
        "Formula": [],
    }
    for tab, charts in charts_of_tabs.items():
        app = open_app("sentiment_capsules")
        app.query_params.update({"tab": tab, "part": "9"})
        app.run()
        assert not app.exception
        assert titles(app) == first + charts
        assert app.number_input(key="part").value == 9  # kept while its tab is closed


def test_the_part_shown_first_is_the_one_that_decides(app):
    app.run()
    trace = texts.run("em-sst5", "cpu", text_in_box(app))
    effect = trace.parts_to_classes.effect[2, :, trace.probabilities[2].argmax()]
    assert app.number_input(key="part").value == abs(effect).argmax() + 1


def test_a_chosen_part_stays_until_the_text_changes(app):
    app.run()
    chosen = 3.0 if app.number_input(key="part").value != 3 else 4.0
    app.number_input(key="part").set_value(chosen).run()
    app.number_input(key="iterations").set_value(4.0).run()
    assert app.number_input(key="part").value == chosen
    type_text(app, "A dull film.")
    trace = texts.run("em-sst5", "cpu", "A dull film.")  # with the iterations of the training
    effect = trace.parts_to_classes.effect[2, :, trace.probabilities[2].argmax()]
    assert app.number_input(key="part").value == abs(effect).argmax() + 1
    app.number_input(key="part").set_value(None).run()
    assert not app.exception


def test_the_address_picks_a_part_and_what_is_shown_of_it(app):
    for name, value in {"iterations": "7", "part": "9", "show": "D_ign", "tab": "One part"}.items():
        app.query_params[name] = value
    app.run()
    (scrubber,) = component(app, "scrubber")
    assert (scrubber["n"], scrubber["signals"]["picked"]) == (7, 8)
    assert any("D_ign = 1 - R" in caption.value for caption in app.caption)


def test_a_text_that_the_transformer_skips_gives_one_sentence(app):
    type_text(app.run(), "\u0301")
    assert not app.exception
    assert [i.value.endswith("Type a sentence.") for i in app.info] == [True]


def test_a_missing_transformer_gives_one_sentence(app, add_model):
    folder = add_model("em-sst")
    config = (folder / "config.json").read_text()
    (folder / "config.json").write_text(config.replace("all-MiniLM-L6-v2", "no-such-transformer"))
    app.query_params["checkpoint"] = "tiny-em"
    app.run()
    assert not app.exception
    assert "no-such-transformer cannot be loaded from this machine" in app.info[0].value.replace("\\", "")
