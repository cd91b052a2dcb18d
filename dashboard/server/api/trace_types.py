"""Types of the traces in answers, made from the fields that the classes of traces declare."""

from dataclasses import fields
from functools import reduce
from operator import or_
from typing import Annotated, Any, get_args, get_origin

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from core.stored import BY_KIND, COMMON
from core.trace import Trace
from dashboard.server.api.messages import BatchResult, Facts

OF_JSON = {"f": float, "i": int, "u": int, "b": bool, "U": str}  # types of numbers and texts by NumPy's kind
Field = tuple[str, Any] | tuple[str, Any, Any]


def answers_with_traces() -> tuple[type[Struct], type[Struct]]:
    """The types of an answer to one text, and of a line of a batch."""
    trace = reduce(or_, (_trace(kind) for kind in BY_KIND.values() if kind.is_of_network and kind.reads == "text"))
    described = Annotated[trace, Meta(description="Every step of the run; kind says which fields it has.")]
    answer = [("about", Facts), ("answer", str), ("probabilities", list[float]), ("trace", described)]
    explained = defstruct("ExplainAnswer", answer, namespace={"__doc__": "The run of one text."})
    line = defstruct("BatchLine", [("trace", described | UnsetType, UNSET)], bases=(BatchResult,))
    line.__doc__ = BatchResult.__doc__
    return explained, line


def _trace(record: type[Trace]) -> type[Struct]:
    """The type of one kind of trace in JSON."""
    common: list[Field] = []
    extra: list[Field] = []
    layers: list[type] = []
    for f in fields(record):
        if "letters" in f.metadata:
            layers.append(f.type)
        else:
            (common if f.name in COMMON else extra).append((f.name, _type_of(f)))
    name = record.__name__
    common += [("layers", list[_layer(f"{name}Layer", layers)] if layers else list[dict[str, Any]])]
    common += [("extra", defstruct(f"{name}Extra", extra))]
    doc = (record.__doc__ or "").partition("\n\n    Args:")[0]
    return defstruct(name, common, tag_field="kind", tag=record.kind, namespace={"__doc__": doc})


def _layer(name: str, routings: list[type]) -> type[Struct]:
    """The type of a routing's numbers. An array that only some of the routings have may be missing."""
    of_all = [{f.name: f for f in fields(routing)} for routing in routings]
    found = reduce(or_, of_all)
    declared: list[Field] = [(name, _type_of(f)) for name, f in found.items() if all(name in one for one in of_all)]
    declared += [
        (name, _type_of(f) | UnsetType, UNSET) for name, f in found.items() if not all(name in one for one in of_all)
    ]
    return defstruct(name, declared)


def _type_of(f: Any) -> Any:
    """The type of a field in JSON: nested lists for an array."""
    axes = f.metadata.get("axes")
    if axes is None:
        return _with_lists(f.type)
    nested: Any = OF_JSON[np.dtype(f.metadata["dtype"]).kind]
    for _ in axes:
        nested = list[nested]
    return Annotated[nested, Meta(description=f"axes: {' '.join(axes)}")]


def _with_lists(kind: Any) -> Any:
    """A type whose pairs are lists of two: generators of clients do not know JSON Schema's form of a pair."""
    inner = tuple(map(_with_lists, get_args(kind)))
    if get_origin(kind) is tuple and ... not in inner:
        return Annotated[list[reduce(or_, inner)], Meta(min_length=len(inner), max_length=len(inner))]
    return list[inner[0]] if get_origin(kind) in (list, tuple) else kind
