"""The OpenAPI document as a page for people. It loads nothing, and runs no script."""

import json
from html import escape
from typing import Any

from core import __version__
from dashboard.server.api.document import describe

STYLE = """:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { margin: auto; max-width: 60rem; padding: 1rem }
td, th { padding: 0 1rem 0 0; text-align: left; vertical-align: top }
pre { overflow: auto } h2, h3 { margin-top: 2rem }"""
BOUNDS = {"minimum": "from", "maximum": "to", "maxLength": "at most", "maxItems": "at most"}


def page(base: str) -> bytes:
    """The page.

    Args:
        base: path of the first page.
    """
    document = describe()
    root = escape(base.rstrip("/"))
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Routescope for programs</title>",
        "<meta name='viewport' content='width=device-width'>",
        f"<style>{STYLE}</style></head><body><main><h1>Routescope for programs</h1>",
        f"<p>{escape(document['info']['description'])}</p>",
        f"<p><a href='{root}/api/openapi.json'>The same as an OpenAPI document</a>, version {__version__}.",
        " In Python, <code>routescope.Client(url)</code> sends these requests.</p>",
    ]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parts += _operation(method.upper(), root + path, operation)
    parts += _refusals(document["paths"]["/api/explain"]["post"]["responses"])
    parts += ["<h2>Messages</h2>"]
    for name, schema in document["components"]["schemas"].items():
        parts += _schema(name, schema)
    return "".join([*parts, "</main></body></html>"]).encode()


def _operation(method: str, path: str, operation: dict[str, Any]) -> list[str]:
    """A section on one path."""
    parts = [f"<h2>{method} {path}</h2><p>{escape(operation['summary'])}</p>"]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        example = json.dumps(content["example"])
        command = f"curl HOST{path} -H 'Content-Type: application/json' -d '{example}'"
        parts += [f"<p>Takes {_type(content['schema'])}.</p><pre>{escape(command)}</pre>"]
    (content,) = operation["responses"]["200"]["content"].values()
    return [*parts, f"<p>Returns {_type(content['schema'])}.</p>"]


def _refusals(answers: dict[str, Any]) -> list[str]:
    """A section on the answers that every path may give instead."""
    rows = [
        f"<tr><td>{status}<td>{escape(answer['description'])}" for status, answer in answers.items() if status != "200"
    ]
    refusal = "<a href='#Refusal'>Refusal</a>"
    return [f"<h2>Refusals</h2><p>Each is a {refusal}.</p><table><tr><th>Status<th>Reason", *rows, "</table>"]


def _schema(name: str, schema: dict[str, Any]) -> list[str]:
    """A section on one message."""
    parts = [f"<h3 id='{escape(name)}'>{escape(name)}</h3><p>{escape(schema.get('description', ''))}</p>"]
    required = schema.get("required", [])
    for field, its in schema.get("properties", {}).items():
        optional = "" if field in required else ", optional"
        about = escape(its.get("description", ""))
        parts += [f"<tr><td><code>{escape(field)}</code><td>{_type(its)}{optional}<td>{about}"]
    return [*parts[:1], "<table>", *parts[1:], "</table>"]


def _type(schema: dict[str, Any]) -> str:
    """A type in words, with links to messages."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(escape(json.dumps(value)) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}" if schema.get("items") else "list"
    bounds = [f"{words} {schema[key]:,}" for key, words in BOUNDS.items() if key in schema]
    return f"{schema.get('type', 'any value')}{', '.join(['', *bounds])}"
