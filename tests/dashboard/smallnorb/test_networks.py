"""The author's network: its download by a button, its choice for photographs, and its comparison with ours."""

import errno
import json
import os
import shutil

import pytest

from core import zoo
from core.datasets import smallnorb
from core.zoo import heinsen
from dashboard.figures.vega import STATED
from dashboard.jobs import published
from dashboard.pages.smallnorb.networks import TURNING
from dashboard.public import VARIABLE
from dashboard.runs import checkpoints
from dashboard.screen.markdown import DISK
from tests.dashboard.app import component, open_app, open_tab
from tests.dashboard.smallnorb.shown import pick, png, write_official
from tests.published import publish, serve_folder

SIZE_AND_SOURCE = "1.1 MB from github.com/glassroom/heinsen_routing_2019_paper"


@pytest.fixture
def release(tmp_path, monkeypatch):
    """The author's file on a server of this machine."""
    file = publish(tmp_path / "release", monkeypatch)
    with serve_folder(file.parent) as url:
        monkeypatch.setattr(heinsen, "URL", url)
        yield file


@pytest.fixture
def author(release, tmp_path):
    """The name of the author's network, imported."""
    heinsen.import_heinsen(release, tmp_path / "models" / published.NAME)
    checkpoints.survey.clear()
    return published.NAME


@pytest.fixture
def app(app):
    """The page without a chosen checkpoint, turning its toy by elevation, which has the fewest views."""
    app.query_params.clear()
    app.query_params["turned"] = "elevation"
    return app


def checkpoint(app):
    return app.selectbox(key="checkpoint").value


def upload_one(app):
    app.file_uploader(key="upload").set_value([("one.png", png(), "image/png")]).run()
    assert not app.exception


def test_a_button_with_size_and_source_fetches_the_author_s_network(app, release):
    app.query_params["source"] = "Your pictures"
    app.run()
    assert checkpoint(app) == TURNING
    label = f"Fetch the author's network ({SIZE_AND_SOURCE})"
    assert app.button(key="fetch for uploads").label == label
    assert open_tab(open_app("smallnorb"), "Card").button(key="fetch").label == label
    app.button(key="fetch for uploads").click().run()
    assert not app.exception
    assert zoo.describe(published.NAME).kind == "em-smallnorb"
    app.run()
    assert not any(button.label.startswith("Fetch") for button in app.button)
    assert checkpoint(app) == published.NAME  # photographs are read by it from now on


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda file: file.unlink(), "cannot be fetched"),
        (lambda file: file.write_bytes(b"no weights"), "was cut off"),
        (lambda file: file.write_bytes(file.read_bytes()[::-1]), "is not the released file"),
    ],
)
def test_a_failed_download_gives_one_sentence(app, release, spoil, sentence):
    spoil(release)
    app.query_params["source"] = "Your pictures"
    app.run()
    app.button(key="fetch for uploads").click().run()
    assert not app.exception
    (error,) = app.error
    assert sentence in error.value
    assert "\n" not in error.value


def test_a_read_only_disk_has_its_own_error_message(app, release, monkeypatch):
    def refuse(file, folder):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(folder))

    monkeypatch.setattr(published.heinsen, "import_heinsen", refuse)
    app.query_params["source"] = "Your pictures"
    app.run()
    app.button(key="fetch for uploads").click().run()
    assert [error.value for error in app.error] == [DISK[os.strerror(errno.EROFS)]]


def test_photographs_go_to_the_author_s_network_and_toys_to_ours(app, author):
    app.run()
    assert checkpoint(app) == TURNING
    assert any("em-smallnorb-views, trained on rendered toys" in caption.value for caption in app.caption)
    pick(app, "source", "Your pictures")
    assert checkpoint(app) == author
    app.query_params["sample"] = "A pair"  # rendered
    app.run()
    assert checkpoint(app) == TURNING
    upload_one(app)
    assert checkpoint(app) == author
    assert any("heinsen-smallnorb, trained on photographs" in caption.value for caption in app.caption)
    pick(app, "source", "Built-in toys")
    assert checkpoint(app) == TURNING


def test_a_chosen_network_stays(app, author):
    app.query_params["checkpoint"] = "tiny-em-smallnorb"
    app.run()
    pick(app, "source", "Your pictures")
    assert checkpoint(app) == "tiny-em-smallnorb"


def test_an_archive_cannot_claim_to_be_the_author_s_network(app, model_folder, author):
    training = {"data": published.PUBLISHED.trained_on}
    metrics = json.loads((model_folder / "metrics.json").read_text()) | {"training": training, "stated": {}}
    (model_folder / "metrics.json").write_text(json.dumps(metrics))
    checkpoints.survey.clear()
    assert published.authors_network() == author
    pick(app.run(), "checkpoint", model_folder.name)
    assert any(f"trained on photographs ({STATED})" in caption.value for caption in app.caption)
    shutil.rmtree(model_folder.parent / author)
    checkpoints.survey.clear()
    assert published.authors_network() is None


def test_visitors_of_a_public_server_fetch_nothing(app, monkeypatch):
    monkeypatch.setenv(VARIABLE, "1")
    app.query_params["source"] = "Your pictures"
    app.run()
    assert not app.exception
    assert not any(button.label.startswith("Fetch") for button in app.button)


def test_both_networks_are_shown_side_by_side(app, author):
    app.query_params["checkpoint"] = "em-smallnorb"
    app.run()
    app.toggle(key="beside").set_value(True).run()
    assert not app.exception
    ours, theirs = component(app, "verdict")
    assert ours["values"] != theirs["values"]
    assert headings(app) == ["em-smallnorb, trained on rendered toys", "heinsen-smallnorb, trained on photographs"]
    pick(app, "checkpoint", author)
    assert headings(app) == ["heinsen-smallnorb, trained on photographs", "em-smallnorb, trained on rendered toys"]
    assert [verdict["values"] for verdict in component(app, "verdict")] == [theirs["values"], ours["values"]]


def test_the_path_of_the_other_network_is_added_to_the_ring(app):
    app.query_params["turned"] = "azimuth"
    app.run()
    (sentences,) = [part["sentences"] for part in component(app, "finding") if part["param"] == "view"]
    assert len(sentences) == 18
    assert sentences[0].startswith("As this toy turns, its pose goes round once (score 0.9")
    app.toggle(key="beside").set_value(True).run()
    assert not app.exception
    assert headings(app) == ["em-smallnorb-views, trained on rendered toys", "em-smallnorb, trained on rendered toys"]
    (sentences,) = [part["sentences"] for part in component(app, "finding") if part["param"] == "view"]
    assert "The dashed path is that of another network" in sentences[0]
    assert "its pose goes round once (score 0." in sentences[0]


def headings(app):
    """The names of the networks above their classes."""
    lines = [text.value.replace("\\", "") for text in app.markdown]
    return [line.strip("*") for line in lines if line.startswith("**") and ", trained on" in line]


def test_the_author_s_network_reads_smallnorb_unless_it_is_rendered(app, author, tmp_path):
    folder = tmp_path / "data" / "smallnorb"
    write_official(folder)
    app.query_params.update({"source": "smallNORB's files", "category": "human", "elevation": "30°"})
    app.run()
    assert checkpoint(app) == author
    (folder / smallnorb.RENDERED).write_text('{"source": "a test", "seed": 0}')
    app.run()
    assert not app.exception
    assert checkpoint(app) == TURNING
