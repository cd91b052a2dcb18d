"""The OpenAPI document, which is generated from the types of the messages."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec.json import schema_components

from core import __version__
from dashboard.server.api.limits import MAX_AT_ONCE, MAX_BATCH, MAX_BODY, MAX_TEXT, MAX_TEXTS, MAX_WORK, SHARE
from dashboard.server.api.messages import (
    BatchHead,
    BatchRequest,
    CutsAnswer,
    CutsRequest,
    ExplainRequest,
    ModelsAnswer,
    Refusal,
)
from dashboard.server.api.trace_types import answers_with_traces

JSON, LINES = "application/json", "application/x-ndjson"
REFERENCE = "#/components/schemas/{name}"
LEAD = (
    f"Runs of this server's networks for programs. A text has at most {MAX_TEXT:,} characters, a batch {MAX_TEXTS} "
    f"texts and {MAX_BATCH:,} characters, a request {MAX_BODY >> 20} MB. At most {MAX_AT_ONCE} runs are made at "
    f"once. On a public server, an address may use {MAX_WORK:.0f} seconds of a processor at once, and {SHARE} more "
    "each second."
)
REFUSALS = {  # by status
    "400": "The request is invalid, or the network does not admit it.",
    "403": "The request comes from a page of another site.",
    "408": "The request did not come to its end.",
    "413": "The request is too large.",
    "415": "The request is not JSON.",
    "429": "Much work was just done for this address: the header Retry-After says in how many seconds to ask again.",
    "500": "The server could not do this.",
    "503": "Too many are asking: the header Retry-After says in how many seconds to ask again.",
}
OF_ALL = ("500", "503")  # refusals of requests without a body, too
RETRY_AFTER = {"Retry-After": {"description": "seconds", "schema": {"type": "integer"}}}
EXAMPLE = {"network": "dragg-sst5", "text": "A warm, funny film."}
EXAMPLES = {
    "explain": EXAMPLE,
    "cuts": EXAMPLE | {"by": "capsule"},
    "batch": {"network": "dragg-sst5", "texts": ["A warm, funny film.", "A dull one."]},
}


def document(base: str) -> bytes:
    """The OpenAPI document.

    Args:
        base: path of the first page.
    """
    return json.dumps(describe() | {"servers": [{"url": base.rstrip("/") or "/"}]}).encode()


@cache
def describe() -> dict[str, Any]:
    """The OpenAPI document without the address of the server."""
    explained, line = answers_with_traces()
    types = [ExplainRequest, CutsRequest, BatchRequest, ModelsAnswer, explained, CutsAnswer, BatchHead, line, Refusal]
    references, components = schema_components(types, ref_template=REFERENCE)
    of = dict(zip((kind.__name__ for kind in types), references, strict=True))
    lines = {"anyOf": [of["BatchHead"], of["BatchLine"]]}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Routescope", "version": __version__, "description": LEAD},
        "paths": {
            "/api/models": {"get": _operation("models", "List the networks.", _json(of["ModelsAnswer"]), OF_ALL, of)},
            "/api/explain": _post("explain", "Run a text, and return every step.", _json(of["ExplainAnswer"]), of),
            "/api/cuts": _post("cuts", "Run a text without each coupling.", _json(of["CutsAnswer"]), of),
            "/api/batch": _post(
                "batch",
                "Run many texts. The answer comes line by line: first a BatchHead, then a BatchLine for each text.",
                {LINES: {"schema": lines}},
                of,
            ),
        },
        "components": {"schemas": components},
    }


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {JSON: {"schema": schema}}


def _post(name: str, summary: str, answer: dict[str, Any], of: dict[str, dict]) -> dict[str, Any]:
    """A path that takes a request."""
    asked = {"schema": of[f"{name.capitalize()}Request"], "example": EXAMPLES[name]}
    return {
        "post": _operation(name, summary, answer, REFUSALS, of)
        | {"requestBody": {"required": True, "content": {JSON: asked}}}
    }


def _operation(
    name: str, summary: str, answer: dict[str, Any], refusals: Iterable[str], of: dict[str, dict]
) -> dict[str, Any]:
    """An operation with its answers. ``refusals`` are the statuses of those that refuse a request."""
    answers: dict[str, Any] = {"200": {"description": "The answer.", "content": answer}}
    for status in refusals:
        answers[status] = {"description": REFUSALS[status], "content": _json(of["Refusal"])}
        if status in ("429", "503"):
            answers[status]["headers"] = RETRY_AFTER
    return {"operationId": name, "summary": summary, "responses": answers}
