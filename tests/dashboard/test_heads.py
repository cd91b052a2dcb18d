"""The training of a head over the user's own transformer: in the background, and shown when it is done."""

import io

import pytest

from core import explain, zoo
from dashboard.jobs import heads
from dashboard.jobs.heads import HeadJob
from dashboard.public import VARIABLE
from dashboard.runs import checkpoints
from dashboard.runs.files import packer
from dashboard.sessions import models
from dashboard.sessions.models import BUILT_IN, SessionModels
from tests.dashboard.app import open_app


@pytest.fixture
def session(tmp_path, monkeypatch, trees, tiny_gpt2):
    """A session with a tiny transformer in the user's folder, and a treebank of four sentences."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("ROUTESCOPE_DATA", str(trees.parent))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "my-gpt2").symlink_to(tiny_gpt2)
    checkpoints.survey.clear()
    session, training = SessionModels(), HeadJob()
    monkeypatch.setattr(models, "_session_models", lambda: session)
    for module in (heads, checkpoints):
        monkeypatch.setattr(module, "session_models", lambda: session)
    monkeypatch.setattr(heads, "head_training", lambda: training)
    yield training
    training.close()
    session.close()
    checkpoints.survey.clear()


def test_a_head_is_trained_over_a_folder_and_shown_when_it_is_done(session, monkeypatch):
    assert list(heads.transformers()) == [BUILT_IN, "my-gpt2"]
    app = open_app("models")
    app.session_state["tab"] = "Your transformer"
    app.run()
    app.selectbox(key="transformer").set_value("my-gpt2")
    app.text_input(key="head name").set_value("over my own")
    app.button(key="train head").click().run()
    assert not app.exception
    assert app.button(key="train head").disabled
    assert not app.button(key="cancel head").disabled
    assert session.job.wait(240)
    assert not session.failed
    app.run()
    assert not app.exception
    assert "over-my-own is trained" in app.success[0].value.replace("\\", "")
    assert checkpoints.title("over-my-own") in app.selectbox(key="checkpoint").options
    folder = checkpoints.folder_of("over-my-own")
    trace = explain(zoo.load_folder(folder, "cpu"), "a good film")
    assert trace.backbone == "my-gpt2"  # not its path
    assert len(checkpoints.about("over-my-own").metrics.training["history"]) > 1
    assert "Download" in [button.proto.label for button in app.get("download_button")]
    monkeypatch.setenv(VARIABLE, "1")  # a public server saves nothing
    assert "download it under Add a model" in app.run().success[0].value
    name_again = models.add_upload(io.BytesIO(packer("over-my-own")()), "again.zip")
    assert explain(zoo.load_folder(checkpoints.folder_of(name_again), "cpu"), "a good film").answer == trace.answer


def test_a_cancelled_training_leaves_nothing(session):
    session.start(BUILT_IN, 2, "mine", "cpu")
    assert session.runs
    session.cancel()
    assert not session.runs
    assert not session.take()
    assert not list(session._folder.iterdir())


def test_a_training_that_ended_early_says_why(session, monkeypatch, tmp_path):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path / "nowhere"))
    session.start("my-gpt2", 5, "mine", "cpu")
    assert session.job.wait(120)
    assert "of the Stanford Sentiment Treebank" in session.failed
    assert not session.take()


def test_progress_is_read_from_the_bars(session):
    log = session._folder / ".log"
    assert session.state == (0.0, "loading the transformer")
    bar = "{}:  50%|█████     | 5/10 [00:01<00:01,  1.0it/s]"
    log.write_text("\r".join([bar.format("hidden states")] * 3))
    assert session.state == (0.2, "reading the texts, 5 of 10 batches")
    log.write_text(bar.format("hidden states") + "\n\r" + bar.format("mine"))
    assert session.state == (0.7, "step 5 of 10")


def test_no_head_is_trained_in_a_full_session(session, monkeypatch):
    monkeypatch.setattr(models, "MAX_UPLOADS", 0)
    with pytest.raises(ValueError, match="This session holds 0 models already: remove one"):
        session.start("my-gpt2", 2, "mine", "cpu")
    assert not session.runs
