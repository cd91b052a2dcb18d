"""The pieces of a file's content that are checked one by one, by its format: cells of a picture, arrays, sources."""

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
from numpy import ndarray

from core.provenance.containers import load_json
from core.provenance.pieces import Piece
from core.provenance.record import REST
from core.sentences.words import quote
from core.stored import MALFORMED
from core.trace import Trace

FIGURES = b'vegaEmbed("#figures", '  # begins the drawing of the figures in a page
MAX_DEPTH = 6  # nested objects whose entries are pieces
PLACES = ("column", "row")  # fields of a figure's table that repeat others
LABEL = b' aria-label="'


def pieces_of(ending: str, body: Any) -> list[Piece]:
    """The pieces of a file.

    Args:
        ending: ending of its name, such as ".svg".
        body: its content without the record, as ``take`` returns it.

    Raises:
        ValueError: the content is not what such a file holds.
    """
    read = {".json": _of_json, ".npz": _of_npz, ".ipynb": _of_notebook}.get(ending, _of_picture)
    try:
        return list(read(body))
    except (*MALFORMED, ArithmeticError, RecursionError) as error:
        raise ValueError(f"it is not what Routescope exports: {error!r:.80}") from None


def pieces_of_bytes(ending: str, body: bytes) -> list[Piece]:
    """``pieces_of`` for a file that has no record yet."""
    if ending == ".npz":
        with np.load(BytesIO(body), allow_pickle=False) as arrays:
            return pieces_of(ending, dict(arrays))
    return pieces_of(ending, json.loads(body) if ending in (".json", ".ipynb") else body)


def _of_picture(body: bytes) -> Iterator[Piece]:
    """The cells of an SVG, which have labels for screen readers, or the rows of a page's tables; then the rest."""
    yield from _labelled(body)
    yield from _rows(body)
    yield Piece("rest", REST, body)


def _labelled(body: bytes) -> Iterator[Piece]:
    tags = (tag for tag in body.split(b"<") if LABEL in tag) if body.startswith(b"<svg") else ()
    for number, tag in enumerate(tags, 1):
        label = tag.partition(LABEL)[2].partition(b'"')[0].decode(errors="replace")
        yield Piece(f"mark {number}", f"the mark {quote(label, 80)}", tag)


def _rows(body: bytes) -> Iterator[Piece]:
    start = body.rfind(FIGURES)
    if start < 0:
        return
    try:
        spec, _ = json.JSONDecoder().raw_decode(body[start + len(FIGURES) :].decode(errors="replace"))
        tables = [figure["data"]["values"] for figure in spec["vconcat"]]
    except (*MALFORMED, ValueError, RecursionError):
        return  # the whole page has a checksum too
    for k, table in enumerate(tables, 1):
        for number, row in enumerate(table if isinstance(table, list) else [], 1):
            yield Piece(f"figure {k} row {number}", f"figure {k}, {_name_row(row, number)}", row)


def _name_row(row: Any, number: int) -> str:
    """The names in a row of a figure's table; its number if it has none."""
    entries = row.items() if isinstance(row, dict) else ()
    named = [f"{key} {quote(str(value))}" for key, value in entries if isinstance(value, str) and key not in PLACES]
    step = [f"step {row['t']}"] if entries and isinstance(row.get("t"), int) else []
    return ", ".join([*named, *step]) or f"row {number}"


def _of_json(body: dict[str, Any]) -> Iterator[Piece]:
    """The arrays and other entries of a trace; of another JSON file, its entries."""
    if "kind" not in body:
        yield from _of_entries(body)
        return
    trace = Trace.from_stored(body)
    units = units_of(trace)
    for place, axes, dtype in trace.stored_arrays():
        if dtype is not str:
            yield Piece(f"array {place}", place, np.asarray(trace[place]), tuple(units.get(a, a) for a in axes))
    for key, value in trace.to_stored().items():
        yield Piece(f"entry {key}", f"{key!r:.40}", value)


def _of_entries(body: dict[str, Any], path: str = "", depth: int = 0) -> Iterator[Piece]:
    """The entries of nested objects. Lists that are arrays of numbers count as arrays."""
    for key, value in body.items():
        place = f"{path}{key}"
        if isinstance(value, dict) and depth < MAX_DEPTH:
            yield from _of_entries(value, f"{place}.", depth + 1)
        elif (array := _as_array(value)) is not None:
            axes = tuple(f"index {axis}:" for axis in range(1, array.ndim + 1))
            yield Piece(f"array {place}", f"{place:.60}", array, axes)
        else:
            yield Piece(f"entry {place}", f"{place!r:.60}", value)


def _as_array(value: Any) -> ndarray | None:
    """A list, or an array, as an array of numbers; None if it is none."""
    if not isinstance(value, list | ndarray):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError, RecursionError):
        return None
    return array if array.dtype.kind in "biuf" and array.ndim and array.size else None


def units_of(trace: Trace) -> dict[str, str]:
    """The unit of each axis letter of a trace that its main quantity has."""
    cells, usual = trace.cells, {"t": trace.along, "k": "class"}
    for place, axes, dtype in trace.stored_arrays():
        value = trace[place]
        if dtype is not str and value.shape == cells.values.shape and np.array_equal(value, cells.values):
            return usual | dict(zip(axes, (trace.along, *cells.names), strict=True))
    return usual


def _of_npz(arrays: dict[str, ndarray]) -> Iterator[Piece]:
    """The pieces of the trace in a NumPy archive."""
    if "json" not in arrays:
        yield from _of_entries({name: _plain(array) for name, array in arrays.items()})
        return
    stored = load_json(str(arrays["json"]).encode(errors="replace"))
    for place in set(arrays) - {"json"}:
        inner: Any = stored
        *path, name = place.split(".")
        for key in path:
            inner = inner[int(key) if key.isdecimal() else key]
        inner[name] = arrays[place]
    yield from _of_json(stored)


def _plain(array: ndarray) -> Any:
    """An array of numbers itself, another array as lists."""
    return array if array.dtype.kind in "biuf" else array.tolist()


def _of_notebook(body: dict[str, Any]) -> Iterator[Piece]:
    """The cells of a notebook, without what they printed."""
    cells = body.get("cells")
    for number, cell in enumerate(cells if isinstance(cells, list) else [], 1):
        source = cell.get("source") if isinstance(cell, dict) else None
        joined = "".join(map(str, source)) if isinstance(source, list) else str(source)
        yield Piece(f"cell {number}", f"cell {number} of the notebook", joined)
