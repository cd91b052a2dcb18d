"""The lock of all packages, the table of wheels, the audit and the bill of materials; no network is asked."""

import json
import subprocess
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement

from core.manifest import PRETRAINED, describe
from tests.lock import audit, file, resolve, sbom
from tests.lock.__main__ import PAGE, main
from tests.lock.wheels import PYTHONS, TARGETS, Target, table

A, B, C, D, E = (letter * 64 for letter in "abcde")
ANSWER = f"""\
lock-version = "1.0"
[[packages]]
name = "torch"
version = "2.13.0"
marker = "python_full_version >= '3.11'"
wheels = [{{ url = "w/torch-2.13.0-cp311-cp311-win_amd64.whl", hashes = {{ sha256 = "{A}" }} }}]
[[packages]]
name = "nvidia-cublas"
version = "13.1"
marker = "python_full_version >= '3.11' and sys_platform == 'linux'"
wheels = [{{ url = "w/nvidia_cublas-13.1-py3-none-manylinux_2_27_x86_64.whl", hashes = {{ sha256 = "{A}" }} }}]
[[packages]]
name = "regex"
version = "2026.11.15"
marker = "python_full_version >= '3.11'"
sdist = {{ url = "w/regex-2026.11.15.tar.gz", hashes = {{ sha256 = "{A}" }} }}
wheels = [
    {{ url = "w/regex-2026.11.15-cp311-cp311-manylinux_2_28_x86_64.whl", hashes = {{ sha256 = "{C}" }} }},
    {{ url = "w/regex-2026.11.15-cp312-cp312-macosx_11_0_arm64.whl", hashes = {{ sha256 = "{B}" }} }},
    {{ url = "w/regex-2026.11.15-cp310-cp310-manylinux_2_28_x86_64.whl", hashes = {{ sha256 = "{D}" }} }},
    {{ url = "w/regex-2026.11.15-cp314-cp314t-win_amd64.whl", hashes = {{ sha256 = "{E}" }} }},
]
[[packages]]
name = "uvloop"
version = "0.23.0"
marker = "python_full_version >= '3.11' and (sys_platform != 'win32')"
wheels = [{{ url = "w/uvloop-0.23.0-cp311-abi3-musllinux_1_2_x86_64.whl", hashes = {{ sha256 = "{D}" }} }}]
[[packages]]
name = "pyodide-py"
version = "1.0"
marker = "sys_platform == 'emscripten'"
wheels = [{{ url = "w/pyodide_py-1.0-py3-none-any.whl", hashes = {{ sha256 = "{E}" }} }}]
"""
NVIDIA, REGEX, TORCH, UVLOOP = PACKAGES = resolve.read_pylock(ANSWER)


def test_the_locks_fit_the_requirements(capsys):
    assert main(["check"]) == 0
    assert "the locks fit all" in capsys.readouterr().out
    entries = file.read(file.LOCKS[file.APP].read_text())
    assert not [entry.name for entry in entries if file.is_of_build(entry.name) and entry.name != "torch"]
    assert all(len(sha256) == 64 for entry in entries for sha256 in entry.hashes)


def test_an_answer_of_the_index_becomes_a_lock():
    text = file.to_text(PACKAGES, "Packages")
    assert [(entry.name, entry.version, entry.marker, entry.hashes) for entry in file.read(text)] == [
        ("torch", "2.13.0", "", ()),
        ("regex", "2026.11.15", "", (B, C)),  # no source, no older Python, no free-threaded one
        ("uvloop", "0.23.0", 'sys_platform != "win32"', ()),
    ]
    assert "\n# torch==2.13.0\n" in text
    assert "its hash is not" in text


def test_the_table_names_packages_without_a_wheel():
    lines = table([REGEX, UVLOOP])
    assert len(lines) == 2 + len(TARGETS) / len(PYTHONS)
    assert "| Linux, x86-64 | without `uvloop` | without `regex`, `uvloop` | " in lines[2]
    assert "| Windows, x86-64 | without `regex` |" in lines[6]
    assert table([])[2].count("| all ") == len(PYTHONS)


@pytest.mark.parametrize(
    ("wheel", "machine", "python", "takes"),
    [
        ("a-1-py3-none-any.whl", "Windows, Arm", (3, 14), True),
        ("a-1-cp39-abi3-macosx_10_12_x86_64.whl", "macOS, Intel", (3, 13), True),
        ("a-1-cp39-abi3-macosx_10_12_x86_64.whl", "macOS, Arm", (3, 13), False),
        ("a-1-cp312-cp312-macosx_11_0_universal2.whl", "macOS, Arm", (3, 12), True),
        ("a-1-cp313-cp313-manylinux2014_aarch64.whl", "Linux, Arm", (3, 13), True),
        ("a-1-cp313-cp313-manylinux_2_39_x86_64.whl", "Linux, x86-64", (3, 13), False),
        ("a-1-cp313-cp313-win_amd64.whl", "Windows, x86-64", (3, 12), False),
    ],
)
def test_a_target_takes_the_wheels_that_pip_would(wheel, machine, python, takes):
    assert Target(machine, python).takes(wheel) == takes


def test_what_does_not_fit_is_named():
    entries = file.read(f'a==1.0 --hash=sha256:{A}\nb==2.0 ; sys_platform != "win32" --hash=sha256:{B}\nc==3.0\n')
    assert file.misfits([Requirement("a==1.0")], entries) == ["c has no hash"]
    assert file.misfits(map(Requirement, ("a==1.1", "b==2.0", "D==4")), entries) == [
        "a==1.1 is required, the lock has 1.0",
        "b==2.0 is required, the lock has 2.0",  # not on Windows
        "D==4 is required, the lock has nothing",
        "c has no hash",
    ]
    assert file.differing(entries[::2], {"a": "1.0+cpu"}) == ["c: nothing is installed, 3.0 is locked"]


def test_write_takes_both_files_from_one_resolution(tmp_path, monkeypatch, capsys):
    answers = {file.TESTS: PACKAGES, file.APP: [TORCH, UVLOOP]}
    monkeypatch.setattr(resolve, "resolve", lambda path, constraints=(): answers[path])
    monkeypatch.setattr(file, "ROOT", tmp_path)
    monkeypatch.setattr(file, "LOCKS", {path: tmp_path / path.parent.name for path in file.LOCKS})
    monkeypatch.setattr("tests.lock.__main__.PAGE", tmp_path / "page.md")
    (tmp_path / "page.md").write_text(PAGE.read_text())
    assert main(["write"]) == 0
    written = [path.read_text() for path in file.LOCKS.values()]
    assert [[entry.name for entry in file.read(text)] for text in written] == [["torch", "uvloop"], ["regex"]]
    assert "without `torch`, `uvloop`" in (tmp_path / "page.md").read_text()
    assert "tests: 1 packages with hashes" in capsys.readouterr().out


def test_a_tool_that_is_missing_is_named(monkeypatch, capsys):
    _answer(monkeypatch, "", "python: No module named uv")
    assert main(["table"]) == 2
    assert f"uv is missing: pip install {resolve.UV}" in capsys.readouterr().err
    _answer(monkeypatch, "", "python: No module named pip_audit")
    with pytest.raises(RuntimeError, match="pip-audit is missing: pip install pip-audit=="):
        audit.audit(file.read("a==1.0\n"))


def test_an_index_out_of_reach_is_one_sentence(monkeypatch):
    _answer(monkeypatch, "", "error: no\n  connection\n")
    with pytest.raises(RuntimeError, match=r"^uv says: error: no connection$"):
        resolve.resolve(file.APP)


def _answer(monkeypatch, out, error):
    """Have every program that is started end at once, with this output."""
    ended = subprocess.CompletedProcess([], int(bool(error)), out, error)
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **options: ended)


SKIPPED = {"name": "regex", "skip_reason": "not found"}
FINE = {"name": "numpy", "version": "2.4.6", "vulns": []}
BAD = {"name": "pillow", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]}]}


def test_an_audit_that_fails_has_written_the_bill(tmp_path, monkeypatch, capsys):
    _answer(monkeypatch, "", "ConnectionError")
    assert main(["audit", "--sbom", str(tmp_path / "bill.json")]) == 2
    assert audit.NO_ANSWER in capsys.readouterr().err
    _check_bill(json.loads((tmp_path / "bill.json").read_text()))


def _check_bill(contents):
    """Check that the bill of this installation is whole."""
    names = {component["name"] for component in contents["components"]}
    applying = [one for one in file.requirements_of(file.APP) if not one.marker or one.marker.evaluate()]
    assert {one.name for one in applying} <= names
    assert {path.parent.name for path in PRETRAINED.glob("*/config.json")} <= names
    known = {component["bom-ref"] for component in contents["components"]}
    assert {ref for row in contents["dependencies"] for ref in row["dependsOn"]} <= known


@pytest.mark.parametrize(
    ("packages", "sentence"),
    [([SKIPPED], audit.NO_ANSWER), ([FINE, BAD, SKIPPED], "pillow 1.0: PYSEC-1, fixed in 1.1 or 2.0")],
)
def test_a_vulnerability_and_silence_are_errors(packages, sentence):
    with pytest.raises(RuntimeError) as error:
        audit.conclude(packages)
    assert str(error.value) == sentence


def test_an_audit_says_what_it_has_not_checked():
    assert audit.conclude([FINE, SKIPPED]) == [
        "no known vulnerability in 1 packages",
        "not checked, because the service does not know them: regex",
    ]


def test_the_bill_has_packages_their_dependencies_and_checkpoints():
    installed = {name: distribution(name) for name in ("altair", "jinja2", "markupsafe", "pytest")}
    locked = {("jinja2", distribution("jinja2").version)}
    contents = sbom.bill([Requirement("altair")], installed, locked, [describe("em-sst5")])
    components = {component["name"]: component for component in contents["components"]}
    assert components.keys() == {"altair", "jinja2", "markupsafe", "em-sst5"}
    assert components["em-sst5"]["hashes"][0]["content"] == describe("em-sst5").sha256
    assert components["jinja2"]["licenses"]
    is_locked = {name: one["properties"][0]["value"] for name, one in components.items() if "properties" in one}
    assert is_locked == {"altair": "false", "jinja2": "true", "markupsafe": "false"}
    edges = {row["ref"].partition("@")[0]: row["dependsOn"] for row in contents["dependencies"]}
    assert edges["pkg:pypi/altair"] == [components["jinja2"]["bom-ref"]]
    assert edges["pkg:pypi/routescope"] == [components["altair"]["bom-ref"], "routescope/pretrained/em-sst5"]
    assert contents == sbom.bill([Requirement("altair")], installed, locked, [describe("em-sst5")])
