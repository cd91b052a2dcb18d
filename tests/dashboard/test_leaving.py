"""A session's uploads: they survive others' messages and a broken connection, and are deleted after the user leaves."""

import asyncio
import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from dashboard.server import leaving
from dashboard.server.messages import is_own
from dashboard.sessions import owned
from dashboard.sessions.folders import PREFIX
from tests.archives import FILES, zipped
from tests.benchmarks.visitor import Visitor, visit
from tests.browser.server import Server, dashboard
from tests.conftest import save_tiny
from tests.dashboard.coroutines import run_coroutine, throw
from tests.processes import wait_until

KEPT = 9  # seconds that this server keeps a session without a connection; enough to reconnect on a busy machine


@pytest.fixture(scope="module")
def server():
    with dashboard(env=os.environ | {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(KEPT)}) as running:
        yield running


@pytest.fixture
def archive(tmp_path):
    folder = save_tiny(tmp_path)
    return zipped({name: (folder / name).read_bytes() for name in FILES})


async def upload(visitor: Visitor, archive: bytes) -> None:
    """Upload a model on the Models page."""
    await visitor.open()
    assert await visitor.upload(visitor.find("model"), ("mine.zip", archive)) == [204]
    assert visitor.find("remove mine")


async def has_upload(visitor: Visitor) -> bool:
    """Whether the visitor's page still offers the uploaded model."""
    await visitor.open()
    return any(widget.endswith("-remove mine") for widget in visitor.inputs)


def test_messages_of_others_do_not_delete_a_session_s_upload(server, archive):
    async def act():
        async with visit(server.url, "models") as owner, visit(server.url, "models") as other:
            await upload(owner, archive)
            await other.open()
            for message in (BackMsg(clear_cache=True), BackMsg(set_run_on_save=True), BackMsg(load_git_info=True)):
                await other.send(message)
            await other.open()
            return await has_upload(owner), await has_upload(other)

    assert run_coroutine(act) == (True, False)


def test_a_browser_that_reconnects_has_the_same_session(server, archive):
    async def act():
        async with visit(server.url, "models") as visitor:
            await upload(visitor, archive)
            session = visitor.session
            await visitor.disconnect()
            assert await has_upload(visitor)
            return visitor.session == session

    assert run_coroutine(act)


def folders_of(server: Server) -> set[Path]:
    """The folders of all models that were uploaded to a server."""
    return set(Path(tempfile.gettempdir()).glob(f"{PREFIX}{server.process.pid}-*/mine"))


def test_uploads_are_deleted_soon_after_their_user_leaves(server, archive):
    wait_until(lambda: not folders_of(server))  # the uploads of previous tests are deleted

    async def act():
        async with visit(server.url, "models") as visitor:
            await upload(visitor, archive)
            assert folders_of(server)

    run_coroutine(act)
    wait_until(lambda: not folders_of(server))


def test_only_messages_about_the_own_session_reach_streamlit():
    own = [BackMsg(stop_script=True), BackMsg(app_heartbeat=True), BackMsg(), BackMsg(), BackMsg()]
    own[2].rerun_script.query_string = "a"
    own[3].file_urls_request.request_id = "a"
    own[4].backend_operation_request.deferred_file.SetInParent()
    assert all(is_own(message.SerializeToString()) for message in own)
    foreign = [
        BackMsg(clear_cache=True),
        BackMsg(set_run_on_save=True),
        BackMsg(load_git_info=True),
        BackMsg(debug_shutdown_runtime=True),
        BackMsg(),
        BackMsg(),
    ]
    foreign[-1].backend_operation_request.install_skills.SetInParent()
    assert not any(is_own(message.SerializeToString()) for message in foreign)
    assert is_own(b"\xff")  # Streamlit closes the connection


def test_a_session_has_one_object_of_a_kind_until_it_ends(monkeypatch):
    class Thing:
        closed = False

        def close(self):
            self.closed = True

    make, now = owned.one_a_session(Thing), ["a"]
    monkeypatch.setattr(owned, "session_id", lambda: now[0])
    first = make()
    assert make() is first
    now[0] = "b"
    second = make()
    assert second is not first
    owned.end({"a", "none"})
    assert (first.closed, second.closed) == (True, False)
    owned.end({"b"})
    assert second.closed
    assert not owned.owners()


def test_an_error_while_closing_keeps_no_other_object_open(monkeypatch):
    closed, end = [], lambda: throw(OSError("a disk that is gone"))
    things = [SimpleNamespace(close=end), SimpleNamespace(close=lambda: closed.append(1))]
    monkeypatch.setitem(owned._owned, "a", dict(zip(["first", "second"], things, strict=True)))
    with pytest.raises(OSError, match="a disk that is gone"):
        owned.end({"a"})
    assert closed
    assert not owned.owners()


def test_sessions_end_despite_errors_and_memory_is_freed(monkeypatch):
    """The memory of sessions that own nothing is freed, too."""
    living = [["a", "b"], ["a"], ["a"], []]  # the sessions that exist at each check
    checks, ended, freed = iter([None, OSError("gone"), None, None, None, asyncio.CancelledError()]), [], []

    def release():
        asyncio.get_running_loop()  # Arrow frees other threads' memory only in this thread
        freed.append("loop")

    manager = SimpleNamespace(list_sessions=lambda: [session(name) for name in living.pop(0)])
    monkeypatch.setattr(leaving, "CHECK_INTERVAL", 0)
    monkeypatch.setattr(leaving, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))
    monkeypatch.setattr(leaving, "close_overdue", lambda left, now: (error := next(checks)) and throw(error))
    failing = SimpleNamespace(owners=set, end=lambda gone: ended.append(gone) or throw(OSError("gone")))
    monkeypatch.setattr(leaving, "owned", failing)
    monkeypatch.setattr("pyarrow.default_memory_pool", lambda: SimpleNamespace(release_unused=release))
    monkeypatch.setattr(leaving, "LIBRARY", SimpleNamespace(malloc_trim=lambda keep: freed.append("library")))
    with pytest.raises(asyncio.CancelledError):
        run_coroutine(leaving.close_left_sessions)
    assert ended == [{"b"}, {"a"}]
    assert freed == ["library", "loop"] * 2


def session(name: str) -> SimpleNamespace:
    """A session as Streamlit lists it."""
    return SimpleNamespace(session=SimpleNamespace(id=name))
