"""The tab that trains a network on a user's own texts: the file, the training in the background, and its results."""

import io
import json

import numpy as np
import pytest

from core import explain, zoo
from core.__main__ import main
from core.fit.baselines import FITTING, LINEAR
from core.fit.columns import Columns
from core.fit.data import read
from dashboard.figures.chart import sheet_as_chart
from dashboard.figures.learning import learning
from dashboard.jobs import own_choices, own_texts, own_upload
from dashboard.jobs.own_choices import FitOrder
from dashboard.jobs.own_texts import FitJob
from dashboard.jobs.own_upload import OwnUpload
from dashboard.pages.models import own_results
from dashboard.pages.models.texts import CURVES, NO_SHARES
from dashboard.public import VARIABLE
from dashboard.runs import checkpoints, own_file
from dashboard.runs.files import packer
from dashboard.runs.own_file import WrongText
from dashboard.screen.labels import OPENED_LABEL
from dashboard.sessions import models
from dashboard.sessions.models import BUILT_IN, SessionModels
from tests.core.fit.files import reviews, write_rows
from tests.dashboard.app import leaks, open_app, open_tab, shown_as_markdown, titles
from tests.dashboard.coroutines import throw

TAB = "Train on my data"
BAR = "{}:  50%|█████     | 5/10 [00:01<00:01,  1.0it/s]"


@pytest.fixture
def session(monkeypatch):
    """The training of a session that ends with the test."""
    session, training, upload = SessionModels(), FitJob(), OwnUpload()
    monkeypatch.setattr(models, "_session_models", lambda: session)
    for module in (own_texts, checkpoints):
        monkeypatch.setattr(module, "session_models", lambda: session)
    monkeypatch.setattr(own_texts, "fit_job", lambda: training)
    monkeypatch.setattr(own_upload, "own_upload", lambda: upload)
    yield training
    for owned in (training, upload, session):
        owned.close()


@pytest.fixture
def file(tmp_path):
    return write_rows(tmp_path / "reviews.csv", reviews())


@pytest.fixture
def app(session, file):
    """The tab with an uploaded file."""
    app = open_app("models")
    open_tab(app, TAB)
    return upload(app, "reviews.csv", file.read_bytes())


def upload(app, name, content):
    """Upload a file in the tab, and rerun the page."""
    app.file_uploader(key="own texts").upload(name, content, "text/csv").run()
    assert not app.exception
    return app


def train_briefly(monkeypatch):
    """Let trainings end after two epochs."""
    options = FitOrder.options
    monkeypatch.setattr(FitOrder, "options", lambda *args: [*options(*args), "--epochs", "2"])


def finish(app, training):
    """Wait until the training has ended, and rerun the page."""
    assert training.job.wait(240)
    assert not training.failed
    app.run()
    assert not app.exception
    return app


def test_a_network_is_trained_on_a_file_and_opens_in_its_page(app, session, monkeypatch):
    train_briefly(monkeypatch)
    monkeypatch.setattr(own_results, "N_BUTTONS", 1)  # a table of the mistakes if there are two
    rows, labels = (table.value for table in app.dataframe[-2:])
    assert rows["text"].tolist()[0] == "a warm film about number 0"
    assert dict(zip(labels["label"], labels["texts"], strict=True)) == {"bad": 30, "good": 30}
    assert any("60 texts with 2 labels: 42 to train on, 6" in text.replace("\\", "") for text in shown_as_markdown(app))
    app.selectbox(key="encoder of reversed").set_value("bilstm")
    app.text_input(key="own name").set_value("my *stars*").run()
    app.button(key="train own").click().run()
    assert not app.exception
    assert app.button(key="train own").disabled
    assert app.button(key="compare own").disabled
    assert not app.button(key="cancel own").disabled
    finish(app, session)
    (trained,) = session.trained
    assert trained.name == "my-stars"
    check_results(app, trained)
    check_archive(trained.name)


def check_results(app, trained):
    """Check what the tab shows about a trained network."""
    assert trained.name in checkpoints.known()
    about = checkpoints.about(trained.name)
    (scores,) = [text for text in shown_as_markdown(app) if text.startswith("| network or")]
    assert f"| my-stars | {about.metrics.test.accuracy:.1%}" in scores.replace("\\", "")
    assert "TF-IDF + logistic regression" in scores.replace("\\", "")
    assert any(about.metrics.conclusion in text.replace("\\", "") for text in shown_as_markdown(app))
    assert set(CURVES.values()) <= set(titles(app))
    assert "Download" in [button.proto.label for button in app.get("download_button")]
    wrong = [button for button in app.button if (button.key or "").startswith("wrong")]
    assert len(wrong) == min(trained.n_wrong, own_results.N_BUTTONS)
    lengths = [len(table.value) for table in app.dataframe if "rests on" in table.value]
    assert lengths == [min(trained.n_wrong, own_texts.N_WRONG)] * (trained.n_wrong > own_results.N_BUTTONS)
    assert trained.n_wrong == round((1 - about.metrics.test.accuracy) * about.metrics.test.n)


def check_archive(name):
    """Check that the archive of a network can be added, and answers as the network does."""
    again = models.add_upload(io.BytesIO(packer(name)()), "again.zip")
    first, second = (
        explain(zoo.load_folder(checkpoints.folder_of(one), "cpu"), "a warm film") for one in (name, again)
    )
    assert first.answer == second.answer


def test_routings_are_compared_and_one_is_advised(app, session, monkeypatch):
    train_briefly(monkeypatch)
    app.multiselect(key=f"compared over {BUILT_IN}").set_value(["windows"]).run()
    assert app.button(key="compare own").disabled
    app.selectbox(key="own routing").set_value("attention").run()
    app.selectbox(key="encoder of attention").set_value("words").run()
    assert app.multiselect(key="compared over words").options == ["Attention with gates", "Windows of words"]
    app.multiselect(key="compared over words").set_value(["attention", "windows"]).run()
    app.button(key="compare own").click().run()
    finish(app, session)
    assert [one.name for one in session.trained] == ["my-network-attention", "my-network-windows"]
    (table,) = [table.value for table in app.dataframe if "its picture" in table.value]
    names = table["routing or simpler model"].tolist()
    assert names[:2] == ["Attention with gates", "Windows of words"]
    assert names[2:] == ["Most frequent label", "TF-IDF + logistic regression"]
    assert "the best" in table["minus the best, points"].tolist()
    assert app.info[0].value.startswith("Take ")
    links = [button for button in app.get("download_button") if button.proto.label == "Download"]
    assert len(links) >= 2


def test_a_wrong_text_opens_in_the_page_of_its_network(session, add_model, monkeypatch):
    add_model("dragg")
    text = "<b>a</b> film that *moves*"
    session.trained = [own_texts.OwnTrained("reversed", "tiny", 1, [WrongText(text, "<i>good</i>", "*bad*")])]
    app = open_app("models")
    open_tab(app, TAB)
    (button,) = [button for button in app.button if (button.key or "").startswith("wrong")]
    assert "<" not in button.label.replace("\\<", "")
    assert button.label.replace("\\", "").endswith("(labelled <i>good</i>, answered *bad*)")
    button.click().run()
    assert app.session_state["opened row"] == text
    assert app.session_state[OPENED_LABEL] == ("tiny", text, "<i>good</i>")


def test_windows_have_no_curve_of_shares(session):
    session._curves = {"Windows of words": [{"step": 1, "train_loss": 1.0, "dev_accuracy": 0.5, "evenness": None}]}
    app = open_app("models")
    open_tab(app, TAB)
    assert NO_SHARES in [caption.value for caption in app.caption]
    assert list(CURVES.values())[2] not in titles(app)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.csv", b"text\na\n", "a.csv has one column, wanted two"),
        ("a.csv.gz", b"", "a.csv.gz is packed"),
        ("a.xlsx", b"PK", "a.xlsx is a spreadsheet"),
        ("a.csv", b"text,label\na,b\n", "All texts have the label 'b'"),
        ("a.csv", b"text,label\n" + b"<i>x</i>,<b>y</b>\nz,w\n", "The label '<b>y</b>', first in row 1, occurs once"),
        ("a.jsonl", b'{"text": "a", "la\\u0000bel": "b"}\n', "The name of a column holds a character"),
    ],
)
def test_a_file_that_cannot_be_trained_on_gives_one_sentence(session, monkeypatch, tmp_path, name, content, why):
    monkeypatch.setenv(VARIABLE, "1")
    app = upload(open_tab(open_app("models"), TAB), name, content)
    (error,) = app.error
    assert error.value.replace("\\", "").startswith(why)
    assert not [button for button in app.button if button.key == "train own"]
    assert not leaks(app, tmp_path)


def test_a_file_that_holds_too_much_for_a_training_is_refused(file, monkeypatch):
    monkeypatch.setattr(own_file, "MAX_ROWS", 59)
    with pytest.raises(ValueError, match="which trains on at most 20,000 rows"):
        own_file.look_at(file, "review", "stars")


def test_sorted_labels_can_still_be_chosen(tmp_path):
    rows = [(f"text {k}", "ab"[k > 1500]) for k in range(1600)]
    columns = own_file.guess_columns(write_rows(tmp_path / "a.csv", rows, ("one", "two")))
    assert (columns.text, columns.label) == ("one", "two")


def test_an_upload_replaces_the_one_before_and_is_deleted(session, file):
    kept = own_upload.own_upload()
    kept.keep("a.csv", file.read_bytes())
    first = kept.path
    assert sum(kept.look("review", "stars").counts.values()) == 60
    kept.keep("a.csv", write_rows(file, reviews(80)).read_bytes())
    assert not first.exists()
    assert sum(kept.look("review", "stars").counts.values()) == 80
    kept.close()
    assert not kept.path.exists()


def test_a_cancelled_training_of_own_texts_leaves_nothing(session, file):
    session.start(file, FitOrder("review", "stars", ("reversed",), "bilstm", "mine"), "cpu")
    assert session.runs
    session.cancel()
    assert not session.runs
    assert not session.take()
    assert not list(session._folder.iterdir())


@pytest.fixture
def one_of_two(session, file, monkeypatch):
    """A comparison of two routings, of which one has finished when its job is cancelled or fails."""
    session._file = session._folder / ".texts" / "reviews.csv"
    session._file.parent.mkdir()
    session._file.write_bytes(file.read_bytes())
    options = ["--encoder", "words", "--compare", "attention", "--json", str(session._folder / ".compared.json")]
    options += ["--out", "mine", "--routing", "windows", "--epochs", "1", "--evidence", "0", "--device", "cpu"]
    with monkeypatch.context() as while_training:
        while_training.setenv("ROUTESCOPE_MODELS", str(session._folder))
        assert main(["fit", str(session._file), *options]) == 0
    session.order = FitOrder("review", "stars", ("attention", "windows"), "words", "mine")
    return session


@pytest.mark.parametrize(("failure", "why"), [("", "you cancelled it"), ("the disk is full", "the disk is full")])
def test_a_comparison_that_ends_early_keeps_what_has_finished(one_of_two, failure, why):
    one_of_two.job = type("Ended", (), {"runs": False, "failed": failure, "cancel": lambda job: None})()
    if not failure:
        one_of_two.cancel()
    app = open_tab(open_app("models"), TAB)
    assert [one.routing for one in one_of_two.trained] == ["attention"]
    (warning,) = app.warning
    assert warning.value.replace("\\", "") == f"Not trained: Windows of words. The comparison stopped early: {why}"
    assert not app.error
    (table,) = [table.value for table in app.dataframe if "its picture" in table.value]
    assert table["accuracy"].tolist()[0].endswith("%)")
    assert "mine-attention" in checkpoints.known()


def test_the_form_says_how_long_a_training_takes(app, monkeypatch):
    monkeypatch.setattr(own_choices, "busy", lambda: 1.0)
    monkeypatch.setattr(own_choices, "workers", lambda: 2)
    app.run()
    (takes, compared) = [caption.value for caption in app.caption if caption.value.startswith("This takes")]
    assert takes.startswith("This takes less than a minute, from the file")
    assert "Reversed dynamic routing: each capsule divides its attention among the words." in takes
    assert "only the routing learns" in takes
    assert len(compared) < len(takes)
    monkeypatch.setattr(own_choices, "busy", lambda: 10.0)
    assert any("This takes about 4 minutes" in caption.value for caption in app.run().caption)


def test_a_busy_machine_takes_longer(monkeypatch):
    monkeypatch.setattr(own_choices.os, "cpu_count", lambda: 2)
    for load, times in ((0.5, 1.0), (5.0, 3.0)):
        monkeypatch.setattr(own_choices.os, "getloadavg", lambda load=load: (9.0, load, 9.0))
        assert own_choices.busy() == times


def test_the_time_of_an_unknown_transformer_is_not_said(monkeypatch):
    monkeypatch.setattr(own_choices, "BUILT_IN", "")
    assert not own_choices.duration(100, 2_000, ["reversed"], "/models/large")


def test_a_page_says_that_an_answer_differs_from_the_files_label(session, add_model):
    name = add_model("dragg").name
    app = open_app("routing")
    app.query_params["checkpoint"] = name
    app.session_state[OPENED_LABEL] = (name, "a *warm* film", "<b>none</b>")
    app.session_state["typed"], app.session_state["typed_by_user"] = "a *warm* film", True
    app.run()
    (said,) = [caption.value for caption in app.caption if "labels this text" in caption.value]
    assert said.replace("\\", "").startswith("Your file labels this text “<b>none</b>”. The network answers “")
    assert "<" not in said.replace("\\<", "")


def test_a_training_on_own_texts_that_ended_early_says_why(session, file):
    session.start(file, FitOrder("review", "nothing", ("reversed",), "bilstm", "mine"), "cpu")
    assert session.job.wait(120)
    assert "reviews.csv has no column 'nothing'" in session.failed
    assert not session.take()


def test_a_session_with_many_networks_trains_no_other_one(session, file, monkeypatch):
    monkeypatch.setattr(models, "MAX_UPLOADS", 2)
    order = FitOrder("review", "stars", ("em", "kmeans", "reversed"), BUILT_IN, "mine")
    with pytest.raises(ValueError, match="This session holds 0 models already: remove one"):
        session.start(file, order, "cpu")


def test_progress_of_own_texts_is_read_from_the_bars(session, monkeypatch):
    session.order = FitOrder("review", "stars", ("em", "kmeans"), BUILT_IN, "mine")
    session._file = session._folder / ".texts" / "reviews.csv"
    log = session._folder / ".log"
    assert session.state == (0.0, "EM routing (1 of 2), starting")
    log.write_text(BAR.format("hidden states"))
    assert session.state == (0.05, "EM routing (1 of 2), reading the texts, 5 of 10 batches")
    log.write_text(BAR.format("mine-em-seed-0"))
    assert session.state == (pytest.approx(0.15), "EM routing (1 of 2), step 5 of at most 10")
    (session._folder / "mine-em").mkdir()
    (session._folder / "mine-em" / "weights.safetensors").touch()
    assert session.state == (0.2, "EM routing (1 of 2), testing it on the other texts")
    log.write_text(BAR.replace("{}: ", "").format())
    assert session.state == (pytest.approx(0.2125), "EM routing (1 of 2), testing it on the other texts, 5 of 10")
    log.write_text(BAR.format(f"{FITTING}{LINEAR}"))
    phrase = "comparing it with simpler models: fitting TF-IDF + logistic regression (5 of 10 steps), then the test"
    assert session.state == (pytest.approx(0.2375), f"EM routing (1 of 2), {phrase} of its picture")
    (session._folder / "mine-em" / "evidence.json").write_text(json.dumps({}))
    (session._folder / "mine-kmeans").mkdir()
    (session._folder / "mine-kmeans" / "weights.safetensors").touch()
    log.write_text(BAR.format("mine-kmeans"))
    assert session.state == (0.875, "K-means routing (2 of 2), testing its picture, 5 of 10 texts")


def test_only_encoders_that_a_routing_reads_are_offered():
    offered = {key: own_choices.encoders_of(key) for key in own_choices.routings()}
    assert offered["em"] == [BUILT_IN]
    assert offered["windows"] == ["words"]
    assert offered["reversed"] == [BUILT_IN, "bilstm"]
    assert own_choices.comparable(BUILT_IN) == list(offered)
    assert own_choices.comparable("bilstm") == ["reversed", "standard", "kmeans"]


def test_a_full_disk_gives_one_sentence_in_the_tab(session, file, monkeypatch):
    app = open_tab(open_app("models"), TAB)
    monkeypatch.setattr(own_upload, "write", lambda *_: throw(OSError(28, "No space left on device")))
    upload(app, "reviews.csv", file.read_bytes())
    assert app.error[0].value.startswith("The disk of this server is full.")


def test_wrong_texts_are_as_in_the_file(tmp_path):
    rows = [(f"It  is <b>n't</b> *a* film ,  number {k}!", "ab"[k % 2]) for k in range(60)]
    path = write_rows(tmp_path / "a.csv", rows, ("one", "two"))
    test = read(path, Columns("one", "two")).test
    np.savez(tmp_path / "given.npz", given=np.where(np.arange(12) >= 4, test.labels, 1 - np.array(test.labels)))
    n, wrong = own_file.wrong_texts(path, "one", "two", tmp_path, 3)
    assert n == 4
    assert len(wrong) == 3
    assert {(one.text, one.label) for one in wrong} <= set(rows)
    assert all({one.label, one.answer} == {"a", "b"} for one in wrong)


@pytest.mark.parametrize("names", [["One"], ["One", "Two", "Three"]])
def test_the_curves_are_valid_figures(names):
    evaluations = [{"step": k, "train_loss": 1 / k, "dev_accuracy": 0.5, "evenness": None} for k in (1, 2)]
    curves = dict.fromkeys(names[:2], evaluations)
    charts = {quantity: learning(curves, quantity, names) for quantity in CURVES}
    sheet_as_chart(charts)  # raises if a figure breaks Vega-Lite's schema
    assert [len(chart.data) for chart in charts.values()] == [2 * len(curves), 2 * len(curves), 0]
