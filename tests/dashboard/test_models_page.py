"""The Models page without a browser, and the files in a checkpoint's folder that it reads."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from core import RoutingClassifier
from dashboard.figures import models as figures
from dashboard.figures.chart import sheet_as_chart
from dashboard.jobs import measuring
from dashboard.jobs.measuring import Measurement
from dashboard.pages.models.overview import summarize
from dashboard.public import VARIABLE
from dashboard.runs import checkpoints, loaded
from dashboard.runs.files import model_files
from dashboard.screen.measuring import how_to_measure
from dashboard.sessions import models
from dashboard.sessions.models import SessionModels
from tests.archives import FILES, change_config, change_tensors, zipped
from tests.core.fit.files import reviews
from tests.core.measured.evidence.samples import EVIDENCE
from tests.dashboard.app import component, leaks, open_app, open_tab, shown_as_markdown, titles
from tests.dashboard.conftest import METRICS

HISTORY = [
    {"step": 10 * k, "train_loss": 1 / k, "train_accuracy": 0.5, "dev_loss": 1.0, "dev_accuracy": 0.4 + 0.1 * (k == 2)}
    for k in (1, 2, 3)
]
SCORES = {"test": {"accuracy": 0.5, "n": 2210}, "paper": {"accuracy": 0.51, "source": "a table"}}


@pytest.fixture
def folder(add_model):
    """The folder of a network, with every file that it can hold."""
    folder = add_model("dragg", metrics={"parameters": 1234, **SCORES, "training": {"history": HISTORY, "seed": 7}})
    (folder / "README.md").write_text("# tiny\n\nIts card.\n")
    (folder / "evidence.json").write_text(json.dumps(EVIDENCE | {"weights": checkpoints.about("tiny").sha256}))
    return folder


@pytest.fixture
def app(folder):
    app = open_app("models")
    app.query_params["checkpoint"] = "tiny"
    return app


def test_first_screen(app):
    app.run()
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "tiny"
    assert [chart.proto.alt[:13] for chart in app.get("vega_lite_chart")] == ["Test accuracy"]
    shown = " ".join(shown_as_markdown(app))
    assert f"{21 - len(checkpoints.waiting()[0])} networks" in shown
    assert app.code[0].value == "# tiny\n\nIts card."
    assert "None" not in shown


@pytest.mark.parametrize(
    "name", ["Training", "Evidence", "Files", "All models", "Train on my data", "Your transformer"]
)
def test_every_tab_can_be_opened(app, folder, name, monkeypatch):
    monkeypatch.setenv(VARIABLE, "1")
    open_tab(app.run(), name)
    assert not app.exception
    assert (
        name in ("Train on my data", "Your transformer") or next(tab for tab in app.tabs if tab.label == name).dataframe
    )
    shown = [*shown_as_markdown(app), *(text.value for text in app.text)]
    assert not any(re.search(r"(?<!\\)\{\w+\}", text) for text in shown)
    assert not leaks(app, folder.parent)


def test_a_warning_names_a_folder_that_is_left_out(app, folder):
    (folder.parent / "odd").mkdir()
    (folder.parent / "odd" / "config.json").write_text("{")
    checkpoints.survey.clear()
    (sentence,) = [warning.value for warning in app.run().warning]
    assert sentence.replace("\\", "").startswith("odd is left out: config.json cannot be read as JSON")


@pytest.mark.parametrize("page", ["models", "evidence"])
def test_a_folder_that_is_removed_at_run_time_is_skipped(folder, page):
    assert "tiny" in checkpoints.known()
    folder.rename(folder.with_name("other"))
    app = open_app(page)
    app.query_params["checkpoint"] = "tiny"
    app.run()
    assert not app.exception
    assert "tiny" not in checkpoints.known()


def test_a_folder_without_a_setting_has_no_twin(folder, add_model):
    other = add_model("dragg", name="other", normalize="input")
    assert checkpoints.twin("tiny") == "other"
    config = json.loads((other / "config.json").read_text())
    del config["model"]["normalize"]
    (other / "config.json").write_text(json.dumps(config))
    checkpoints.survey.clear()
    assert checkpoints.twin("tiny") is None


def test_the_history_of_a_training_is_drawn(app):
    open_tab(app.run(), "Training")
    assert [chart.proto.alt for chart in app.get("vega_lite_chart")][1:] == ["Accuracy", "Loss"]
    open_tab(app, "Card")
    app.selectbox(key="checkpoint").set_value("dragg-sst5").run()
    open_tab(app, "Training")
    assert not app.exception


def test_settings_and_sizes_have_readable_names_and_values(app, add_model):
    schedule = {"lr": 0.0007, "chosen_after": 1, "kept": [], "shares": [0.1, 0.25]}
    training = {"dev_accuracy": 0.5140781108083561, "schedule": schedule}
    add_model("dragg", metrics={"parameters": 1234, **SCORES, "training": training})
    table = open_tab(app.run(), "Training").dataframe[0].value.set_index("setting")["value"]
    assert table.to_dict() == {
        "accuracy on the dev split when the weights were chosen": "0.5141",
        "largest learning rate": "0.0007",
        "epochs whose weights are not chosen": "1",
        "shares": "0.1, 0.25",
    }
    settings, sizes = (table.value for table in open_tab(app, "Files").dataframe)
    assert settings.columns.tolist() == ["setting of the network", "value"]
    assert sizes.columns.tolist() == ["file", "bytes"]
    assert "0" not in sizes["bytes"].tolist()


def test_the_history_and_the_sizes_of_files_are_read(folder):
    files = model_files("tiny")
    assert files.history["step"].tolist() == [10, 20, 30]
    assert set(FILES) < set(files.sizes)


def test_the_evidence_is_shown_in_words_and_in_tables(app):
    open_tab(app.run(), "Evidence")
    shown = " ".join(shown_as_markdown(app))
    assert "Deleting the words that the picture ranks highest costs the answer 20.0 points" in shown
    rankings, accuracies = (table.value for table in app.dataframe)
    assert rankings.iloc[0].tolist() == [
        "share for the dominant capsule",
        "20.0 (18.0 to 22.0)",
        "+10.0 (+8.0 to +12.0)",
        "20.0 (18.0 to 22.0)",
        "0.20 (0.18 to 0.22)",
    ]
    by_name = accuracies.set_index("the network")
    assert by_name.loc["couplings: shuffled"].tolist() == ["43.0 (41.0 to 45.0)", "-10.0 (-12.0 to -8.0)", ""]
    assert by_name.loc["without capsule 3", "within chance"] == "yes"
    assert app.code[0].value == EVIDENCE["command"]
    app.session_state["deleted"] = "removed"
    assert "costs the answer 10.0 points" in " ".join(shown_as_markdown(app.run()))


def test_without_evidence_the_page_names_the_command(upload):
    app = open_tab(upload(), "Evidence")
    (sentence,) = [text.value for text in app.markdown if "has not been measured" in text.value]
    assert "python -m core evidence my-net --data DIR" in sentence
    assert "Save the network first" in sentence


def test_the_evidence_of_an_upload_is_shown_and_is_no_markup(upload, folder):
    stored = json.loads((folder / "evidence.json").read_text())
    stored["phrases"]["caveat"] = "<img src=x> **b** [c](http://x.y)"
    stored["couplings"]["<b>odd</b>"] = stored["couplings"]["shuffled"]
    app = open_tab(upload(lambda files: files | {"evidence.json": json.dumps(stored)}), "Evidence")
    assert len(app.dataframe) == 2
    assert not any(re.search(r"(?<!\\)<", text) for text in shown_as_markdown(app))
    page = open_app("evidence")
    page.query_params |= {"measure": "Couplings", "checkpoint": "my-net"}
    open_tab(page, "In words")
    assert not page.exception
    assert not any(re.search(r"(?<!\\)<", text) for text in shown_as_markdown(page))


STATED = {"parameters": 1, "test": {"accuracy": 0.991, "n": 2210}, "paper": {"accuracy": 0.5}, "training": {}}


def test_numbers_stated_in_an_archive_are_marked_as_not_checked(upload, folder):
    evidence = json.loads((folder / "evidence.json").read_text())
    before = summarize()  # the summary without the upload
    app = upload(lambda files: files | {"metrics.json": json.dumps(STATED), "evidence.json": json.dumps(evidence)})
    shown = " ".join(shown_as_markdown(app))
    assert before.partition(". ")[2] in shown.replace("\\", "")
    assert f"{22 - len(checkpoints.waiting()[0])} networks" in shown
    assert (
        "Stated in the archive, not checked: test accuracy 99.1% (95% interval 98.6% to 99.4%). In the paper: " in shown
    )
    assert "○ stated in the archive, not checked" in shown
    assert "Stated in the archive, not checked" in " ".join(shown_as_markdown(open_tab(app, "Evidence")))
    assert "All of this is stated in the archive, not checked." in shown_as_markdown(open_tab(app, "Training"))
    row = open_tab(app, "All models").dataframe[0].value.set_index("name").loc["my-net"]
    assert np.isnan(row["ours"])
    assert row["stated"] == pytest.approx(99.1)
    assert pd.isna(row["verdict"])
    page = open_app("evidence")
    page.query_params["checkpoint"] = "my-net"
    page.run()
    drawn = page.get("arrow_vega_lite_chart") or page.get("vega_lite_chart")
    assert "datum.stated" in drawn[0].proto.spec
    card, own = component(page, "scorecard")
    assert own["rows"][0]["small"].endswith(", stated in the archive, not checked")
    standard = next(row for row in card["rows"] if row["name"] == "Standard dynamic routing")
    assert standard["small"] == "8 networks"  # the shipped ones and "tiny": what is only stated does not count


def test_one_click_measures_what_an_archive_states(upload, trees, monkeypatch):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(trees.parent))
    measurement = Measurement()
    monkeypatch.setattr(measuring, "measurement", lambda: measurement)
    app = upload(lambda files: files | {"metrics.json": json.dumps(STATED)})
    app.button(key="measure accuracy").click().run()
    assert measurement.job is None or measurement.job.wait(120)
    assert not measurement.failed
    app.run()
    shown = " ".join(shown_as_markdown(app))
    assert re.search(r"Test accuracy \d+\.0% .*, measured here; 99\.1% is stated in the archive, not checked", shown)
    assert "measure accuracy" not in [button.key for button in app.button]
    row = open_tab(app, "All models").dataframe[0].value.set_index("name").loc["my-net"]
    assert row["ours"] in (0, 25, 50, 75, 100)  # the accuracy on four sentences
    assert "stated" not in app.dataframe[0].value or np.isnan(row["stated"])


def test_a_badge_from_few_texts_leaves_the_evidence_to_measure(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path / "nothing"))
    file = folder / "evidence.json"
    stored = json.loads(file.read_text())
    assert stored["command"].endswith(f"--limit {measuring.FEW}")
    assert measuring.unmeasured("tiny") == ["evidence"]
    file.write_text(json.dumps(stored | {"command": "python -m core evidence tiny --limit 2210"}))
    assert measuring.unmeasured("tiny") == []
    file.unlink()
    assert measuring.unmeasured("tiny") == ["badge", "evidence"]
    app = open_app("models")
    app.query_params["checkpoint"] = "tiny"
    app.session_state["badge"] = True  # opens it
    shown = " ".join(shown_as_markdown(app.run()))
    assert "Nobody has measured yet" in shown
    assert shown.count("of this network cannot be measured here") == 2  # in the open badge, and on the page
    assert not app.exception


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({}, "SST-5, which it was trained on, is not on this server."),
        ({"corpus": "mine"}, "It was trained on texts that this program does not have."),
        ({"classes": list("abcde")}, "Its classes are not those of SST-5."),
    ],
)
def test_a_caption_says_why_a_network_cannot_be_measured(upload, tmp_path, monkeypatch, config, why):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path / "nothing"))
    app = upload(lambda files: change_config(files, **config))
    assert not any(button.key.startswith("measure") for button in app.button if button.key)
    (caption,) = [caption.value for caption in app.caption if "cannot be measured here" in caption.value]
    assert (
        caption.replace("\\", "") == f"The accuracy, badge and evidence of this network cannot be measured here. {why}"
    )


@pytest.mark.parametrize("history", [None, 3, "x", [], [1], [{}], [{"step": "a"}], [{"step": 1, "train_loss": None}]])
def test_a_malformed_history_is_empty(add_model, history):
    add_model("dragg", metrics=METRICS | {"training": {"history": history}})
    assert not len(model_files("tiny").history)


def test_the_figures_are_valid():
    numbers = {"ours": [0.5, np.nan], "low": [0.4, np.nan], "high": [0.6, np.nan], "paper": [np.nan, 0.3]}
    numbers |= {"stated": [np.nan, 0.9], "stated_low": [np.nan, 0.8], "stated_high": [np.nan, 1.0]}
    names = {"name": ["a", "<b>"], "title": ["A", "<b>"], "texts": ["SST-5", "mine"]}
    table = pd.DataFrame(names | numbers | {"parameters": [10, 20], "megabytes": [1.0, 2.0]})
    history = pd.DataFrame(HISTORY)
    charts = {"all": figures.accuracies(table, "a")} | {w: figures.history(history, w) for w in ("loss", "accuracy")}
    sheet_as_chart(charts)  # raises if a figure breaks Vega-Lite's schema
    nothing_stated = figures.accuracies(table.assign(stated=np.nan, stated_low=np.nan), "a")
    assert len(nothing_stated.spec["layer"]) == len(charts["all"].spec["layer"]) - 2
    rule = charts["loss"].spec["layer"][1]["data"]["values"]
    assert rule == [{"step": 20.0}]  # the best on the dev split


@pytest.fixture
def upload(app, folder, monkeypatch):
    """A function that uploads the files of the tiny network, after a change, in a session that ends with the test."""
    session = SessionModels()
    monkeypatch.setattr(models, "_session_models", lambda: session)
    files = {name: (folder / name).read_bytes() for name in FILES}

    def upload(change=lambda files: files, name="my net.zip"):
        app.file_uploader(key="model").upload(name, zipped(change(files)), "application/zip").run()
        assert not app.exception
        return app

    app.run()
    return upload


@pytest.mark.parametrize(("file", "name"), [("my net.zip", "my-net"), ("my___model__.zip", "my___model__")])
def test_an_uploaded_model_is_chosen_and_runs_on_its_page(upload, file, name):
    app = upload(name=file)
    assert app.selectbox(key="checkpoint").value == name
    assert not app.error
    page = open_app("routing")
    page.query_params["checkpoint"] = name
    page.run()
    assert not page.exception
    assert titles(page)[0].startswith("Coupling coefficients of Standard dynamic routing ")


def test_an_error_names_the_first_wrong_tensor_of_a_broken_model(upload):
    app = upload(lambda files: change_tensors(files, lambda tensors: tensors.pop("vote.weight")))
    (error,) = app.error
    assert error.value.replace("\\", "") == "weights.safetensors: tensor vote.weight is missing"
    assert app.selectbox(key="checkpoint").value == "tiny"


def test_what_a_training_on_own_texts_measured_is_not_offered_again(add_model, monkeypatch):
    folder = add_model("dragg")
    stated = {"test": {"accuracy": 0.9, "n": 20}}
    (folder / "metrics.json").write_text(json.dumps(json.loads((folder / "metrics.json").read_text()) | stated))
    (folder / "data.json").write_text(json.dumps({"examples": ["a warm film", 3], "labels": ["good"]}))
    checkpoints.survey.clear()
    assert checkpoints.about("tiny").labels == {"a warm film": "good"}
    measured = type("Measured", (), {"command": f"python -m core evidence tiny --data FILE --limit {measuring.FEW}"})
    for evidence, missing in ((measured, []), (None, ["badge", "evidence"])):
        monkeypatch.setattr(measuring, "evidence_of", lambda name, evidence=evidence: evidence)
        assert measuring.unmeasured("tiny") == missing
    assert measuring.reason_not_to_measure("tiny").startswith("It learned from a file that is not kept")
    assert how_to_measure("tiny").endswith(
        "of the file that it learned from: `python -m core evidence tiny --data FILE`."
    )


def test_an_uploaded_card_is_shown_as_typed(upload):
    app = upload(lambda files: files | {"README.md": b"# x\n\n<script>a</script> **b** [c](http://x.y)"})
    assert not any("script" in text for text in shown_as_markdown(app))
    assert "<script>" in app.code[0].value
    assert any("This card comes from the archive" in caption.value for caption in app.caption)


def test_a_card_of_the_user_is_shown_as_typed_and_fetches_nothing(app, folder):
    (folder / "README.md").write_text("![x](http://elsewhere.example/x.png)")
    app.run()
    assert not any("elsewhere" in text for text in shown_as_markdown(app))
    assert "elsewhere" in app.code[0].value


@pytest.mark.parametrize("data", [{"a": [1]}, 5, None])
def test_odd_metrics_raise_no_exception(upload, data):
    odd = {"history": 3, "data": data, "schedule": [1], "seed": None, "<b>": "**x**"}
    metrics = {"parameters": 0, "test": {"accuracy": 0.5, "n": 0}, "paper": {"accuracy": 1.0, "source": [1]}}
    app = upload(lambda files: files | {"metrics.json": json.dumps(metrics | {"training": odd})})
    assert app.selectbox(key="checkpoint").value == "my-net"
    for tab in ("Training", "Files", "All models", "Evidence"):
        assert not open_tab(app, tab).exception


def test_an_uploaded_model_is_saved_and_removed(upload, folder):
    app = upload()
    app.button(key="save my-net").click().run()
    assert (folder.parent / "my-net" / "config.json").is_file()
    assert app.selectbox(key="checkpoint").value == "my-net"
    app.file_uploader(key="model").upload("other.png", zipped({"a": b""}), "image/png").run()
    assert "has no config.json" in app.error[0].value
    assert any(str(folder.parent / "my-net") in text.value for text in app.text)
    app.button(key="delete my-net").click().run()
    assert not app.exception
    assert not (folder.parent / "my-net").exists()
    assert app.selectbox(key="checkpoint").value != "my-net"


def test_a_visitor_of_a_public_server_changes_nothing_on_it(upload, folder, monkeypatch, trees):
    monkeypatch.setenv(VARIABLE, "1")
    monkeypatch.setenv("ROUTESCOPE_DATA", str(trees.parent))
    (folder.parent / "odd").mkdir()
    (folder.parent / "odd" / "config.json").write_text("{")
    checkpoints.survey.clear()
    app = upload()
    assert [button.key for button in app.button if button.key in ("save my-net", "remove my-net")] == ["remove my-net"]
    assert "measure accuracy" in [button.key for button in app.button]
    app.selectbox(key="checkpoint").set_value("tiny").run()  # measurements would be written into its folder
    assert not any(button.key.startswith(("measure", "delete")) for button in app.button if button.key)
    assert not app.warning
    assert not leaks(app, folder.parent)
    measurement = Measurement()
    measurement.start("evidence", "tiny", "cpu")
    assert measurement.job is None


def test_a_measurement_runs_on_the_chosen_device(upload, trees, monkeypatch):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(trees.parent))
    monkeypatch.setattr(loaded, "devices", lambda: {"cuda": "GPU", "cpu": "CPU"})
    started = []
    monkeypatch.setattr(Measurement, "start", lambda measurement, *what: started.append(what))
    app = upload(lambda files: files | {"metrics.json": json.dumps(STATED)})
    app.session_state["settings"] = True
    app.run().selectbox(key="device").set_value("cpu").run()
    app.button(key="measure accuracy").click().run()
    assert started == [("accuracy", "my-net", "cpu")]


def test_titles_of_two_networks_are_no_markup(add_model):
    for name, normalize in (("tiny", "output"), ("other", "input")):
        file = add_model("dragg", name=name, normalize=normalize) / "config.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"corpus": "**b** <img src=x>"}))
    checkpoints.survey.clear()
    page = open_app("routing")
    page.query_params.update(checkpoint="tiny", beside="true")
    page.run()
    assert not page.exception
    shown = [text for text in shown_as_markdown(page) if "img src=x" in text]
    assert len(shown) >= 2
    assert not any(re.search(r"(?<!\\)<|(?<!\\)\*\*b", text) for text in shown)


def test_a_classifier_that_was_saved_from_python_is_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    texts, labels = zip(*reviews(), strict=True)
    RoutingClassifier("windows", "words", epochs=1, device="cpu").fit(texts, labels).save("mine")
    checkpoints.survey.clear()
    app = open_app("models")
    app.query_params["checkpoint"] = "mine"
    app.run()
    assert "Trained on 54 texts given in Python; 6 others chose the weights." in " ".join(shown_as_markdown(app))
    for tab in ("Training", "Evidence", "Files"):
        open_tab(app, tab)
        assert not app.exception
        assert app.selectbox(key="checkpoint").value == "mine"
    checkpoints.survey.clear()
