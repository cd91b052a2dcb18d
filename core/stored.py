"""The JSON and npz files of a trace: one layout for both, and a place in it for each array."""

import io
import json
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy import ndarray

from core.quantities import Quantities

if TYPE_CHECKING:
    from core.trace import Trace

Same = TypeVar("Same", bound="Stored")

BY_KIND: dict[str, type["Trace"]] = {}  # the trace class of each kind of network
# Fields that traces of all kinds have. Files have them at the top, and the others under "extra" or in "layers".
COMMON = frozenset(
    ("model", "task", "device", "weights", "tokens", "spans", "classes", "probabilities", "edits", "notices")
)
# Errors that a file raises if it is not a trace.
MALFORMED = (KeyError, TypeError, IndexError, AttributeError, StopIteration)


class Stored(Quantities):
    """A trace that can be written to files and read back."""

    kind: ClassVar[str] = ""

    def to_json(self) -> str:
        """The trace as JSON, each array a nested list."""
        return json.dumps(self.to_stored(), default=ndarray.tolist)

    @classmethod
    def from_json(cls: type[Same], text: str) -> Same:
        """Read a trace that ``to_json`` wrote.

        Raises:
            ValueError: the text is not such a trace.
        """
        try:
            stored = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"this is not a stored trace: {error}") from None
        return cls.from_stored(stored)

    def to_npz(self) -> bytes:
        """The trace as a NumPy archive.

        Each array is stored under its place in the JSON, such as "layers.0.coupling"; everything else is one JSON text
        under "json".
        """
        stored, arrays = self.to_stored(), {}
        for place, _, dtype in self.stored_arrays():
            if dtype is not str:
                arrays[place] = _parent(stored, place).pop(place.split(".")[-1])
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, json=np.array(json.dumps(stored)), **arrays)
        return file.getvalue()

    @classmethod
    def from_npz(cls: type[Same], content: bytes) -> Same:
        """Read a trace that ``to_npz`` wrote.

        Raises:
            ValueError: the content is not such a trace.
        """
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                stored = json.loads(str(file["json"]))
                for place in set(file.files) - {"json"}:
                    _parent(stored, place)[place.split(".")[-1]] = file[place]
        except (*MALFORMED, BadZipFile, EOFError, RecursionError, ValueError) as error:
            raise ValueError(f"this is not a stored trace: {error!r}") from None
        return cls.from_stored(stored)

    @classmethod
    def stored_arrays(cls) -> Iterator[tuple[str, tuple[str, ...], type]]:
        """Yield the place in the files, the axes and the dtype of every array in this class of trace."""
        number = 0
        for f in fields(cls):
            if "axes" in f.metadata:
                yield f.name if f.name in COMMON else f"extra.{f.name}", f.metadata["axes"], f.metadata["dtype"]
            elif "letters" in f.metadata:
                routing: Any = f.type
                for inner in fields(routing):
                    axes = tuple(f.metadata["letters"].get(axis, axis) for axis in inner.metadata["axes"])
                    yield f"layers.{number}.{inner.name}", axes, inner.metadata["dtype"]
                number += 1

    def to_stored(self) -> dict[str, Any]:
        """The trace as nested dictionaries and lists with arrays in them, the layout of both file formats."""
        common: dict[str, Any] = {}
        layers, extra = [], {}
        for f in fields(self):
            value = getattr(self, f.name)
            if "letters" in f.metadata:
                layers.append({inner.name: getattr(value, inner.name) for inner in fields(value)})
            else:
                (common if f.name in COMMON else extra)[f.name] = value
        last = {name: common.pop(name) for name in ("edits", "notices")}
        return common | {"layers": layers, "extra": extra} | last | {"kind": self.kind}

    @classmethod
    def from_stored(cls: type[Same], stored: Any) -> Same:
        """Rebuild a trace from ``to_stored``, whose arrays may be nested lists; its entry "kind" decides the class.

        Raises:
            ValueError: ``stored`` is anything else.
        """
        try:
            kind = BY_KIND[stored["kind"]]
            _read_arrays(stored, [entry for entry in kind.stored_arrays() if entry[2] is not str])
            layers = iter(stored["layers"])
            values = stored | stored["extra"] | {"spans": [(start, end) for start, end in stored["spans"]]}
            for f in fields(kind):
                make: Any = f.type
                values[f.name] = make(**next(layers)) if "letters" in f.metadata else values[f.name]
            trace = kind(**{f.name: values[f.name] for f in fields(kind)})
        except MALFORMED as error:
            raise ValueError(f"this is not a stored trace: {error!r}") from None
        if not isinstance(trace, cls):
            raise ValueError(f"this is a trace of kind {kind.kind!r}, wanted {cls.kind!r}")
        return trace


def _parent(stored: dict[str, Any], place: str) -> dict[str, Any]:
    """The dictionary that holds the value at a place such as "layers.0.coupling"."""
    inner: Any = stored
    for key in place.split(".")[:-1]:
        inner = inner[int(key) if key.isdecimal() else key]
    return inner


def _read_arrays(stored: dict[str, Any], declared: list[tuple[str, tuple[str, ...], type]]) -> None:
    """Replace the nested lists in a stored layout by arrays.

    JSON loses the axes after one of size 0. They are restored with the sizes that their letters have in other arrays.
    """
    sizes: dict[str, int] = {}
    for place, axes, dtype in declared:
        parent, name = _parent(stored, place), place.split(".")[-1]
        parent[name] = np.asarray(parent[name], dtype)
        if parent[name].ndim == len(axes):
            sizes |= zip(axes, parent[name].shape, strict=True)
    for place, axes, dtype in declared:
        parent, name = _parent(stored, place), place.split(".")[-1]
        if parent[name].size == 0 and parent[name].ndim < len(axes):
            shape = [*parent[name].shape, *(sizes.get(axis, 0) for axis in axes[parent[name].ndim :])]
            parent[name] = np.zeros(shape, dtype)
