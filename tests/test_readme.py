"""README.md and the other README files: their commands, links, examples and tables are correct."""

import doctest
import re
from pathlib import Path

import pytest

from core.__main__ import main
from tests import commands
from tests.benchmarks import results

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDERS = ("core", "dashboard", "tests")
MADE = {"recipes/my_routing.py"}  # files that a command makes for a user
READMES = [
    ROOT / "README.md",
    ROOT / "pretrained/README.md",
    ROOT / "core/COMMANDS.md",
    *(p for f in FOLDERS for p in (ROOT / f).rglob("README.md")),
    *(ROOT / "dashboard/docs").glob("*.md"),
]


def blocks(language, path="README.md"):
    """The code blocks in a language, in a README."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / path).read_text(encoding="utf-8"), re.DOTALL)


def anchors(path):
    """The addresses that GitHub gives to the headings of a file."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def table(path, command):
    """The table that a README has between a command and the mark of its end."""
    text = (ROOT / path).read_text(encoding="utf-8")
    (written,) = re.findall(rf"<!-- {re.escape(command)} -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    return written


def test_ci_runs_the_test_command_of_readme():
    (command,) = re.findall(r"^sh -ec '\n(.*)\n'$", (ROOT / ".ci/run").read_text(encoding="utf-8"), re.MULTILINE)
    assert "python -m pytest" in command
    assert f"{command}\n" in blocks("sh")


def test_readme_installs_and_starts_the_dashboard():
    assert any(line.endswith("&& streamlit run streamlit_app.py\n") for line in blocks("sh"))


def test_readme_is_short():
    assert len(README.splitlines()) <= 110


def test_the_tree_has_every_folder_of_the_code_and_nothing_else():
    tree = README.split("## Where things are")[1].split("```")[1]
    named, parent = set(), ""
    for line in tree.strip().splitlines():
        names = re.findall(r"\S+(?:/|\.py)(?= |$)", line[:31])
        parent = parent if line.startswith(" ") else names[0]
        named |= {f"{parent}{name}" if line.startswith(" ") else name for name in names}
    assert named
    assert [name for name in named if not (ROOT / name.replace("NAME/", "")).exists()] == []
    rooms = {
        f"{path.parent.relative_to(ROOT)}/" for f in ("core", "dashboard") for path in ROOT.glob(f"{f}/*/__init__.py")
    }
    assert rooms <= named


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(path):
    for target, heading in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            file = path.parent / target if target else path
            assert file.exists(), f"{path} links to {target}"
            assert not heading or heading in anchors(file), f"{path} links to {target}#{heading}"


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_name_modules_that_exist(path):
    for module in re.findall(r"python -m ((?:core|dashboard|tests)[\w.]*)", path.read_text(encoding="utf-8")):
        file = ROOT / module.rstrip(".").replace(".", "/")
        assert file.with_suffix(".py").is_file() or (file / "__main__.py").is_file(), f"{path} runs {module}"


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_are_named_exist(path):
    for name in re.findall(r"`([\w/]+\.py)`", path.read_text(encoding="utf-8")):
        near = () if path.parent == ROOT else path.parent.rglob(Path(name).name)
        exists = (ROOT / name).exists() or any(file.as_posix().endswith(f"/{name}") for file in near)
        assert exists or "NAME" in name or name in MADE, f"{path} names {name}"


def test_pictures_are_small():
    shown = README + (ROOT / "dashboard/README.md").read_text(encoding="utf-8")
    sizes = {path.suffix: 0 for path in (ROOT / "dashboard/pictures").iterdir()}
    for path in (ROOT / "dashboard/pictures").iterdir():
        sizes[path.suffix] += path.stat().st_size
        assert f"pictures/{path.name})" in shown
    assert sizes[".gif"] < 2_000_000
    assert sizes[".png"] < 3_000_000


def test_the_command_line_example_prints_what_readme_shows(capsys):
    (example,) = blocks("console", "core/README.md")
    command, _, output = example.partition("\n")
    name, text = re.fullmatch(r'\$ python -m core explain (\S+) "(.*)"', command).groups()
    assert main(["explain", name, text, "--device", "cpu"]) == 0
    assert capsys.readouterr().out == output


@pytest.mark.parametrize("path", ["README.md", "core/README.md"])
def test_the_python_examples_return_what_readme_shows(path):
    example = "\n".join(blocks("python", path))
    test = doctest.DocTestParser().get_doctest(example, {}, path, path, 0)
    assert len(test.examples) > 3
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_findings_are_what_their_command_prints(capsys):
    command = "python -m core ledger --findings"
    assert main(["ledger", "--findings"]) == 0
    assert capsys.readouterr().out == table("pretrained/README.md", command) + "\n", f"put there what {command} prints"


def test_the_reference_has_every_command_and_what_its_help_prints(monkeypatch, tmp_path):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path))  # a folder without the user's recipes
    written = (ROOT / "core/COMMANDS.md").read_text(encoding="utf-8")
    printed = "\n".join(commands.to_markdown())
    assert written.split() == printed.split(), f"run {commands.WRITE}"  # versions of Python break lines differently
    programs = {path.parent.relative_to(ROOT) for place in FOLDERS for path in (ROOT / place).rglob("__main__.py")}
    assert {str(program).replace("/", ".") for program in programs} <= set(commands.MAINS)
    for module, subcommands in commands.MAINS.items():
        shown = written.split(f"\n### python -m {module}\n")[1].split("\n### ")[0]
        listed = re.search(r"^  [A-Z]+\n((?:    .*\n)+)", shown, re.MULTILINE)
        assert set(re.findall(r"^    ([\w-]+)", listed[1], re.MULTILINE) if listed else ()) == set(subcommands)


def test_the_table_of_checkpoints_is_what_its_command_prints(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path))  # a folder without the user's networks
    command = "python -m core models --markdown"
    assert main(["models", "--markdown"]) == 0
    assert capsys.readouterr().out == table("pretrained/README.md", command) + "\n", f"put there what {command} prints"


def test_the_table_of_speed_is_what_its_command_prints():
    command = "python -m tests.benchmarks --markdown"
    written = table("tests/benchmarks/README.md", command)
    assert results.to_markdown(results.read()) == written, f"put there what {command} prints"


def test_a_run_replaces_the_results_of_its_benchmarks(tmp_path):
    path = tmp_path / "results.json"
    path.write_bytes(results.RESULTS.read_bytes())
    before = results.read(path)
    new = results.Result("payload", results.Figure("a toy", 1234.5, None, "ms"), "2026-01-02")
    results.keep([new], path)
    assert results.read(path) == [new if result.benchmark == "payload" else result for result in before]
    assert results.to_markdown([new]).splitlines()[-1] == "| a toy | 1,234 ms | - | - | `payload` | 2026-01-02 |"
