"""Uploads are stored on the disk, within limits."""

import asyncio
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from dashboard.pages.compare import pinned
from dashboard.pages.corpus import sources
from dashboard.pages.models import adding
from dashboard.pages.smallnorb import uploads as pictures
from dashboard.server import uploads as server
from dashboard.sessions import uploads
from tests.dashboard.coroutines import run_coroutine, throw

TOKEN = generate_xsrf_token_string()


@pytest.fixture
def manager(monkeypatch):
    """The files of a server with the sessions "a" and "b"."""
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    runtime = SimpleNamespace(uploaded_file_mgr=manager, is_active_session=lambda session: session in ("a", "b"))
    monkeypatch.setattr(server, "get_instance", lambda: runtime)
    return manager


@pytest.fixture
def taker(manager):
    """The part of the server that takes uploads."""
    return server.Uploads(None)


@pytest.fixture
def put(taker):
    """A function that uploads a file, and returns the answer."""
    client = TestClient(taker, "http://localhost", headers={"X-Xsrftoken": TOKEN})
    client.cookies.set("_streamlit_xsrf", TOKEN)

    def put(session="a", file_id="1", content=b"word", **others):
        request = {"files": {"file": ("texts.txt", content, "text/plain")}} | others
        return client.put(f"/demo/_stcore/upload_file/{session}/{file_id}", **request)

    return put


@pytest.fixture
def in_session(manager, monkeypatch):
    """Act like a run of a page in session "a"."""
    context = SimpleNamespace(uploaded_file_mgr=manager, session_id="a")
    monkeypatch.setattr(uploads, "get_script_run_ctx", lambda **_: context)


def test_a_file_stays_on_the_disk_as_long_as_streamlit_lists_it(put, manager, in_session):
    content = b"word " * uploads.MB
    assert put(content=content).status_code == 204
    (record,) = manager.get_files("a", ["1"])
    assert (record.name, record.type, len(record.data)) == ("texts.txt", "text/plain", len(content))
    path, file = record.data.path, UploadedFile(record, None)
    assert (file.size, file.getvalue()) == (len(content), b"")
    with uploads.open_upload(file) as opened:
        assert opened.read() == content
    assert uploads.read_upload(file, 5) == content
    with pytest.raises(ValueError, match=r"texts\.txt is larger than 4 MB"):
        uploads.read_upload(file, 4)
    del record
    manager.remove_file("a", "1")
    assert not path.exists()
    with pytest.raises(ValueError, match=r"texts\.txt is no longer here: upload it again"):
        uploads.open_upload(file)


def test_a_file_in_memory_is_read_as_it_is(in_session):
    file = UploadedFile(UploadedFileRec("1", "a.txt", "", b"word"), None)
    assert uploads.read_upload(file, 1) == uploads.read_upload(file, 1) == b"word"


def test_requests_that_no_page_sends_are_refused(put, monkeypatch):
    assert put(headers={"X-Xsrftoken": "another"}).status_code == 403
    assert put("none").status_code == 400
    assert put(files={}).status_code == 411
    assert put(files={}, content=iter([b"word"])).status_code == 411
    assert put(files={}, data={"file": "word"}).status_code == 411
    assert put(data={"more": "word"}).status_code == 400
    monkeypatch.setattr(server, "MAX_UPLOAD", 0)
    assert put(content=bytes(server.FORM_BYTES)).status_code == 413


def test_the_server_accepts_the_largest_upload_of_a_page():
    largest = max(page.MAX_MEGABYTES for page in (adding, pictures, sources, pinned))
    assert largest * uploads.MB <= server.MAX_UPLOAD


def test_uploads_of_a_session_and_of_the_server_are_limited(put, manager, monkeypatch):
    monkeypatch.setattr(server, "MAX_FILES", 2)
    assert [put(file_id=k).status_code for k in "123"] == [204, 204, 413]
    assert put("b").status_code == 204
    manager.remove_session_files("a")
    monkeypatch.setattr(server, "MAX_SESSION_BYTES", 4)
    assert [put(file_id=k, content=bytes(server.FORM_BYTES // 2)).status_code for k in "12"] == [204, 413]
    monkeypatch.setattr(server, "MAX_SERVER_BYTES", 4)
    assert put("b").status_code == 507


def test_received_bytes_count_for_the_server_announced_ones_do_not(put, taker, monkeypatch):
    monkeypatch.setattr(server, "MAX_SERVER_BYTES", 3 * uploads.MB)
    taker._incoming["b"] = [server.Incoming(4 * uploads.MB)]
    assert put().status_code == 204
    taker._incoming["b"][0].received = 4 * uploads.MB
    assert put().status_code == 507
    monkeypatch.setattr(taker, "_lack_of_room", lambda *_: None)  # the server was full only after this upload had begun
    answer = put(content=bytes(2 * uploads.MB))
    assert (answer.status_code, answer.text) == (507, server.NO_ROOM)


@pytest.mark.parametrize("session", ["a", "none"])
def test_a_silent_upload_is_ended(taker, monkeypatch, session):
    monkeypatch.setattr(server, "SILENCE", 0.01)
    headers = {"X-Xsrftoken": TOKEN, "Cookie": f"_streamlit_xsrf={TOKEN}", "Content-Length": "1000"}
    headers |= {"Content-Type": "multipart/form-data; boundary=b"}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "PUT", "path": f"/_stcore/upload_file/{session}/1", "headers": raw}
    answers = []

    async def say_nothing():
        await asyncio.Event().wait()

    async def keep(message):
        answers.append(message)

    run_coroutine(taker, scope, say_nothing, keep)
    assert answers[0]["status"] == 400
    assert not taker._incoming


def test_a_full_disk_gives_one_sentence(put, manager, monkeypatch):
    monkeypatch.setattr(server.shutil, "copyfileobj", lambda *_: throw(OSError(28, "full")))
    answer = put()
    assert (answer.status_code, answer.text) == (507, "This server cannot write to its disk.")
    assert not manager.get_files("a", ["1"])
    monkeypatch.setattr(server.tempfile, "gettempdir", lambda: throw(FileNotFoundError()))
    assert put().status_code == 507


def test_unopened_and_abandoned_uploads_are_deleted(put, taker, manager, in_session):
    put(file_id="1")
    put(file_id="2")
    first, second = (record.data for record in manager.get_files("a", ["1", "2"]))
    uploads.read_upload(UploadedFile(manager.get_files("a", ["1"])[0], None), 1)
    taker.delete_unclaimed(second.uploaded_at + server.UNCLAIMED - 1)
    assert len(manager.get_files("a", ["1", "2"])) == 2
    taker.delete_unclaimed(second.uploaded_at + server.UNCLAIMED + 1)
    assert [record.data for record in manager.get_files("a", ["1", "2"])] == [first]
    uploads.leave_page("corpus", "corpus")
    assert manager.get_files("a", ["1"])
    uploads.leave_page("corpus", "models")
    assert not manager.get_files("a", ["1"])


def test_an_upload_that_cannot_be_deleted_does_not_end_the_checks(taker, monkeypatch, caplog):
    errors = iter([OSError("a disk that is gone"), asyncio.CancelledError()])
    monkeypatch.setattr(server, "CHECK_INTERVAL", 0)
    monkeypatch.setattr(taker, "delete_unclaimed", lambda now: throw(next(errors)))
    with pytest.raises(asyncio.CancelledError):
        run_coroutine(taker._delete_unclaimed)
    assert "An upload could not be deleted" in caplog.text
