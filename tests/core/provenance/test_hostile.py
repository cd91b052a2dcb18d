"""Files from anybody are read or refused with one sentence, in bounded memory."""

import io
import json
import random
import tracemalloc
import zipfile

import numpy as np
import pytest

from core.provenance import containers
from core.provenance.containers import CONTAINERS
from core.provenance.seal import read
from tests.core.provenance.exports import FORMATS, TEXT, exported, plain, with_json

MOST = 700 << 20  # bytes


def svg(record):
    return b'<svg><metadata id="routescope" data-type="application/json">' + record + b"</metadata></svg>"


def changed(**entries):
    """The record of a figure with other entries."""
    return svg(with_json(CONTAINERS[".svg"].take(exported("svg")).record, lambda stored: stored.update(entries)))


def with_drawn(**entries):
    """The record of a figure with other entries in its first array."""
    record = json.loads(CONTAINERS[".svg"].take(exported("svg")).record)
    record["runs"][0]["arrays"][0] |= entries
    return svg(json.dumps(record).encode())


def archive(**entries):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in entries.items():
            packed.writestr(f"{name}.npy", content)
    return file.getvalue()


def npy(header):
    """A NumPy array that states this header and holds nothing."""
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def pickled():
    file = io.BytesIO()
    np.save(file, np.array([{}], object), allow_pickle=True)
    return file.getvalue()


BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
HOSTILE = {
    "empty.svg": lambda: b"",
    "bomb.svg": lambda: BOMB + b"<svg>&b;</svg>",
    "nested.svg": lambda: b"<svg>" * 10**6,
    "open.svg": lambda: b'<svg><metadata id="routescope" data-type="application/json">{',
    "two.svg": lambda: exported("svg") + exported("svg"),
    "labels.svg": lambda: b"<svg" + b' aria-label="' * 10**6 + b"</svg>",
    "deep.svg": lambda: svg(b"[" * 10**6),
    "no-record.svg": lambda: svg(b"[]"),
    "later.svg": lambda: changed(format="routescope provenance 9"),
    "list.svg": lambda: changed(runs=3),
    "shape.svg": lambda: with_drawn(shape=[10**9, 10**9]),
    "negative.svg": lambda: with_drawn(shape=[-3, -6, 5]),
    "infinite.svg": lambda: with_drawn(values=[1e300] * 135),
    "large.svg": lambda: svg(b'{"title":"' + b"x" * (17 << 20) + b'"}'),
    "huge.html": lambda: b" " * (containers.MAX_CONTENT + 1),
    "garbage.pdf": lambda: b"%PDF-1.7\n" + random.Random(0).randbytes(1 << 20),
    "update.pdf": lambda: b"%PDF-1.7\n" + containers.MARK + b"trailer << /Size 1 /Root 1 0 R >>",
    "marks.pdf": lambda: containers.MARK * 10**5,
    "digits.pdf": lambda: (
        plain("pdf").replace(b"/Size ", b"/Size " + b"9" * 10**5) + containers.MARK + b">>\nstream\n{}"
    ),
    "deep.json": lambda: b'{"provenance": ' + b"[" * 10**6,
    "lists.json": lambda: b'{"a": [' + b"[]," * (20 << 20) + b"[]]}",
    "numbers.json": lambda: b'{"a": [' + b"1," * (30 << 20) + b"1]}",
    "digits.json": lambda: b'{"a": ' + b"9" * 10**6 + b"}",
    "array.json": lambda: b"[]",
    "text.json": lambda: b"\xff\xfe",
    "kind.json": lambda: with_json(exported("json"), lambda s: s.update(kind=[])),
    "layers.json": lambda: with_json(exported("json"), lambda s: s.update(layers=[])),
    "metadata.ipynb": lambda: b'{"metadata": [], "cells": 3}',
    "text.npz": lambda: b"PK\x03\x04" + bytes(1000),
    "pickled.npz": lambda: archive(provenance=pickled()),
    "bomb.npz": lambda: archive(json=bytes(200 << 20)),
    "lies.npz": lambda: archive(provenance=npy("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999,)}")),
    "code.npz": lambda: archive(provenance=npy("__import__('os').abort()")),
    "entries.npz": lambda: archive(**{f"a{k}": b"" for k in range(300)}),
    "figure.png": lambda: b"\x89PNG",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_with_one_sentence(name):
    content = HOSTILE[name]()
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=name) as caught:
            read(content, name)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("ending", FORMATS)
def test_mutated_figures_are_refused_or_their_change_is_seen(ending):
    chance, whole, name = random.Random(ending), exported(ending, TEXT), f"figure.{ending}"
    assert not read(whole, name).changes
    start = max(0, len(whole) - 20_000)  # the library of a page is not worth it
    for _ in range(60):
        content = bytearray(whole)
        at = chance.randrange(start, len(content))
        content[at : at + chance.randrange(3)] = chance.choice([b"", b'"', b"<", b"[", b"null", b"1e999", b"\x00"])
        try:
            found = read(bytes(content), name)
        except ValueError as error:
            assert "\n" not in str(error)
        else:
            assert found.changes or bytes(content) == whole or ending in ("npz", "json", "ipynb")
