"""Uploaded checkpoints can be used only in their own session."""

import io
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

import pytest

from core import explain, manifest, zoo
from core.zoo import archive as archives
from dashboard.jobs import saved
from dashboard.jobs.corpus import CorpusRun
from dashboard.jobs.published import fetch_authors_network
from dashboard.public import VARIABLE
from dashboard.runs import checkpoints, evidence, loaded
from dashboard.runs.kept import Kept
from dashboard.runs.sources import read_file
from dashboard.sessions import models
from dashboard.sessions.models import MAX_UPLOADS, SessionModels
from tests.archives import FILES, zipped
from tests.conftest import save_tiny


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
    for module in (checkpoints, saved):
        monkeypatch.setattr(module, "session_models", lambda: session)
    yield session
    session.close()
    checkpoints.survey.clear()


def test_an_uploaded_checkpoint_is_known_and_runs(session, archive):
    name = session.add(io.BytesIO(archive), "../a <b> model!.zip")
    assert name == "a-b-model"
    assert list(checkpoints.known())[-1] == name
    assert name in checkpoints.models("dragg")
    trace = explain(loaded.load(name, checkpoints.about(name).version, "cpu"), "a good film")
    assert (trace.model, trace.weights) == (name, checkpoints.about(name).sha256)
    assert checkpoints.measured("selections", name) is None


def test_uploads_get_unused_names(session, archive):
    given = ["dragg-sst5.zip", "dragg-sst5.zip", "....zip", "مرحبا.zip"]
    names = [session.add(io.BytesIO(archive), name) for name in given]
    assert names == ["dragg-sst5-2", "dragg-sst5-3", "model", "model-2"]
    for _ in range(MAX_UPLOADS - len(given)):
        session.add(io.BytesIO(archive), "x.zip")
    with pytest.raises(ValueError, match="remove one"):
        session.add(io.BytesIO(archive), "x.zip")


def test_an_upload_is_private_and_ends_with_its_session(session, archive, monkeypatch):
    name = session.add(io.BytesIO(archive), "mine.zip")
    folder = session.root / name
    assert folder.is_dir()
    monkeypatch.setattr(checkpoints, "session_models", lambda: SessionModels())
    assert name not in checkpoints.known()
    session.close()
    assert not folder.exists()


def test_the_caches_forget_only_the_removed_upload(session, archive, monkeypatch):
    monkeypatch.setattr(evidence, "_probes", Kept(9))
    name = session.add(io.BytesIO(archive), "mine.zip")
    version = checkpoints.about(name).version
    assert loaded.load(name, version, "cpu") is loaded.load(name, version, "cpu")
    evidence.curves_of_sample(name, "cpu", "a good film", "masked")
    evidence.curves_of_sample("dragg-sst5", "cpu", "a good film", "masked")
    session.remove(name)
    with pytest.raises(ValueError, match="no model named 'mine'"):
        loaded.load(name, version, "cpu")
    assert [key[0] for key in evidence._probes._values] == ["dragg-sst5"]


def test_the_least_recently_used_value_makes_room():
    made = []

    def get(key):
        return kept.get(key, lambda: made.append(key) or key)

    kept = Kept(2)
    assert [get(key) for key in "abacb"] == list("abacb")
    assert made == ["a", "b", "c", "b"]
    kept.forget(lambda key: key == "c")
    get("b")
    get("c")
    assert made == ["a", "b", "c", "b", "c"]


def test_many_texts_run_through_an_upload_in_the_background(session, archive, tmp_path):
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


def test_an_upload_is_kept_only_if_it_is_saved(session, archive):
    name = session.add(io.BytesIO(archive), "mine.zip")
    assert name not in manifest.folders()
    assert saved.folder_of_saved(name) is None
    target = saved.save_upload(name)
    assert target == manifest.user_folder() / name == saved.folder_of_saved(name)
    assert not session.described
    assert zoo.load(name, "cpu").name == name
    assert [path.name for path in target.parent.iterdir()] == [name]
    session.described[name] = manifest.describe_folder(target)  # another session saved one with this name
    with pytest.raises(ValueError, match="exists already"):
        saved.save_upload(name)
    session.described.clear()
    saved.remove_saved(name)
    assert not list(target.parent.iterdir())
    for change in (saved.save_upload, saved.remove_saved):
        with pytest.raises(ValueError, match=r"no (saved )?model named"):
            change(name)


def test_removing_a_saved_link_keeps_the_folder_it_leads_to(session, tmp_path):
    folder = save_tiny(tmp_path / "made")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "tiny").symlink_to(folder)
    checkpoints.survey.clear()
    saved.remove_saved("tiny")
    assert not list((tmp_path / "models").iterdir())
    assert (folder / "config.json").is_file()


def test_saved_uploads_are_limited_in_number_and_size(session, archive, monkeypatch):
    names = [session.add(io.BytesIO(archive), "mine.zip") for _ in range(2)]
    saved.save_upload(names[0])
    for bound, value in (("MAX_SAVED", 1), ("MAX_BYTES", 10)):
        with monkeypatch.context() as patch:
            patch.setattr(saved, bound, value)
            with pytest.raises(ValueError, match=r"remove one\.$"):
                saved.save_upload(names[1])
    assert list(manifest.user_folder().iterdir()) == [manifest.user_folder() / names[0]]
    assert list(session.described) == names[1:]


def test_on_a_public_server_nothing_is_saved_fetched_or_removed(session, archive, monkeypatch, tmp_path):
    kept = saved.save_upload(session.add(io.BytesIO(archive), "kept.zip"))
    name = session.add(io.BytesIO(archive), "mine.zip")
    monkeypatch.setenv(VARIABLE, "1")
    for change in (lambda: saved.save_upload(name), lambda: saved.remove_saved("kept"), fetch_authors_network):
        with pytest.raises(ValueError, match="This server is public"):
            change()
    assert list(kept.parent.iterdir()) == [kept]
    assert list(session.described) == [name]


def test_a_model_that_has_gone_is_removed_without_an_error(session):
    session.remove("gone")


def test_a_broken_archive_leaves_nothing(session, archive):
    with pytest.raises(ValueError, match="cannot be read as a zip archive"):
        session.add(io.BytesIO(archive[:-40]), "mine.zip")
    assert not session.described
    assert not list(session.root.iterdir())


def test_archives_are_checked_one_at_a_time_in_order_of_arrival(tmp_path, monkeypatch):
    begun, go_on = [], Event()

    def check(file, name, folder, backbones):
        begun.append(name)
        go_on.wait(60)

    monkeypatch.setattr(archives, "unpack", check)
    with ThreadPoolExecutor(3) as visitors:
        waiting = []
        for k in range(3):
            waiting.append(visitors.submit(models.unpack_in_turn, io.BytesIO(), f"{k}.zip", tmp_path / "mine", {}))
            # Wait until this archive has begun or is in the queue.
            while len(begun) + models._CHECKS._work_queue.qsize() <= k:
                sleep(0.001)
        assert len(begun) <= 1
        go_on.set()
        for one in waiting:
            one.result()
    assert begun == ["0.zip", "1.zip", "2.zip"]


def test_the_size_of_a_session_s_uploads_is_limited(session, archive, monkeypatch):
    monkeypatch.setattr(models, "MAX_BYTES", 100)
    session.add(io.BytesIO(archive), "first.zip")
    with pytest.raises(ValueError, match="This session holds 0 MB of models already: remove one"):
        session.add(io.BytesIO(archive), "second.zip")
