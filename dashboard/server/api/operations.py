"""The operations of the interface for programs: JSON in, JSON out. They run outside of the event loop."""

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
from numpy import ndarray

from core.trace import Trace
from dashboard.runs import programs
from dashboard.runs.programs import Asked
from dashboard.server.api.facts import facts_of, list_models
from dashboard.server.api.limits import MAX_BATCH
from dashboard.server.api.messages import (
    BatchHead,
    BatchRequest,
    BatchResult,
    CutsAnswer,
    CutsRequest,
    ExplainRequest,
    ModelsAnswer,
)

R = TypeVar("R", bound=ExplainRequest | BatchRequest)
encode = msgspec.json.Encoder(enc_hook=ndarray.tolist).encode


def models() -> bytes:
    """The answer with all networks."""
    return encode(ModelsAnswer(list_models()))


def explain(content: bytes) -> bytes:
    """The answer to an ``ExplainRequest``.

    Raises:
        ValueError: the request is invalid, or the network does not admit it.
    """
    request = _read(content, ExplainRequest)
    trace = programs.explain(_asked(request), request.text)
    return encode({"about": facts_of(request.network), **_answer(trace), "trace": trace.to_stored()})


def cuts(content: bytes) -> bytes:
    """The answer to a ``CutsRequest``; errors as in ``explain``."""
    request = _read(content, CutsRequest)
    lost = programs.cuts(_asked(request), request.text, request.by, request.routing)
    return encode(CutsAnswer(facts_of(request.network), programs.classes_of(request.network), lost.tolist()))


def batch(content: bytes) -> Iterator[bytes]:
    """Yield the lines of the answer to a ``BatchRequest``, some at a time, the head first; errors as in ``explain``.

    An error in one text is in its line.
    """
    request = _read(content, BatchRequest)
    if (length := sum(map(len, request.texts))) > MAX_BATCH:
        raise ValueError(f"These texts have {length:,} characters, and a batch at most {MAX_BATCH:,}.")
    yield _line(BatchHead(facts_of(request.network), programs.classes_of(request.network)))
    index = 0
    for results in programs.explain_many(_asked(request), request.texts):
        lines = [_result(index + k, result, request.traces) for k, result in enumerate(results)]
        index += len(results)
        yield b"".join(lines)


def _result(index: int, result: Trace | Exception, with_trace: bool) -> bytes:
    """The line of one text."""
    if isinstance(result, ValueError):
        return _line(BatchResult(index, error=str(result)))
    if isinstance(result, Exception):
        return _line(BatchResult(index, error="This text could not be run."))
    line = {"index": index, **_answer(result), "notices": result.notices}
    return _line(line | {"trace": result.to_stored()} if with_trace else line)


def _answer(trace: Trace) -> dict[str, Any]:
    return {"answer": trace.answer, "probabilities": trace.class_probabilities}


def _line(value: Any) -> bytes:
    return encode(value) + b"\n"


def _read(content: bytes, kind: type[R]) -> R:
    """The request in some bytes; ValueError if they hold another one, or name no network."""
    try:
        request = msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).replace("`", "").partition(" - at $.")
        raise ValueError(f"{place or 'The request'} is not valid: {reason[:1].lower()}{reason[1:]}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ValueError("This request is not valid JSON.") from None
    programs.check_name(request.network)
    return request


def _asked(request: ExplainRequest | BatchRequest) -> Asked:
    return Asked(request.network, request.iterations, request.edits)
