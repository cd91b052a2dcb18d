"""Asks pip-audit whether locked versions have known vulnerabilities."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.lock.file import Locked

PIP_AUDIT = "pip-audit==2.10.1"
NO_ANSWER = "pip-audit cannot reach its vulnerability service from here, so no package was checked"


def audit(entries: Iterable[Locked]) -> list[str]:
    """Have pip-audit look up all versions, and return its findings in sentences.

    Args:
        entries: entries of a lock.

    Raises:
        RuntimeError: pip-audit is missing, cannot reach its service, or finds a vulnerability.
    """
    with TemporaryDirectory() as folder:
        files = _write(entries, Path(folder))
        command = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--format", "json"]
        command += ["--progress-spinner", "off", *(part for file in files for part in ("--requirement", str(file)))]
        result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if "No module named pip_audit" in result.stderr:
        raise RuntimeError(f"pip-audit is missing: pip install {PIP_AUDIT}")
    try:
        answer = json.loads(result.stdout)
    except ValueError:
        raise RuntimeError(NO_ANSWER) from None
    return conclude(answer["dependencies"])


def conclude(packages: list[dict]) -> list[str]:
    """pip-audit's answer in sentences. Arguments: its list of packages. Errors as in ``audit``."""
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    if len(unknown) == len(packages):
        raise RuntimeError(NO_ANSWER)
    found = [_vulnerability(package, one) for package in packages for one in package.get("vulns", ())]
    if found:
        raise RuntimeError("; ".join(found))
    sentences = [f"no known vulnerability in {len(packages) - len(unknown)} packages"]
    if unknown:
        sentences.append(f"not checked, because the service does not know them: {', '.join(unknown)}")
    return sentences


def _vulnerability(package: dict, one: dict) -> str:
    fixed = " or ".join(one["fix_versions"]) or "no version"
    return f"{package['name']} {package['version']}: {one['id']}, fixed in {fixed}"


def _write(entries: Iterable[Locked], folder: Path) -> list[Path]:
    """Write all versions as requirements; those of one package, for several Pythons, are in different files."""
    versions: dict[str, list[str]] = {}
    for entry in entries:
        versions.setdefault(entry.name, []).append(entry.version)
    files = []
    for k in range(max(map(len, versions.values()))):
        pins = [f"{name}=={of_name[k]}\n" for name, of_name in versions.items() if k < len(of_name)]
        files.append(folder / f"{k}.txt")
        files[-1].write_text("".join(pins), encoding="utf-8")
    return files
