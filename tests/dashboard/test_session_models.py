"""Checkpoints that a user uploads are used in that session alone."""

import io

import pytest

from core import explain, manifest, zoo
from dashboard.runs import checkpoints
from dashboard.runs.corpus import CorpusRun
from dashboard.runs.session_models import MOST, SessionModels
from dashboard.runs.sources import read_file
from tests.conftest import save_tiny
from tests.core.test_unpack import FILES, zipped


@pytest.fixture
def archive(tmp_path):
    folder = save_tiny(tmp_path / "made")
    return zipped({name: (folder / name).read_bytes() for name in FILES})


@pytest.fixture
def session(tmp_path, monkeypatch):
    """The checkpoints of a session, in which the test runs."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    checkpoints.survey.clear()
    session = SessionModels()
    monkeypatch.setattr(checkpoints, "session_models", lambda: session)
    yield session
    session.close()
    checkpoints.survey.clear()


def test_an_uploaded_checkpoint_is_known_and_runs(session, archive):
    name = session.add(io.BytesIO(archive), "../a <b> model!.zip")
    assert name == "a-b-model"
    assert list(checkpoints.known())[-1] == name
    assert name in checkpoints.models("dragg")
    trace = explain(checkpoints.load(name, checkpoints.about(name).version, "cpu"), "a good film")
    assert (trace.model, trace.weights) == (name, checkpoints.about(name).sha256)
    assert checkpoints.measured("selections", name) is None


def test_names_are_free_ones(session, archive):
    given = ["dragg-sst5.zip", "dragg-sst5.zip", "....zip", "مرحبا.zip"]
    names = [session.add(io.BytesIO(archive), name) for name in given]
    assert names == ["dragg-sst5-2", "dragg-sst5-3", "model", "model-2"]
    for _ in range(MOST - len(given)):
        session.add(io.BytesIO(archive), "x.zip")
    with pytest.raises(ValueError, match="remove one"):
        session.add(io.BytesIO(archive), "x.zip")


def test_no_other_session_knows_it_and_it_ends_with_its_session(session, archive, monkeypatch):
    name = session.add(io.BytesIO(archive), "mine.zip")
    folder = session.root / name
    assert folder.is_dir()
    monkeypatch.setattr(checkpoints, "session_models", lambda: SessionModels())
    assert name not in checkpoints.known()
    session.close()
    assert not folder.exists()


def test_the_cache_forgets_it(session, archive):
    name = session.add(io.BytesIO(archive), "mine.zip")
    version = checkpoints.about(name).version
    assert checkpoints.load(name, version, "cpu") is checkpoints.load(name, version, "cpu")
    session.remove(name)
    with pytest.raises(ValueError, match="no model named 'mine'"):
        checkpoints.load(name, version, "cpu")


def test_many_texts_run_through_it_in_the_background(session, archive, tmp_path):
    name = session.add(io.BytesIO(archive), "mine.zip")
    (tmp_path / "texts.txt").write_text("a good film\n" * 20)
    run = CorpusRun(read_file(tmp_path / "texts.txt", "text", None, checkpoints.about(name).classes), [name], "cpu")
    try:
        assert all(job.wait(120) for job in run._jobs)
        assert not run.failed
        assert len(run.results()) == 20
        assert run.results()["class"].null_count == 0
    finally:
        run.close()


def test_it_is_kept_only_when_it_is_saved(session, archive):
    name = session.add(io.BytesIO(archive), "mine.zip")
    assert name not in manifest.folders()
    target = session.save(name)
    assert target == manifest.user_folder() / name
    assert zoo.load(name, "cpu").name == name
    with pytest.raises(ValueError, match="exists already"):
        session.save(name)
    session.remove(name)
    assert name in manifest.folders()
    assert [path.name for path in target.parent.iterdir()] == [name]


def test_a_broken_one_leaves_nothing(session, archive):
    with pytest.raises(ValueError, match="cannot be read as a zip archive"):
        session.add(io.BytesIO(archive[:-40]), "mine.zip")
    assert not session.described
    assert not list(session.root.iterdir())
