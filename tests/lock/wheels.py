"""The wheels that fit a Python on a machine, and a table of those that are missing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from packaging.markers import Marker
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))
GLIBC = 34  # Linux distributions since 2022 have glibc 2.34 or later
MACOS = (14, 0)
OLD_NAMES = {  # tags of Linux wheels before they named the version of glibc
    "x86_64": ["manylinux1", "manylinux2010", "manylinux2014", "linux"],
    "aarch64": ["manylinux2014", "linux"],
}
MACHINES = {  # sys_platform, platform_system, platform_machine
    "Linux, x86-64": ("linux", "Linux", "x86_64"),
    "Linux, Arm": ("linux", "Linux", "aarch64"),
    "macOS, Arm": ("darwin", "Darwin", "arm64"),
    "macOS, Intel": ("darwin", "Darwin", "x86_64"),
    "Windows, x86-64": ("win32", "Windows", "AMD64"),
    "Windows, Arm": ("win32", "Windows", "ARM64"),
}


@dataclass(frozen=True)
class Target:
    """A Python on a machine.

    Args:
        machine: key of ``MACHINES``.
        python: its major and minor version.
    """

    machine: str
    python: tuple[int, int]

    @cached_property
    def tags(self) -> frozenset[Tag]:
        """The tags of the wheels that this Python installs."""
        platform, _, machine = MACHINES[self.machine]
        if platform == "linux":
            names = [f"manylinux_2_{minor}" for minor in range(5, GLIBC + 1)] + OLD_NAMES[machine]
            platforms = [f"{name}_{machine}" for name in names]
        elif platform == "darwin":
            platforms = list(mac_platforms(MACOS, machine))
        else:
            platforms = [f"win_{machine.lower()}"]
        interpreter = "cp{}{}".format(*self.python)
        own = cpython_tags(self.python, abis=[interpreter], platforms=platforms)
        return frozenset([*own, *compatible_tags(self.python, interpreter, platforms)])

    def takes(self, wheel: str) -> bool:
        """Whether this Python installs a wheel of this name."""
        return not self.tags.isdisjoint(parse_wheel_filename(wheel)[3])

    def needs(self, marker: str) -> bool:
        """Whether a requirement with this marker applies here; one without a marker does."""
        return not marker or Marker(marker).evaluate(self._environment)

    @cached_property
    def _environment(self) -> dict[str, str]:
        """The values that markers compare."""
        platform, system, machine = MACHINES[self.machine]
        python = "{}.{}".format(*self.python)
        return {
            "python_version": python,
            "python_full_version": f"{python}.9",
            "implementation_version": f"{python}.9",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "sys_platform": platform,
            "platform_system": system,
            "platform_machine": machine,
            "os_name": "nt" if platform == "win32" else "posix",
        }


TARGETS = tuple(Target(machine, python) for machine in MACHINES for python in PYTHONS)


@dataclass(frozen=True)
class Package:
    """A version of a package, as an index has it.

    Args:
        name: normalized name.
        version: its version.
        marker: condition under which it is needed; "" for none.
        wheels: sha256 of each wheel by its file name.
    """

    name: str
    version: str
    marker: str
    wheels: dict[str, str]

    def hashes(self) -> list[str]:
        """The sha256 of each wheel that a target needs, sorted."""
        needing = [target for target in TARGETS if target.needs(self.marker)]
        return sorted({sha256 for wheel, sha256 in self.wheels.items() if any(t.takes(wheel) for t in needing)})


def lacking(packages: Sequence[Package], target: Target) -> list[str]:
    """The names of the packages that a target needs and has no wheel of."""
    return [p.name for p in packages if target.needs(p.marker) and not any(map(target.takes, p.wheels))]


def table(packages: Sequence[Package]) -> list[str]:
    """The lines of a table in Markdown: for each machine and Python, the packages without a wheel."""
    versions = ["{}.{}".format(*python) for python in PYTHONS]
    lines = ["| | " + " | ".join(f"Python {version}" for version in versions) + " |", "|---" * 5 + "|"]
    for machine in MACHINES:
        cells = [_cell(lacking(packages, Target(machine, python))) for python in PYTHONS]
        lines.append(f"| {machine} | {' | '.join(cells)} |")
    return lines


def _cell(names: Collection[str]) -> str:
    return f"without {', '.join(f'`{name}`' for name in names)}" if names else "all"
