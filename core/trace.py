"""A run of a network on one input, kept step by step: typed arrays with named axes, and how they are stored in files.

``core.traces`` has a file for each family of networks with the fields of its traces.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy import ndarray

CLASSES: dict[str, type["Trace"]] = {}  # the class of trace of each kind of network
Some = TypeVar("Some", bound="Quantities")
MALFORMED = (KeyError, TypeError, IndexError, AttributeError, StopIteration)


def array(axes: str, dtype: type = np.float32) -> Any:
    """Declare a field that holds an array, or a list of texts.

    Args:
        axes: a letter for each axis, "t i j"; one letter is one size within a trace. An axis listed in ``STARTS`` runs
            along the steps, and only the first axis may.
        dtype: of the array when it is read from a file; ``str`` for a list of texts.
    """
    return field(metadata={"axes": tuple(axes.split()), "dtype": dtype})


def routing(**letters: str) -> Any:
    """Declare a field that holds the quantities of one routing.

    Args:
        letters: axes that have another letter in the trace than in the routing, such as ``i="j", j="k"``.
    """
    return field(metadata={"letters": letters})


@dataclass(frozen=True, kw_only=True, eq=False)
class Quantities:
    """Arrays whose shapes fit the axes that their fields declare.

    Raises:
        ValueError: an array has another number of axes, or a letter two sizes.
    """

    STARTS: ClassVar[dict[str, int]] = {"t": 1}  # axes along the steps, and the step each begins with

    def __post_init__(self) -> None:
        self.sizes()

    def arrays(self, letters: dict[str, str] | None = None) -> Iterator[tuple[str, tuple[str, ...], Any]]:
        """Name, axes and value of every array, routings included."""
        letters = letters or {}
        for f in fields(self):
            value = getattr(self, f.name)
            if "axes" in f.metadata:
                yield f.name, tuple(letters.get(axis, axis) for axis in f.metadata["axes"]), value
            elif "letters" in f.metadata:
                for name, axes, inner in value.arrays(f.metadata["letters"]):
                    yield f"{f.name}.{name}", axes, inner

    def sizes(self) -> dict[str, int]:
        """The size that each letter stands for."""
        sizes: dict[str, int] = {}
        for name, axes, value in self.arrays():
            shape = np.shape(value)
            if len(shape) != len(axes) or any(
                sizes.setdefault(axis, size) != size for axis, size in zip(axes, shape, strict=True)
            ):
                wanted = ", ".join(f"{axis} = {sizes[axis]}" if axis in sizes else axis for axis in axes)
                raise ValueError(f"{name} has shape {list(shape)}, wanted [{wanted}]")
        return sizes

    def first(self: Some, n: int) -> Some:
        """What a run of n steps would have kept: a longer run contains every shorter one."""
        cut: dict[str, Any] = {}
        for f in fields(self):
            value = getattr(self, f.name)
            start = self.STARTS.get(f.metadata.get("axes", ("",))[0])
            if start is not None:
                cut[f.name] = value[: max(0, n + 1 - start)]
            elif "letters" in f.metadata:
                cut[f.name] = value.first(n)
        return replace(self, **cut)

    def __eq__(self, other: object) -> bool:
        """Whether both are of one class and hold the same values."""
        if type(self) is not type(other):
            return False
        pairs = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        return all(np.array_equal(a, b) if isinstance(a, ndarray) else a == b for a, b in pairs)


@dataclass(frozen=True, kw_only=True, eq=False)
class Trace(Quantities):
    """One input through one network.

    weights: sha256 of the file with the network's weights.
    tokens, spans: the words as typed, and where each stands in the text, [start, end) in characters; none for pictures.
    probabilities: what the head says of the state after step t. Where class capsules are the classes, their lengths,
        which need not sum to 1.
    edits: what was changed inside the run.
    notices: sentences for whoever reads the trace.
    """

    kind: ClassVar[str] = ""
    along: ClassVar[str] = "iteration"  # the kind of step: "iteration", "layer" or "window"
    twins_differ_in: ClassVar[str] = ""  # the setting that the network's twin was trained with otherwise

    model: str
    task: str
    device: str
    weights: str
    tokens: list[str]
    spans: list[tuple[int, int]]
    classes: list[str] = array("k", str)
    probabilities: ndarray = array("t k")
    edits: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def __init_subclass__(cls, kind: str = "") -> None:
        """kind: of the networks whose traces these are; the same class reads their files."""
        if kind:
            cls.kind = kind
            CLASSES[kind] = cls

    @property
    def n_iters(self) -> int:
        """Number of steps."""
        return len(self.probabilities)

    @property
    def layers(self) -> list[dict[str, ndarray]]:
        """The arrays of each routing by name."""
        return self._stored()["layers"]

    @property
    def steps(self) -> dict[str, ndarray]:
        """The arrays of the first routing by name; empty where there is none."""
        return next(iter(self.layers), {})

    @property
    def extra(self) -> dict[str, Any]:
        """What only this family has, by name: arrays along the steps, lists and plain values."""
        along = {f.name for f in fields(self) if f.metadata.get("axes", ("",))[0] in self.STARTS}
        extra = self._stored()["extra"]
        return {name: v.tolist() if isinstance(v, ndarray) and name not in along else v for name, v in extra.items()}

    def summary(self) -> Iterator[str]:
        """The run in a few lines of text."""
        yield f"{self.model} on {self.device}, {len(self.tokens)} words"
        yield from self._probabilities("had routing stopped after iteration", range(1, self.n_iters + 1))

    def _probabilities(self, heading: str, shown: range | tuple[int, ...]) -> Iterator[str]:
        """A table of the probabilities after some of the steps."""
        yield f"{heading:<36}" + "".join(f"{t:>7}" for t in shown)
        for k, name in enumerate(self.classes):
            yield f"  {name:<34}" + "".join(f"{self.probabilities[t - 1, k]:>7.1%}" for t in shown)

    def to_json(self) -> str:
        """The trace as JSON, each array a nested list."""
        return json.dumps(self._stored(), default=ndarray.tolist)

    @classmethod
    def from_json(cls, text: str) -> "Trace":
        """The trace that ``to_json`` wrote.

        Raises:
            ValueError: the text is something else.
        """
        try:
            stored = json.loads(text)
        except ValueError as error:
            raise ValueError(f"this is no stored trace: {error}") from None
        return cls._restored(stored)

    def to_npz(self) -> bytes:
        """The trace as a NumPy archive: every array under its place in the JSON, such as "layers.0.coupling", and the
        rest as one JSON text under "json".
        """
        stored, arrays = self._stored(), {}
        for place, _, dtype in self.stored_arrays():
            if dtype is not str:
                arrays[place] = _parent(stored, place).pop(place.split(".")[-1])
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, json=np.array(json.dumps(stored)), **arrays)
        return file.getvalue()

    @classmethod
    def from_npz(cls, content: bytes) -> "Trace":
        """The trace that ``to_npz`` wrote.

        Raises:
            ValueError: the content is something else.
        """
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                stored = json.loads(str(file["json"]))
                for place in set(file.files) - {"json"}:
                    _parent(stored, place)[place.split(".")[-1]] = file[place]
        except (*MALFORMED, BadZipFile, EOFError, ValueError) as error:
            raise ValueError(f"this is no stored trace: {error!r}") from None
        return cls._restored(stored)

    @classmethod
    def stored_arrays(cls) -> Iterator[tuple[str, tuple[str, ...], type]]:
        """Every array that such a trace holds: its place in the files, its axes, its dtype."""
        number = 0
        for f in fields(cls):
            if "axes" in f.metadata:
                yield f.name if f.name in COMMON else f"extra.{f.name}", f.metadata["axes"], f.metadata["dtype"]
            elif "letters" in f.metadata:
                for inner in fields(f.type):
                    axes = tuple(f.metadata["letters"].get(axis, axis) for axis in inner.metadata["axes"])
                    yield f"layers.{number}.{inner.name}", axes, inner.metadata["dtype"]
                number += 1

    def _stored(self) -> dict[str, Any]:
        """The layout of both files."""
        stored: dict[str, Any] = {"kind": self.kind, "layers": [], "extra": {}}
        for f in fields(self):
            value = getattr(self, f.name)
            if "letters" in f.metadata:
                stored["layers"].append({inner.name: getattr(value, inner.name) for inner in fields(value)})
            else:
                (stored if f.name in COMMON else stored["extra"])[f.name] = value
        return stored

    @classmethod
    def _restored(cls, stored: dict[str, Any]) -> "Trace":
        """The trace of a stored layout, of the class that its kind names."""
        try:
            kind = CLASSES[stored["kind"]]
            _read_arrays(stored, [entry for entry in kind.stored_arrays() if entry[2] is not str])
            layers = iter(stored["layers"])
            values = stored | stored["extra"] | {"spans": [(start, end) for start, end in stored["spans"]]}
            for f in fields(kind):
                values[f.name] = f.type(**next(layers)) if "letters" in f.metadata else values[f.name]
            trace = kind(**{f.name: values[f.name] for f in fields(kind)})
        except MALFORMED as error:
            raise ValueError(f"this is no stored trace: {error!r}") from None
        if not isinstance(trace, cls):
            raise ValueError(f"this is a trace of kind {kind.kind!r}, wanted {cls.kind!r}")
        return trace


COMMON = {f.name for f in fields(Trace)}


def _parent(stored: dict[str, Any], place: str) -> dict[str, Any]:
    """The dictionary that holds the value at a place such as "layers.0.coupling"."""
    inner: Any = stored
    for key in place.split(".")[:-1]:
        inner = inner[int(key) if key.isdecimal() else key]
    return inner


def _read_arrays(stored: dict[str, Any], declared: list[tuple[str, tuple[str, ...], type]]) -> None:
    """Replace the nested lists in a stored layout by arrays. JSON drops the axes behind one of size 0: they come back
    with the sizes that their letters have elsewhere.
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
