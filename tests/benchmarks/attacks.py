"""Attacks on the server. Each is sent once, and raises an error if the server does not withstand it."""

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cache, partial
from itertools import product
from urllib.parse import urlsplit
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg

from tests import hostile_files
from tests.benchmarks.visitor import Visitor, visit

Attack = Callable[[str], Coroutine[None, None, None]]
N_ATTACKERS = 4  # attacks that are sent at the same time
NETWORK_PAGES = [  # page and query of each place that runs an accepted network
    *((page, "") for page in ("models", "routing", "kmeans", "sentiment_capsules", "agt", "drnn", "smallnorb")),
    *product(("smallnorb",), ("tab=Toys", "tab=What+if")),
]
HOSTILE_ADDRESSES = [  # page and query
    *product(
        ("", "routing", "models", "compare"),
        ("checkpoint=../../../etc/passwd", "checkpoint=%00", "edit=gate:99999:nan"),
    ),
    *product(("agt", "drnn"), ("window=" + "9" * 400, "iterations=inf", "edit=__import__('os')", "pin=99999")),
]
HALF_OPEN = 300  # requests that never end
HELD, PAUSE = 60, 5  # seconds for which they are kept open, and seconds between two bytes of one
N_UNCLAIMED = 60  # uploads that no page asked for
UNCLAIMED_SIZE = 19 << 20  # bytes of each, less than Streamlit's limit of 20 MB
FOREIGN = "http://evil.example"


class NotWithstood(Exception):
    """The server did not withstand an attack; the message says how."""


async def send_archive(url: str, name: str) -> None:
    """Upload an archive to Models, and open it on every page if the server accepts it."""
    async with visit(url, "models") as visitor:
        await visitor.open()
        before = _models(visitor)
        await visitor.upload(visitor.find("model"), (name, files_by_name()[name]))
        if any(getattr(shown.proto, "label", "") == "Save" for shown in visitor.inputs.values()):
            raise NotWithstood("a visitor may save to the server's disk")
        for accepted in _models(visitor) - before:
            for page, query in NETWORK_PAGES:
                await visitor.go_to(page, f"checkpoint={accepted}&{query}")


async def send_large_archives(url: str) -> None:
    """Eight sessions each upload a model of 110 MB at once."""
    await asyncio.gather(*(send_archive(url, "large.zip") for _ in range(8)))


async def send_texts(url: str, name: str) -> None:
    """Upload a file to Corpus, and start the run if the server accepts it."""
    async with visit(url, "corpus", "texts=Your+file") as visitor:
        await visitor.open()
        await visitor.upload(visitor.find("upload"), (name, files_by_name()[name]))
        if not visitor.inputs[visitor.find("start corpus")].proto.disabled:
            await visitor.act("start corpus", trigger_value=True)


async def send_picture(url: str, name: str) -> None:
    """Upload a file to smallNORB."""
    async with visit(url, "smallnorb", "source=Your+pictures") as visitor:
        await visitor.open()
        await visitor.upload(visitor.find("upload"), (name, files_by_name()[name]))


async def send_unclaimed(url: str) -> None:
    """Upload many files with invented ids, which no uploader has asked for."""
    async with visit(url) as visitor:
        await visitor.open()
        for _ in range(N_UNCLAIMED):
            with suppress(OSError):  # the server does not read a refused file
                await asyncio.to_thread(visitor.put, str(uuid4()), "a.bin", bytes(UNCLAIMED_SIZE))


async def clear_the_cache(url: str) -> None:
    """Send the message that clears Streamlit's caches for all sessions."""
    async with visit(url) as visitor:
        await visitor.open()
        await visitor.send(BackMsg(clear_cache=True))
        await visitor.open()


async def open_hostile_addresses(url: str) -> None:
    """Open pages at addresses with names of files, or with numbers out of range."""
    for page, query in HOSTILE_ADDRESSES:
        async with visit(url, page, query) as visitor:
            await visitor.open()


async def connect_from_foreign_pages(url: str) -> None:
    """Connect as the page of another site, and as a page whose host name was redirected to this server."""
    own, foreign = urlsplit(url).netloc, urlsplit(FOREIGN).netloc
    for host, origin in ((own, FOREIGN), (own, "null"), (foreign, FOREIGN)):
        status = await _status(url, "/_stcore/stream", host, origin)
        if status == 101:  # the server has opened the websocket
            raise NotWithstood(f"a connection of the page {origin} to {host} was accepted")
    for host, path in ((foreign, "/"), (own, "/_stcore/metrics")):
        status = await _status(url, path, host)
        if status == 200:
            raise NotWithstood(f"{path} of {host} was answered")


async def hold_requests_open(url: str) -> None:
    """Begin many requests, and send one more byte of each every few seconds."""
    address = urlsplit(url)
    connections = [await asyncio.open_connection(address.hostname, address.port) for _ in range(HALF_OPEN)]
    open_now = []
    for second in range(0, HELD, PAUSE):
        open_now = [writer for reader, writer in connections if not reader.at_eof() and not writer.is_closing()]
        for writer in open_now:
            writer.write(b"GET / HTTP/1.1\r\nX-Slow: "[second // PAUSE :][:1])  # the next byte of the request
        await asyncio.sleep(PAUSE)
    for _, writer in connections:
        writer.close()
    if open_now:
        raise NotWithstood(f"{len(open_now)} of {HALF_OPEN} half-open requests were held for {HELD} s")


@cache
def files_by_name() -> dict[str, bytes]:
    """All hostile files by name."""
    makers = hostile_files.ARCHIVES | hostile_files.CORPORA | hostile_files.PICTURES
    return {name: make() for name, make in makers.items()}


def make_files() -> None:
    """Make every hostile file, so that no attack waits for its file."""
    files_by_name()


def attacks() -> dict[str, Attack]:
    """All attacks by name."""
    archives = {name: partial(send_archive, name=name) for name in hostile_files.ARCHIVES}
    texts = {name: partial(send_texts, name=name) for name in hostile_files.CORPORA}
    pictures = {name: partial(send_picture, name=name) for name in hostile_files.PICTURES}
    return {
        "half-open requests": hold_requests_open,
        "unclaimed uploads": send_unclaimed,
        "large archives": send_large_archives,
        "clear_cache": clear_the_cache,
        "foreign pages": connect_from_foreign_pages,
        "hostile addresses": open_hostile_addresses,
        **archives,
        **texts,
        **pictures,
    }


def attack(url: str) -> list[str]:
    """Send every attack, and return one line per attack that the server did not withstand."""
    return asyncio.run(_attack(url))


async def _attack(url: str) -> list[str]:
    waiting = list(reversed(attacks().items()))  # the first attack is popped first
    lines = []

    async def attacker() -> None:
        while waiting:
            name, send = waiting.pop()
            began = time.monotonic()
            try:
                await send(url)
            except Exception as error:
                lines.append(f"{name}: {error!r}")
            print(f"{name}: {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)

    await asyncio.gather(*(attacker() for _ in range(N_ATTACKERS)))
    return lines


def _models(visitor: Visitor) -> set[str]:
    """The checkpoints that the page offers."""
    menus = [shown.proto for shown in visitor.inputs.values() if shown.kind == "selectbox"]
    return {name for menu in menus for name in menu.options}


async def _status(url: str, path: str, host: str, origin: str = "") -> int:
    """The status of the answer to a request. With an origin, the request asks for a websocket."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}"]
    if origin:
        lines += [f"Origin: {origin}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: streamlit"]
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    first = await reader.readline()
    writer.close()
    return int(first.split()[1]) if first else 0
