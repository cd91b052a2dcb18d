"""A software bill of materials (CycloneDX 1.6, ECMA-424): what runs here, with versions, licences and dependencies."""

from collections.abc import Container, Iterable, Mapping
from importlib.metadata import Distribution
from typing import Any
from urllib.parse import quote

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from core import __version__
from core.manifest import Manifest
from core.zoo.front_matter import LICENCE, corpora_of

APP = f"pkg:pypi/routescope@{__version__}"
MAX_LICENCE = 60  # characters; some packages give the whole text where its name belongs
LOCKED = "routescope:locked"  # whether the lock has the hashes of this version's wheels


def bill(
    roots: Iterable[Requirement],
    installed: Mapping[str, Distribution],
    locked: Container[tuple[str, str]],
    networks: Iterable[Manifest],
) -> dict[str, Any]:
    """The bill of this installation. It has no date and no random number: the same installation gives the same bill.

    Args:
        roots: requirements of the application.
        installed: the installed packages by their normalized names.
        locked: normalized names and versions that have hashes in the lock.
        networks: the shipped checkpoints.
    """
    used = needed(roots, installed)
    packages = {name: _reference(installed[name]) for name in sorted(used)}
    models = [_model(about) for about in networks]
    libraries = [_library(installed[name], (name, installed[name].version) in locked) for name in packages]
    direct = sorted({packages[name] for root in roots if (name := canonicalize_name(root.name)) in packages})
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": APP,
                "name": "routescope",
                "version": __version__,
                "purl": APP,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [*libraries, *models],
        "dependencies": [
            {"ref": APP, "dependsOn": [*direct, *(model["bom-ref"] for model in models)]},
            *({"ref": packages[name], "dependsOn": sorted(packages[d] for d in used[name])} for name in packages),
        ],
    }


def needed(roots: Iterable[Requirement], installed: Mapping[str, Distribution]) -> dict[str, set[str]]:
    """The installed packages that requirements need, and those that each of them needs in turn.

    Args:
        roots, installed: as in ``bill``.
    """
    used: dict[str, set[str]] = {}
    left = list(roots)
    asked: set[tuple[str, str]] = set()  # package and extra
    while left:
        requirement = left.pop()
        name = canonicalize_name(requirement.name)
        if name not in installed or not _applies(requirement, ""):
            continue
        of_package = used.setdefault(name, set())
        for extra in {"", *requirement.extras} - {extra for package, extra in asked if package == name}:
            asked.add((name, extra))
            for inner in map(Requirement, installed[name].requires or ()):
                if canonicalize_name(inner.name) in installed and _applies(inner, extra):
                    of_package.add(canonicalize_name(inner.name))
                    inner.marker = None  # it holds; the extra that it may name is this package's
                    left.append(inner)
    return used


def _applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def _reference(package: Distribution) -> str:
    """The address of a package (purl)."""
    return f"pkg:pypi/{canonicalize_name(package.name)}@{quote(package.version)}"


def _library(package: Distribution, is_locked: bool) -> dict[str, Any]:
    """The component of a package."""
    licences = _licences(package)
    return {
        "type": "library",
        "bom-ref": _reference(package),
        "name": canonicalize_name(package.name),
        "version": package.version,
        "purl": _reference(package),
        **({"licenses": licences} if licences else {}),
        "properties": [{"name": LOCKED, "value": str(is_locked).lower()}],
    }


def _licences(package: Distribution) -> list[dict[str, Any]]:
    """The licences of a package, as far as it names them: an SPDX expression, a name, or classifiers."""
    if expression := package.metadata.get("License-Expression"):
        return [{"expression": expression}]
    name = package.metadata.get("License", "")
    classified = [value for value in package.metadata.get_all("Classifier", []) if value.startswith("License :: ")]
    names = [value.rpartition(" :: ")[2] for value in classified]
    if not names and 0 < len(name) <= MAX_LICENCE and "\n" not in name:
        names = [name]
    return [{"license": {"name": name}} for name in names]


def _model(about: Manifest) -> dict[str, Any]:
    """The component of a shipped checkpoint."""
    licences = [{"license": {"id": LICENCE.upper()}}] if corpora_of(about) is not None else []
    return {
        "type": "machine-learning-model",
        "bom-ref": f"routescope/pretrained/{about.name}",
        "name": about.name,
        "version": about.sha256[:12],
        "description": about.task,
        "hashes": [{"alg": "SHA-256", "content": about.sha256}],
        **({"licenses": licences} if licences else {}),
    }
