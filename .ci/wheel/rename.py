"""Moves core and dashboard into one package, routescope, when a wheel is built. pyproject.toml names this file.

The wheel has the files of the checkout in one folder. Only references change: imports, names of modules in strings, and
commands in texts. Any other reference to core or dashboard stops the build.
"""

import ast
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "routescope"
OURS = ("core", "dashboard")
WITH_NAMES = {".py", ".md", ".html", ".json", ".txt"}  # files with references; a .txt is a template or a vocabulary
COMMAND = re.compile(r"streamlit run streamlit_app\.py|python -m (core|dashboard)((?:\.\w+)*)")
IN_STRINGS = {  # names of modules; a folder such as core/ stays, and so does code in an f-string
    r"\bfrom core import\b": f"from {NAME} import",  # it exports everything that core exports
    r"\bfrom dashboard import\b": f"from {NAME}.dashboard import",
    r"\bimport core\b": f"import {NAME}",
    r"(?<![\w./{-])(core|dashboard)\.(?=[A-Za-z_{])": rf"{NAME}.\1.",
    r"""\A(["'])((?:core|dashboard)\.?)\1\Z""": rf"\1{NAME}.\2\1",
}
Change = tuple[tuple[int, int], tuple[int, int], str]  # start and end, each as line and byte, and the new source


class Rename(BuildHookInterface):
    """A hook of the build that replaces the files of the checkout that change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the changed files to a temporary folder."""
        if version == "editable":
            raise ValueError(
                "an installed Routescope has other names than a checkout: leave -e out, or use the checkout"
            )
        self._folder = tempfile.TemporaryDirectory()
        for file in self.build_config.builder.recurse_included_files():
            text = renamed(Path(self.root), file.relative_path)
            if text is not None:
                changed = Path(self._folder.name, file.relative_path)
                changed.parent.mkdir(parents=True, exist_ok=True)
                changed.write_text(text, encoding="utf-8")
                build_data["force_include"][str(changed)] = file.relative_path

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the temporary folder."""
        self._folder.cleanup()


def renamed(root: Path, path: str) -> str | None:
    """The content of a file in the wheel; None if it does not change.

    Args:
        root: folder of the checkout.
        path: path of the file, relative to the checkout.

    Raises:
        ValueError: the file refers to core or dashboard in an unknown way.
    """
    file = root / path
    if path.startswith(".") or file.suffix not in WITH_NAMES or file.name == "vocab.txt":
        return None
    source = file.read_text(encoding="utf-8")
    try:
        text = _rename_module(source, root) if file.suffix == ".py" else _rename_string(source, root)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return None if text == source else text


def _rename_module(source: str, root: Path) -> str:
    lines = source.encode().splitlines(keepends=True)  # bytes, because ast counts these
    changes = sorted(_changes(ast.parse(source), lines, root), reverse=True)  # last first, so that positions stay valid
    for (first, start), (last, end), new in changes:
        lines[first : last + 1] = [lines[first][:start] + new.encode() + lines[last][end:]]
    text = b"".join(lines).decode()
    _check(ast.parse(text))
    return text


def _changes(tree: ast.Module, lines: list[bytes], root: Path) -> Iterator[Change]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        is_string = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        if not is_string and not isinstance(node, ast.Import | ast.ImportFrom):
            waiting += ast.iter_child_nodes(node)
            continue
        first, last = node.lineno - 1, node.end_lineno - 1
        start, end = node.col_offset, node.end_col_offset
        source = b"".join(lines[first : last + 1])
        source = source[start : len(source) - len(lines[last]) + end].decode()
        new = _rename_string(source, root) if is_string else _rename_import(node, source)
        yield (first, start), (last, end), new


def _rename_import(node: ast.Import | ast.ImportFrom, source: str) -> str:
    if isinstance(node, ast.ImportFrom):
        return re.sub(r"\Afrom (core|dashboard)\b", rf"from {NAME}.\1", source)
    if len(node.names) > 1:
        return source
    name, _, rest = node.names[0].name.partition(".")
    if name not in OURS:
        return source
    of_package = f"from {NAME} import {name}"
    if not rest:
        return source.replace(f"import {name}", of_package)
    of_module = source.replace(f"import {name}", f"import {NAME}.{name}")
    return of_module if node.names[0].asname else f"{of_module}; {of_package}"  # the import binds the package's name


def _rename_string(source: str, root: Path) -> str:
    source = COMMAND.sub(lambda command: _rename_command(*command.groups(), root), source)
    for old, new in IN_STRINGS.items():
        source = re.sub(old, new, source)
    return source


def _rename_command(package: str | None, module: str | None, root: Path) -> str:
    """The command of the wheel for a command of the checkout."""
    if package is None:
        return NAME
    if (package, module) == ("dashboard", ".serve"):
        return f"{NAME} serve"
    path = f"{package}{module}".replace(".", "/")
    if package == "core" and (root / path / "__main__.py").is_file():
        return f"{NAME} {module[1:]}".strip()
    if not (root / f"{path}.py").is_file() and not (root / path / "__main__.py").is_file():
        raise ValueError(f"there is no command python -m {package}{module}")
    return f"python -m {NAME}.{package}{module}"


def _check(tree: ast.Module) -> None:
    """Raise ValueError if a module of the wheel has a reference that is, or may be, invalid there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            is_sound = not any(name.partition(".")[0] in OURS for name in names)
        elif isinstance(node, ast.BinOp | ast.Compare):  # for example path / "core", or name == "core"
            values = [part.value for part in ast.iter_child_nodes(node) if isinstance(part, ast.Constant)]
            is_sound = not any(f"{NAME}.{name}" in values for name in OURS)
        elif isinstance(node, ast.Constant):
            is_sound = not COMMAND.search(str(node.value))
        else:
            is_sound = not (isinstance(node, ast.Name) and node.id == NAME)  # from the code of an f-string
        if not is_sound:
            raise ValueError(f"line {node.lineno} refers to core or dashboard in a way that has no new name")
