"""Puts records into files and takes them out again, as bytes: nothing in a file is run, and no markup is parsed.

A PDF gets the record as an attachment, by an update at its end (ISO 32000-1, 7.5.6 and 7.11.4).
"""

import io
import json
import re
import zipfile
from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from core.archives import open_archive, read_blocks
from core.provenance.record import MAX_RECORD

ENTRY = "provenance"  # name of the record's entry in JSON, in NumPy archives and in a notebook's metadata
MAX_CONTENT = 64 << 20  # bytes of a file, and of what an archive holds
MAX_NESTED, MAX_VALUES = 2_000_000, 8_000_000  # lists and objects in JSON, and values
MAX_ENTRIES = 200  # arrays in a NumPy archive
NONE = "it holds no record of Routescope"
SEVERAL = "it holds more than one record"


class Opened(NamedTuple):
    """A file without its record, and the record; ``body`` is bytes, or the parsed content of JSON and NumPy files."""

    body: Any
    record: bytes


class Container(NamedTuple):
    """A format of files: put(body, record) returns the file, and take(file) returns both, or raises ValueError."""

    put: Callable[[bytes, bytes], bytes]
    take: Callable[[bytes], Opened]


def _in_element(start: bytes, end: bytes, before: bytes) -> Container:
    """A format with the record in an element of markup.

    Args:
        start, end: tags of the element.
        before: tag that ends the document, before which the element is put.
    """

    def put(body: bytes, record: bytes) -> bytes:
        at = body.rindex(before)
        return body[:at] + start + record + end + body[at:]

    def take(content: bytes) -> Opened:
        head, tag, tail = content.partition(start)
        record, closed, rest = tail.partition(end)
        if not tag or not closed:
            raise ValueError(NONE)
        if start in rest:
            raise ValueError(SEVERAL)
        return Opened(head + rest, record)

    return Container(put, take)


def load_json(content: bytes) -> dict[str, Any]:
    """The object in JSON; ValueError if there is none, or more than the memory should hold."""
    if content.count(b"[") + content.count(b"{") > MAX_NESTED or content.count(b",") > MAX_VALUES:
        raise ValueError("it holds more values than a figure can have")
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON, or damaged") from None
    if not isinstance(value, dict):
        raise ValueError(NONE)
    return value


def _dump(value: Any, indent: int | None = None) -> bytes:
    try:
        return json.dumps(value, indent=indent).encode()
    except (ValueError, RecursionError):
        raise ValueError("its record is damaged") from None


def _put_json(body: bytes, record: bytes) -> bytes:
    return _dump(json.loads(body) | {ENTRY: json.loads(record)})


def _take_json(content: bytes) -> Opened:
    body = load_json(content)
    if ENTRY not in body:
        raise ValueError(NONE)
    return Opened(body, _dump(body.pop(ENTRY)))


def _put_notebook(body: bytes, record: bytes) -> bytes:
    notebook = json.loads(body)
    notebook["metadata"]["routescope"] = json.loads(record)
    return _dump(notebook, indent=1)


def _take_notebook(content: bytes) -> Opened:
    body = load_json(content)
    metadata = body.get("metadata")
    if not isinstance(metadata, dict) or "routescope" not in metadata:
        raise ValueError(NONE)
    return Opened(body, _dump(metadata.pop("routescope")))


def _put_npz(body: bytes, record: bytes) -> bytes:
    entry, file = io.BytesIO(), io.BytesIO(body)
    np.save(entry, np.array(record.decode()), allow_pickle=False)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(f"{ENTRY}.npy"), entry.getvalue(), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _take_npz(content: bytes) -> Opened:
    archive, entries = open_archive(io.BytesIO(content), "the file", MAX_ENTRIES)
    if sum(entry.file_size for entry in entries) > MAX_CONTENT:
        raise ValueError(f"it unpacks to more than {MAX_CONTENT:,} bytes")
    arrays = {e.filename.removesuffix(".npy"): _array(b"".join(read_blocks(archive, e)), e.filename) for e in entries}
    if ENTRY not in arrays or len(arrays) < len(entries):
        raise ValueError(SEVERAL if ENTRY in arrays else NONE)
    return Opened(arrays, str(arrays.pop(ENTRY)).encode(errors="replace"))


def _array(content: bytes, name: str) -> ndarray:
    """The array in an entry of a NumPy archive. Its header is checked before memory is taken for it."""
    file = io.BytesIO(content)
    try:
        read = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}
        shape, _, dtype = read[np.lib.format.read_magic(file)[0]](file)
        is_whole = prod(shape) * dtype.itemsize == len(content) - file.tell()
        if dtype.hasobject or not is_whole or any(size < 0 for size in shape):
            raise ValueError
        file.seek(0)
        return np.load(file, allow_pickle=False)
    except Exception:  # NumPy raises many kinds of errors for damaged headers
        raise ValueError(f"{name!r:.40} in it is no array of numbers or text") from None


def _put_pdf(body: bytes, record: bytes) -> bytes:
    trailer = body[body.rindex(b"trailer") :]
    size, root = (int(re.search(rb"/%b (\d+)" % name, trailer)[1]) for name in (b"Size", b"Root"))
    previous = int(re.search(rb"startxref\s+(\d+)", trailer)[1])
    info = re.search(rb"/Info \d+ 0 R", trailer)
    start = re.search(rb"(?:^|\n)%d 0 obj\s*<<" % root, body).end()
    catalog = body[start : body.index(b"endobj", start)].rstrip().removesuffix(b">>")
    names = b"/Names << /EmbeddedFiles << /Names [(routescope.json) %d 0 R] >> >>" % size
    file = b"/Type /Filespec /F (routescope.json) /UF (routescope.json) /AFRelationship /Data /EF << /F %d 0 R >>"
    stream = b"<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length %d >>\nstream\n%b\nendstream"
    objects = {
        root: b"<<" + catalog + names + b" >>",
        size: b"<< " + file % (size + 1) + b" >>",
        size + 1: stream % (len(record), record),
    }
    update, places = MARK, {}
    for number, content in objects.items():
        places[number] = len(body) + len(update)
        update += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    xref = len(body) + len(update)
    entries = b"0 1\n0000000000 65535 f \n%d 1\n%010d 00000 n \n%d 2\n" % (root, places[root], size)
    entries += b"%010d 00000 n \n%010d 00000 n \n" % (places[size], places[size + 1])
    about = b"/Size %d /Root %d 0 R %b /Prev %d" % (size + 2, root, info[0] if info else b"", previous)
    ending = b"xref\n%btrailer\n<< %b >>\nstartxref\n%d\n%%%%EOF\n" % (entries, about, xref)
    return body + update + ending


def _take_pdf(content: bytes) -> Opened:
    body, mark, update = content.partition(MARK)
    if not mark or MARK in update:
        raise ValueError(SEVERAL if mark else NONE)
    start = update.find(b">>\nstream\n") + len(b">>\nstream\n")
    end = update.find(b"\nendstream", start)
    record = update[start : max(start, end)]
    if len(record) > MAX_RECORD:
        raise ValueError("its record is too large")
    try:
        is_whole = _put_pdf(body, record) == content
    except (ValueError, TypeError, AttributeError):
        is_whole = False
    if not is_whole:
        raise ValueError("the part that attaches its record is damaged")
    return Opened(body, record)


MARK = b"\n% routescope provenance\n"  # a comment at the beginning of the update
SVG = _in_element(b'<metadata id="routescope" data-type="application/json">', b"</metadata>", b"</svg>")
HTML = _in_element(b'<script type="application/json" id="routescope">', b"</script>", b"</body>")
CONTAINERS = {
    ".svg": SVG,
    ".pdf": Container(_put_pdf, _take_pdf),
    ".html": HTML,
    ".json": Container(_put_json, _take_json),
    ".npz": Container(_put_npz, _take_npz),
    ".ipynb": Container(_put_notebook, _take_notebook),
}
