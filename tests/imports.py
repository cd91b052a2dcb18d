"""The imports of modules, read from their source with ast and without importing them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


def files(place: str) -> list[Path]:
    """A file, or all Python files of a folder."""
    path = ROOT / place
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def imports(path: Path, *, of_types: bool = True, in_functions: bool = True) -> Iterator[str]:
    """Yield all imports of a file: "package.module" for ``import``, "package.module.name" for ``from``.

    ``import_module("package.module")`` counts as an import, too.

    Args:
        of_types: whether to include imports under ``if TYPE_CHECKING``, which never run.
        in_functions: whether to include imports inside functions, which run when the function is called.
    """
    waiting: list[ast.AST] = [_parsed(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module") and node.args:
            if isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)
        elif isinstance(node, ast.If) and not of_types and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif in_functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += ast.iter_child_nodes(node)


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def import_graph(*places: str) -> dict[str, set[str]]:
    """The modules in some folders, each with the modules of these folders that it imports.

    ``from package import module`` counts as an import of the module, not of its package.
    """
    modules = {_module_of(path): path for place in places for path in files(place)}
    return {
        module: {target for name in imports(path, of_types=False) if (target := _module_that_holds(name, modules))}
        for module, path in modules.items()
    }


def _module_of(path: Path) -> str:
    """The dotted name of a module; for ``__init__.py`` the name of its folder."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _module_that_holds(name: str, modules: dict[str, Path]) -> str | None:
    """The module with this name, or the module that defines it; None if it is not among these modules."""
    parent = name.rpartition(".")[0]
    return name if name in modules else parent if parent in modules else None
