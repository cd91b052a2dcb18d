"""The reference of Python, from the signatures and docstrings in the source."""

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

INTRODUCTION = """# Reference of Python

Signatures and docstrings of what `import core` gives, and of the parts that it is built from. Shapes are in brackets;
[core/types.py](core/types.py) lists their letters. Where Routescope is installed as a package, `core` is called
`routescope`.
"""
PUBLIC = {  # modules, and the names in them that are described
    "core.networks.run": ("explain",),
    "core.networks.many": ("explain_many", "run_texts"),
    "core.networks.effects": ("cuts", "doses"),
    "core.zoo": ("load", "load_folder", "save"),
    "core.manifest": ("describe", "survey"),
    "core.checkpoint": ("Checkpoint",),
    "core.trace": ("Trace",),
    "core.traces.dragg": (),
    "core.traces.cccaps": (),
    "core.traces.em": (),
    "core.traces.agt": (),
    "core.traces.drnn": (),
    "core.client": ("Client",),
    "core.fit.estimator": ("RoutingClassifier",),
    "core.edits": (),
    "core.lab": (),
    "core.routing.step": ("RoutingStep", "squash"),
    "core.routing.dynamic": ("dynamic_routing", "DynamicStep"),
    "core.routing.kmeans": ("kmeans_routing", "KMeansStep"),
    "core.routing.em": ("em_routing", "EMStep"),
    "core.routing.em_module": ("EMRouting",),
    "core.layers.disconnected": ("DisconnectedRNN",),
    "core.layers.compositional": ("CompositionalEmbedding",),
}
SECTION = re.compile(r"^(Args|Attributes|Yields|Returns|Raises|Source):\n((?:    .*\n?|\n)+)", re.MULTILINE)
FIELD = re.compile(r"^([a-z][\w\\, ]*): (?=\S)", re.MULTILINE)  # a field of a step, which has no section
NAMED = re.compile(r"^    (\S.*?): ", re.MULTILINE)
MARKUP = re.compile(r"[\[*_]")
Definition = ast.FunctionDef | ast.ClassDef


def reference() -> str:
    """The page as Markdown."""
    parts = [INTRODUCTION]
    for module, names in PUBLIC.items():
        parts += _of_module(module, names)
    return "\n\n".join(parts) + "\n"


def _of_module(module: str, names: tuple[str, ...]) -> Iterator[str]:
    """The section on a module: on the names in it, or on everything public if there are none."""
    tree = ast.parse(source_of(module))
    yield f"## {module}"
    yield as_markdown(ast.get_docstring(tree) or "")
    defined = {node.name: node for node in tree.body if isinstance(node, Definition)}
    for name in names or (name for name in defined if not name.startswith("_")):
        yield from _of_object(defined[name])


def source_of(module: str) -> str:
    """The source of a module, which is not imported."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ValueError(f"there is no module {module}")
    return Path(spec.origin).read_text(encoding="utf-8")


def _of_object(node: Definition) -> Iterator[str]:
    """The section on a function, or on a class with its methods."""
    yield f"### {node.name}"
    yield f"```python\n{signature(node)}\n```"
    yield as_markdown(ast.get_docstring(node) or "")
    methods = [part for part in getattr(node, "body", ()) if isinstance(part, ast.FunctionDef)]
    for method in methods if isinstance(node, ast.ClassDef) else ():
        text = ast.get_docstring(method)
        if text and not method.name.startswith("_"):
            yield f"#### {node.name}.{method.name}"
            yield f"```python\n{signature(method)}\n```"
            yield as_markdown(text)


def signature(node: Definition) -> str:
    """The signature of a function or a property, or of a class: its ``__init__``, or the fields of a dataclass."""
    if isinstance(node, ast.FunctionDef):
        if any("property" in ast.unparse(decorator) for decorator in node.decorator_list):
            return f"{node.name}: {ast.unparse(node.returns)}" if node.returns else node.name
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        return _wrapped(f"{node.name}(", _arguments(node.args), f"){result}")
    inits = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
    if inits:
        return _wrapped(f"{node.name}(", _arguments(inits[0].args), ")")
    annotated = (ast.unparse(part) for part in node.body if isinstance(part, ast.AnnAssign))
    fields = [field for field in annotated if "ClassVar" not in field]
    if not fields:
        return node.name
    return _wrapped(f"{node.name}(", fields, ")")


def _arguments(arguments: ast.arguments) -> list[str]:
    """Each argument with its annotation and default, as in the source."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    texts = [_argument(argument, default) for argument, default in zip(positional, defaults, strict=True)]
    texts += [f"*{ast.unparse(arguments.vararg)}"] if arguments.vararg else ["*"] if arguments.kwonlyargs else []
    texts += [_argument(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    texts += [f"**{ast.unparse(arguments.kwarg)}"] if arguments.kwarg else []
    return [text for text in texts if text not in ("self", "cls")]


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    """One argument."""
    if default is None:
        return ast.unparse(argument)
    return f"{ast.unparse(argument)}{' = ' if argument.annotation else '='}{ast.unparse(default)}"


def _wrapped(begin: str, parts: list[str], end: str) -> str:
    """A signature in one line, or with a line for each argument."""
    line = f"{begin}{', '.join(parts)}{end}"
    return line if len(line) <= 88 else "\n".join([begin, *(f"    {part}," for part in parts), end])


def as_markdown(docstring: str) -> str:
    """A docstring as Markdown: its sections become lists."""
    parts = re.split(r"``(.+?)``", docstring)
    text = "".join(
        f"`{part}`" if k % 2 else MARKUP.sub(r"\\\g<0>", part).replace("<", "&lt;") for k, part in enumerate(parts)
    )
    text = FIELD.sub(lambda found: f"- `{_plain(found[1])}`: ", text)
    return SECTION.sub(lambda found: f"\n**{found[1]}**\n\n{_listed(found[2])}\n", f"{text}\n").strip()


def _listed(body: str) -> str:
    """The entries of a section as a list; text without names as a paragraph."""
    if not NAMED.search(body):
        return "\n".join(line.strip() for line in body.splitlines())
    body = NAMED.sub(lambda found: f"- `{_plain(found[1])}`: ", body)
    return "\n".join(
        line if line.startswith("- ") else f"    {line.strip()}" for line in body.splitlines() if line.strip()
    )


def _plain(name: str) -> str:
    """A name in code, where nothing needs a backslash."""
    return name.replace("\\", "")
