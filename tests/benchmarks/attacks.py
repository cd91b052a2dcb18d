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
AT_ONCE = 4  # attackers
LOOKS = [  # pages and tabs that open an accepted network
    *((page, "") for page in ("models", "", "kmeans", "sentiment_capsules", "agt", "drnn", "smallnorb")),
    *product(("smallnorb",), ("tab=Toys", "tab=What+if")),
]
ADDRESSES = [
    *product(("", "models", "compare"), ("checkpoint=../../../etc/passwd", "checkpoint=%00", "edit=gate:99999:nan")),
    *product(("agt", "drnn"), ("window=" + "9" * 400, "iterations=inf", "edit=__import__('os')", "pin=99999")),
]
HALF_OPEN, HELD, BETWEEN = 300, 60, 5  # endless requests, seconds, and seconds between two bytes of each
UNCLAIMED, MEGABYTES = 60, 19  # number and size of uploads that no page asked for
FOREIGN = "http://evil.example"


class NotWithstood(Exception):
    """The server did not withstand an attack; the message says how."""


async def send_archive(url: str, name: str) -> None:
    """Upload an archive to Models, and open it on every page if the server accepts it."""
    async with visit(url, "models") as visitor:
        await visitor.open()
        before = _models(visitor)
        await visitor.upload(visitor.find("model"), (name, made()[name]))
        if any(getattr(one.proto, "label", "") == "Save" for one in visitor.inputs.values()):
            raise NotWithstood("a visitor may save to the server's disk")
        for new in _models(visitor) - before:
            for page, query in LOOKS:
                await visitor.go_to(page, f"checkpoint={new}&{query}")


async def send_large_archives(url: str) -> None:
    """Eight sessions each upload a model of 110 MB at once."""
    await asyncio.gather(*(send_archive(url, "large.zip") for _ in range(8)))


async def send_texts(url: str, name: str) -> None:
    """Upload a file to Corpus, and start the run if the server accepts it."""
    async with visit(url, "corpus", "texts=Your+file") as visitor:
        await visitor.open()
        await visitor.upload(visitor.find("upload"), (name, made()[name]))
        if not visitor.inputs[visitor.find("start corpus")].proto.disabled:
            await visitor.act("start corpus", trigger_value=True)


async def send_picture(url: str, name: str) -> None:
    """Upload a file to smallNORB."""
    async with visit(url, "smallnorb", "source=Your+pictures") as visitor:
        await visitor.open()
        await visitor.upload(visitor.find("upload"), (name, made()[name]))


async def send_unclaimed(url: str) -> None:
    """Upload many files with invented ids, which no uploader has asked for."""
    async with visit(url) as visitor:
        await visitor.open()
        for _ in range(UNCLAIMED):
            with suppress(OSError):  # the server does not read a refused file
                await asyncio.to_thread(visitor.put, str(uuid4()), "a.bin", bytes(MEGABYTES << 20))


async def clear_the_cache(url: str) -> None:
    """Send the message that clears Streamlit's caches for all sessions."""
    async with visit(url) as visitor:
        await visitor.open()
        await visitor.send(BackMsg(clear_cache=True))
        await visitor.open()


async def open_hostile_addresses(url: str) -> None:
    """Open pages at addresses with names of files, or with numbers out of range."""
    for page, query in ADDRESSES:
        async with visit(url, page, query) as visitor:
            await visitor.open()


async def come_from_elsewhere(url: str) -> None:
    """Connect like the page of another site, or of a name that was redirected to this server."""
    own = urlsplit(url).netloc
    for host, origin in ((own, FOREIGN), (own, "null"), (urlsplit(FOREIGN).netloc, FOREIGN)):
        status = await _status(url, "/_stcore/stream", host, origin)
        if status == 101:
            raise NotWithstood(f"a connection of the page {origin} to {host} was accepted")
    for host, path in ((urlsplit(FOREIGN).netloc, "/"), (own, "/_stcore/metrics")):
        status = await _status(url, path, host)
        if status == 200:
            raise NotWithstood(f"{path} of {host} was answered")


async def hold_requests_open(url: str) -> None:
    """Open many requests, and send one byte of each every few seconds."""
    address = urlsplit(url)
    begun = [await asyncio.open_connection(address.hostname, address.port) for _ in range(HALF_OPEN)]
    open_now = []
    for second in range(0, HELD, BETWEEN):
        open_now = [pair for pair in begun if not pair[0].at_eof() and not pair[1].is_closing()]
        for _, writer in open_now:
            writer.write(b"GET / HTTP/1.1\r\nX-Slow: "[second // BETWEEN :][:1])
        await asyncio.sleep(BETWEEN)
    for _, writer in begun:
        writer.close()
    if open_now:
        raise NotWithstood(f"{len(open_now)} of {HALF_OPEN} half-open requests were held for {HELD} s")


@cache
def made() -> dict[str, bytes]:
    """All hostile files by name."""
    makers = hostile_files.ARCHIVES | hostile_files.CORPORA | hostile_files.PICTURES
    return {name: make() for name, make in makers.items()}


def make_all() -> None:
    """Make every file before the attack."""
    made()


def attacks() -> dict[str, Attack]:
    """All attacks by name."""
    by_file = {"archive": send_archive, "texts": send_texts, "picture": send_picture}
    lists = {"archive": hostile_files.ARCHIVES, "texts": hostile_files.CORPORA, "picture": hostile_files.PICTURES}
    files = {name: partial(by_file[what], name=name) for what, makers in lists.items() for name in makers}
    return {
        "half-open requests": hold_requests_open,
        "unclaimed uploads": send_unclaimed,
        "large archives": send_large_archives,
        "clear_cache": clear_the_cache,
        "foreign pages": come_from_elsewhere,
        "hostile addresses": open_hostile_addresses,
        **files,
    }


def attack(url: str) -> list[str]:
    """Send every attack, some at once, and return one line per attack that the server did not withstand."""
    return asyncio.run(_attack(url))


async def _attack(url: str) -> list[str]:
    waiting, lines = list(reversed(attacks().items())), []

    async def attacker() -> None:
        while waiting:
            (name, send), began = waiting.pop(), time.monotonic()
            try:
                await send(url)
            except Exception as error:
                lines.append(f"{name}: {error!r}")
            print(f"{name}: {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)

    await asyncio.gather(*(attacker() for _ in range(AT_ONCE)))
    return lines


def _models(visitor: Visitor) -> set[str]:
    """The checkpoints that the page offers."""
    menus = [one.proto for one in visitor.inputs.values() if one.kind == "selectbox"]
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
