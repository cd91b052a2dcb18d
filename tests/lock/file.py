"""The lock in files: pinned requirements with the hashes of their wheels, as pip and uv install them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.lock.resolve import pin
from tests.lock.wheels import TARGETS, Package

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
LOCKS = {  # requirements file: the file of its lock
    ROOT / "requirements.txt": FOLDER / "requirements.txt",
    ROOT / "tests/requirements.txt": FOLDER / "tests.txt",
}
APP, TESTS = LOCKS
TORCH = "torch"
BUILD = ("nvidia-", "cuda-", "triton")  # how the names of the packages begin that a build of PyTorch brings
HEAD = """\
# {what}, with the sha256 of each
# wheel for Python 3.11 to 3.14 on Linux, macOS and Windows. `python -m tests.lock write` writes this file, and
# README.md in this folder says how to install by it.
"""
WHAT = ("Every package that requirements.txt takes from the public index", "What the tests take in addition")
NO_HASH = """\
# PyTorch's build differs by machine: its version is pinned, its hash is not. Neither are the libraries that a build
# for a GPU brings.
# {pin}
"""


@dataclass(frozen=True)
class Locked:
    """An entry of a lock.

    Args:
        requirement: name, version and marker.
        hashes: sha256 of its wheels; empty for PyTorch.
    """

    requirement: Requirement
    hashes: tuple[str, ...]

    @property
    def name(self) -> str:
        """The normalized name."""
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        """The pinned version."""
        return str(self.requirement.specifier).removeprefix("==")

    @property
    def marker(self) -> str:
        """The condition under which it is needed; "" for none."""
        return str(self.requirement.marker or "")


def is_of_build(name: str) -> bool:
    """Whether a package is PyTorch, or comes with its build."""
    return name == TORCH or name.startswith(BUILD)


def to_text(packages: Sequence[Package], what: str) -> str:
    """A lock as the text of its file.

    Args:
        packages: the packages.
        what: beginning of a sentence about them.
    """
    torch = [NO_HASH.format(pin=pin(package)) for package in packages if package.name == TORCH]
    entries = []
    for package in packages:
        if not is_of_build(package.name):
            hashes = "".join(f" \\\n    --hash=sha256:{sha256}" for sha256 in package.hashes())
            entries.append(f"{pin(package)}{hashes}\n")
    return "".join([HEAD.format(what=what), *torch, *entries])


def read(text: str) -> list[Locked]:
    """The entries of a lock; PyTorch's, which is in a comment, has no hashes."""
    torch = re.findall(rf"^# ({TORCH}==.*)$", text, re.MULTILINE)
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", "").splitlines()
    entries = [Locked(Requirement(line), ()) for line in torch]
    for line in lines:
        requirement, *hashes = line.split(" --hash=sha256:")
        entries.append(Locked(Requirement(requirement), tuple(one.strip() for one in hashes)))
    return entries


def requirements_of(file: Path) -> list[Requirement]:
    """The requirements in a file, without those of a file that it includes."""
    lines = [line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines()]
    return [Requirement(line) for line in lines if line and not line.startswith("-r")]


def misfits(requirements: Iterable[Requirement], entries: Iterable[Locked]) -> list[str]:
    """One sentence for each requirement that a lock has not, or not in this version on some machine."""
    entries, sentences = list(entries), []
    for requirement in requirements:
        marker, name = str(requirement.marker or ""), canonicalize_name(requirement.name)
        known = [entry for entry in entries if entry.name == name]
        right = [entry for entry in known if requirement.specifier.contains(entry.version, prereleases=True)]
        if not all(any(t.needs(e.marker) for e in right) for t in TARGETS if t.needs(marker)):
            versions = " and ".join(entry.version for entry in known) or "nothing"
            sentences.append(f"{requirement.name}{requirement.specifier} is required, the lock has {versions}")
    return sentences + [f"{e.name} has no hash" for e in entries if not e.hashes and e.name != TORCH]


def differing(entries: Iterable[Locked], installed: Mapping[str, str]) -> list[str]:
    """One sentence for each entry that this environment has in another version, or has not.

    Args:
        entries: entries of a lock.
        installed: versions of the installed packages by their normalized names.
    """
    sentences = []
    for entry in entries:
        if entry.requirement.marker and not entry.requirement.marker.evaluate():
            continue
        version = installed.get(entry.name, "")
        if version.partition("+")[0] != entry.version:  # PyTorch's build is the part after the plus
            sentences.append(f"{entry.name}: {version or 'nothing'} is installed, {entry.version} is locked")
    return sentences
