"""The Routing page without a browser."""

import json
from dataclasses import asdict

import pandas as pd
import pytest
import torch

from core.sweep import aggregation, iterations
from dashboard.runs import checkpoints, texts
from dashboard.runs.deciding import deciding_capsule
from tests.dashboard.app import (
    component,
    download_labels,
    open_app,
    open_tab,
    shown_as_markdown,
    tables,
    text_in_box,
    titles,
    type_text,
)
from tests.sweeps import save_sweep

FIRST = "dragg-reversed-sst5"  # network on which the page opens


@pytest.fixture
def app(no_sweeps):
    return open_app("routing")


def test_the_text_is_shaded_and_the_scrubber_drives_the_iteration(app):
    app.run()
    (shading,) = component(app, "shading")
    assert "".join(piece for piece, _ in shading["segments"]) == text_in_box(app)
    trace = texts.run(FIRST, "cpu", text_in_box(app))
    capsule = deciding_capsule(trace, "cpu", text_in_box(app))
    word = int(trace.inputs_to_capsules.coupling[2, :, capsule].argmax())
    driven = {"label": "Routing iteration", "param": "iteration", "address": "t", "follows": "", "subject": ""}
    driven |= {"tells": False, "play": "Play"}
    signals = {"picked": 5 * word + capsule, "turn": 1}
    assert component(app, "scrubber") == [{"n": 10, "start": 3, "trained": 3, "signals": signals, **driven}]


def test_numbers_equal_those_of_the_trace(app):
    app.run()
    trace = texts.run(FIRST, "cpu", text_in_box(app), 10).first(10)
    table = tables(app)["cells"]
    assert table["c_ij"].to_numpy().tolist() == trace.inputs_to_capsules.coupling.ravel().tolist()
    (shading,) = component(app, "shading")
    capsule = int(app.number_input(key="capsule").value) - 1
    shares = trace.inputs_to_capsules.coupling[2, :, capsule]
    assert shading["shares"][2] == [pytest.approx(shares, abs=1e-4)]  # of the picked capsule alone


def test_the_address_picks_a_cell_and_an_example(app):
    for name, value in {"iterations": "7", "word": "2", "capsule": "3", "example": "Plain"}.items():
        app.query_params[name] = value
    app.run()
    assert component(app, "scrubber")[0]["n"] == 7
    assert component(app, "scrubber")[0]["signals"]["picked"] == 1 * 5 + 2
    assert text_in_box(app) == "A warm, funny and deeply moving film."


def test_a_shorter_text_resets_the_chosen_word(app):
    app.run()
    app.number_input(key="word").set_value(9).run()
    type_text(app, "Short.")
    assert not app.exception
    assert app.number_input(key="word").value in (1, 2)  # the word with the largest share of the two


def test_standard_and_reversed_routing_are_shown_side_by_side(app):
    app.run()
    app.toggle(key="beside").set_value(True).run()
    assert not app.exception
    assert len(component(app, "shading")) == 2
    assert titles(app)[:2] == [f"Coupling coefficients of {checkpoints.title(name)}" for name in (FIRST, "dragg-sst5")]
    assert [t for t in titles(open_tab(app, "Iterations")) if "Length" in t] == ["Length of each capsule"] * 2


@pytest.mark.parametrize("fault", [torch.OutOfMemoryError("full"), RuntimeError("CUBLAS_STATUS_ALLOC_FAILED")])
def test_a_failing_gpu_falls_back_to_the_cpu_and_is_tried_again(monkeypatch, fault):
    real, asked = texts.load, []

    def load(name, version, device):
        asked.append(device)
        if device == "cuda":
            raise fault
        return real(name, version, device)

    monkeypatch.setattr(texts, "load", load)
    for _ in range(2):
        trace = texts.run("dragg-sst5", "cuda", f"a film that falls back: {fault}")
        assert trace.device == "cpu"
        assert "ran on the CPU" in trace.notices[-1]
    assert asked == ["cuda", "cpu", "cuda"]


def test_a_broken_checkpoint_of_the_user_gives_one_sentence(app, tiny_folder):
    (tiny_folder / "metrics.json").write_text("{")
    checkpoints.survey.clear()
    app.run()
    assert not app.exception
    assert "tiny is left out" in app.warning[0].value.replace("\\", "")
    checkpoints.survey.clear()


def test_a_model_that_cannot_run_gives_one_sentence(app, monkeypatch):
    def broken(*_):
        raise RuntimeError("<b>first</b>\nsecond")

    monkeypatch.setattr(texts, "_run", broken)
    app.run()
    assert not app.exception
    assert app.error[0].value.replace("\\", "") == "This model could not run: <b>first</b>"


def test_a_link_to_another_text_is_dropped(app):
    app.query_params["text"] = "First text."
    app.run()
    assert text_in_box(app) == "First text."
    type_text(app, "Second text.")
    assert "text" not in app.query_params


def test_a_text_too_long_for_a_link_is_refused_in_one_sentence(app):
    type_text(app.run(), "word " * 3000)
    assert not app.exception
    assert component(app, "share") == [{"entries": {}, "refusal": "Too long for a link."}]


def made_up_table(sweep, seeds: int = 2) -> pd.DataFrame:
    """A table of a sweep with made-up accuracies; three iterations are best."""
    rows = [
        asdict(case) | {"test": 0.9 - 0.01 * abs(case.n_iters - 3) + 0.001 * case.seed} for case in sweep.cases(seeds)
    ]
    return pd.DataFrame(rows).assign(paper=0.876, d=100, trained_on=6228, tested_on=1821)


def test_measured_sweeps_are_compared_with_the_paper(app):
    for sweep in (aggregation, iterations):
        save_sweep(sweep.SWEEP.name, made_up_table(sweep))
    open_tab(app, "Measured")
    assert not app.exception
    assert titles(app)[-1] == "SST-2 by iterations and capsules"
    table = next(table.value for table in app.dataframe if "aggregation" in table.value)
    assert len(table) == 2 * (2 * 5 + 1)  # and standard routing with equal couplings in the first epoch
    standard = table[table["aggregation"] == "standard DR-AGG"].iloc[0]
    assert (standard["texts"], standard["trainings"], standard["paper"]) == ("SST-5", 2, 0.876)
    assert standard["mean"] == pytest.approx(0.9005)
    best = "Standard DR-AGG has the highest mean on SST-5 and SST-2. In the paper, max pooling has"
    assert any(best in c.value for c in app.caption)
    assert any("is 3 for 2 capsules, 3 for 3 capsules and 3 for 4 capsules." in c.value for c in app.caption)
    assert any(
        "instead of one change accuracy by +2.00 points" in c.value
        and "unpaired). The verdict: inconclusive." in c.value
        for c in app.caption
    )
    labels = download_labels(app)
    assert [label for label in labels if label.startswith("CSV")] == [
        *("CSV, cells", "CSV, iterations", "CSV, table 3", "CSV, what the paper claims", "CSV, figure 2")
    ]


def test_a_few_measured_trainings_give_no_conclusions(app):
    for sweep in (aggregation, iterations):
        table = made_up_table(sweep, seeds=1)
        rows = table[table["glove"]] if sweep is aggregation else table  # the claims are about these
        save_sweep(sweep.SWEEP.name, rows.head(3))
    open_tab(app, "Measured")
    assert not app.exception
    captions = [c.value for c in app.caption]
    assert any(c.startswith("Not measured yet: 63 of 66 trainings.") for c in captions)
    assert any(c.startswith("Not measured yet: 57 of 60 trainings.") for c in captions)
    assert any(c.startswith("Not measured yet: 17 of the 20 claims") for c in captions)
    concluded = ("Best on average", "best number of iterations", "instead of one gain")
    assert not any(words in c for c in captions for words in concluded)
    (table,) = [table.value for table in app.dataframe if "aggregation" in table.value]
    assert table["aggregation"].tolist() == ["max pooling", "average pooling", "self-attention"]


def test_without_a_sweep_the_page_names_the_commands(app):
    open_tab(app, "Measured")
    commands = [c.value for c in app.caption if "is not measured yet" in c.value]
    assert ["aggregation" in commands[0], "iterations" in commands[1], len(commands)] == [True, True, 2]


def test_device_and_text_are_part_of_the_cache_key():
    one = texts.run("dragg-sst5", "cpu", "one text")
    assert texts.run("dragg-sst5", "cpu", "another text").tokens != one.tokens
    assert texts.run("dragg-sst2", "cpu", "one text").classes != one.classes


def test_the_finding_names_the_framed_word_and_no_punctuation(app):
    type_text(app.run(), "This is not a good film. . . . !")
    i = int(app.number_input(key="word").value)
    assert "“.”" not in (sentence := component(app, "finding")[0]["sentences"][-1])
    assert f"“{['This', 'is', 'not', 'a', 'good', 'film'][i - 1]}”" in sentence
    app.number_input(key="word").set_value(3).run()
    assert all(s.startswith("Nothing is decided") or "“not”" in s for s in component(app, "finding")[0]["sentences"])


def test_words_unknown_to_the_network_are_marked(app):
    type_text(app.run(), "Le scénario est superbe.")
    (warning,) = app.warning
    assert warning.value.startswith("3 of 4 words are unknown to this network")
    assert component(app, "shading")[0]["unknown"] == [1, 2, 3]
    assert sum(caption.value.startswith("Dotted: ") for caption in app.caption) == 1


def test_an_edit_moves_neither_frame_nor_bars_of_the_network_beside(app):
    word, capsule = 10, 3
    app.query_params |= {"beside": "true", "word": str(word), "capsule": str(capsule), "edit": "replace:0=One more"}
    app.run()
    assert not app.exception
    signals = component(app, "scrubber")[0]["signals"]
    assert (signals["picked"], signals["picked_beside"]) == (word * 5 + capsule - 1, (word - 1) * 5 + capsule - 1)
    assert [bars["doses"] for bars in component(app, "verdict")] == [True, False]
    first, second = (json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")[:2])
    named = [{param["name"] for param in spec["params"]} for spec in (first, second)]
    assert named[0] - named[1] == {"picked", "dosed", "doses"}  # what a frame and a dose set is the first picture's


def test_the_tab_measured_tells_its_networks_from_that_of_the_page(app):
    open_tab(app, "Measured")
    (sentence,) = [text for text in shown_as_markdown(app) if "The network above is a different one" in text]
    assert "**51.7%**" in sentence
    assert "every labelled phrase" in sentence
