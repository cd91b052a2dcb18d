"""python -m tests.lock COMMAND: the lock of all packages, a table of wheels, an audit and an SBOM."""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from core import cli, manifest
from core.files import write as write_file
from tests.lock import file, resolve, wheels
from tests.lock.audit import audit as audit_versions
from tests.lock.sbom import bill, needed

PAGE = file.FOLDER / "README.md"
TABLE = re.compile(r"(?<=<!-- python -m tests\.lock table -->\n).*?(?=\n<!-- end -->)", re.DOTALL)


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 2 after one line on what is wrong."""
    return cli.run(_parser(), lambda args: args.run(args), arguments)


def write(args: argparse.Namespace) -> None:
    """Write both locks and the table of wheels, with the newest versions that the requirements leave open."""
    everything = resolve.resolve(file.TESTS)
    app = resolve.resolve(file.APP, everything)
    known = {resolve.pin(package) for package in app}
    others = [package for package in everything if resolve.pin(package) not in known]
    for requirements, packages, what in zip(file.LOCKS, (app, others), file.WHAT, strict=True):
        write_file(file.LOCKS[requirements], file.to_text(packages, what).encode())
        n = sum(not file.is_of_build(package.name) for package in packages)
        print(f"{file.LOCKS[requirements].relative_to(file.ROOT)}: {n} packages with hashes")
    page = TABLE.sub(lambda _: "\n".join(wheels.table(app)), PAGE.read_text(encoding="utf-8"))
    write_file(PAGE, page.encode())


def check(args: argparse.Namespace) -> None:
    """Say whether the locks fit the requirements and, if asked for, this environment; RuntimeError if not."""
    entries = list(_entries())
    requirements = [requirement for path in file.LOCKS for requirement in file.requirements_of(path)]
    if wrong := file.misfits(requirements, entries):
        raise RuntimeError(f"{'; '.join(wrong)}: python -m tests.lock write")
    print(f"the locks fit all {len(requirements)} requirements")
    if args.installed:
        installed = _installed()
        app = [entry for entry in _entries(file.APP) if not file.is_of_build(entry.name)]
        wrong = file.differing(_entries(file.APP), {name: package.version for name, package in installed.items()})
        known = {entry.name for entry in app}
        used = needed(file.requirements_of(file.APP), installed)
        wrong += [f"{name} is used and not locked" for name in used if name not in known and not file.is_of_build(name)]
        if wrong:
            raise RuntimeError("\n  ".join(["this environment is not the locked one:", *wrong]))
        print(f"this environment has the locked version of all {len(app)} packages, and of PyTorch")


def table(args: argparse.Namespace) -> None:
    """Print the table of wheels of the application."""
    print(*wheels.table(resolve.resolve(file.APP)), sep="\n")


def audit(args: argparse.Namespace) -> None:
    """Write the bill of materials, then ask pip-audit about all locked versions."""
    locked = {(entry.name, entry.version) for entry in _entries(file.APP) if entry.hashes}
    described = [manifest.describe_folder(path.parent) for path in sorted(manifest.PRETRAINED.glob("*/config.json"))]
    contents = bill(file.requirements_of(file.APP), _installed(), locked, described)
    write_file(args.sbom, json.dumps(contents, indent=1).encode())
    print(f"{args.sbom}: {len(contents['components'])} components, CycloneDX {contents['specVersion']}")
    print(*audit_versions(_entries()), sep="\n")


def _entries(*requirements: Path) -> Iterator[file.Locked]:
    """Yield the entries of the locks of some requirements files, or of all."""
    for path in requirements or file.LOCKS:
        yield from file.read(file.LOCKS[path].read_text(encoding="utf-8"))


def _installed() -> dict[str, Distribution]:
    """The packages in this environment by their normalized names; the first one on the path is imported."""
    packages: dict[str, Distribution] = {}
    for package in distributions():
        packages.setdefault(canonicalize_name(package.name), package)
    return packages


def _parser() -> argparse.ArgumentParser:
    parser = cli.Parser(prog="python -m tests.lock", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    help = f"resolve the requirements for every Python and machine, and write the locks (pip install {resolve.UV})"
    commands.add_parser("write", help=help).set_defaults(run=write)
    command = commands.add_parser("check", help="say whether the locks fit the requirements, without a network")
    command.add_argument("--installed", action="store_true", help="also say whether the installed packages are those")
    command.set_defaults(run=check)
    help = "print for which Python and machine every package has a wheel"
    commands.add_parser("table", help=help).set_defaults(run=table)
    help = "write a bill of materials of what is installed, and look the versions up with pip-audit"
    command = commands.add_parser("audit", help=help)
    command.add_argument(
        "--sbom", type=Path, default=Path("sbom.cdx.json"), metavar="FILE", help="its file (default: sbom.cdx.json)"
    )
    command.set_defaults(run=audit)
    return parser


if __name__ == "__main__":
    sys.exit(main())
