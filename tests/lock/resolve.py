"""Asks the public index which packages the requirements take, for every Python and machine at once, through uv."""

import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.markers import Marker

from tests.lock.wheels import TARGETS, Package

UV = "uv==0.13.9"
ALWAYS = "python_full_version >= '3.11'"  # which uv writes into every marker


def resolve(requirements: Path, constraints: Sequence[Package] = ()) -> list[Package]:
    """The packages that a requirements file takes, with their wheels; those that no target needs are left out.

    Args:
        requirements: requirements file.
        constraints: packages whose versions are taken where one of them is needed.

    Raises:
        RuntimeError: uv is missing, or cannot reach the index or satisfy the requirements.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "constraints.txt"
        file.write_text("".join(f"{pin(package)}\n" for package in constraints), encoding="utf-8")
        command = [sys.executable, "-m", "uv", "pip", "compile", str(requirements), "--constraints", str(file)]
        command += ["--universal", "--python-version", "3.11", "--format", "pylock.toml", "--quiet"]
        result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if "No module named uv" in result.stderr:
        raise RuntimeError(f"uv is missing: pip install {UV}")
    if result.returncode:
        raise RuntimeError(f"uv says: {' '.join(result.stderr.split())}")
    return read_pylock(result.stdout)


def read_pylock(text: str) -> list[Package]:
    """The packages in a pylock.toml (PEP 751), sorted; those that no target needs are left out."""
    packages = []
    for entry in tomllib.loads(text)["packages"]:
        wheels = {wheel["url"].rpartition("/")[2]: wheel["hashes"]["sha256"] for wheel in entry.get("wheels", [])}
        packages.append(Package(entry["name"], entry["version"], _simplify(entry.get("marker", "")), wheels))
    needed = [package for package in packages if any(target.needs(package.marker) for target in TARGETS)]
    return sorted(needed, key=lambda package: (package.name, package.version))


def pin(package: Package) -> str:
    """A package as a line of a requirements file."""
    return f"{package.name}=={package.version}" + (f" ; {package.marker}" if package.marker else "")


def _simplify(marker: str) -> str:
    """A marker without the condition that every Python here meets."""
    rest = marker.removeprefix(ALWAYS).removeprefix(" and ")
    return str(Marker(rest)) if rest else ""  # without the brackets around the whole
