"""Docstrings and comments name the thing: forms that make a sentence hard to read do not come back."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from tests.imports import ROOT, files

NO_NOUN = re.compile(r"(What|How|Why|Of|That|Those|Which)\b")  # first words of a docstring
NO_NAME = re.compile(r"^ {4}[\w, ]+: (of|that|which|whose|what)\b", re.MULTILINE)  # an argument without a noun
UNUSUAL = re.compile(r"\b(anew|beside)\b")
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings(source: str) -> Iterator[str]:
    """Yield the docstrings of a module and of everything in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            yield text


def comments(source: str) -> Iterator[str]:
    """Yield the comments of a module."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return (token.string for token in tokens if token.type == tokenize.COMMENT)


def test_docstrings_name_the_thing():
    unclear = []
    for path in (path for place in ("core", "dashboard", "tests") for path in files(place)):
        source = path.read_text(encoding="utf-8")
        texts = list(docstrings(source))
        found = [text for text in texts if NO_NOUN.match(text) or NO_NAME.search(text)]
        if UNUSUAL.search(source):  # tokenizing every module would take seconds
            found += [text for text in (*texts, *comments(source)) if UNUSUAL.search(text)]
        unclear += [f"{path.relative_to(ROOT)}: {text}" for text in found]
    assert not unclear
