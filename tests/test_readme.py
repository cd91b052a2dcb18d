"""README and its neighbours: their commands, links, examples and tables hold."""

import doctest
import json
import re
from pathlib import Path

import pandas as pd
import pytest

from core import manifest
from core.__main__ import main
from core.analysis.readout import summarize
from core.analysis.verdict import Verdict
from core.analysis.viewpoints import distances_of, match, on_unseen, stages
from core.ledger import CLAIMS
from core.measured import answers, store
from core.measured.evidence.record import Evidence
from tests.benchmarks import results

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDERS = ("core", "dashboard", "tests")
READMES = [
    ROOT / "README.md",
    ROOT / "pretrained/README.md",
    *(p for f in FOLDERS for p in (ROOT / f).rglob("README.md")),
]


def blocks(language):
    """The code blocks of README in a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


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


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (path.parent / target).exists(), f"{path} links to {target}"


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_name_modules_that_exist(path):
    for module in re.findall(r"python -m ((?:core|dashboard|tests)[\w.]*)", path.read_text(encoding="utf-8")):
        file = ROOT / module.rstrip(".").replace(".", "/")
        assert file.with_suffix(".py").is_file() or (file / "__main__.py").is_file(), f"{path} runs {module}"


def test_pictures_are_small():
    sizes = {path.suffix: 0 for path in (ROOT / "dashboard/pictures").iterdir()}
    for path in (ROOT / "dashboard/pictures").iterdir():
        sizes[path.suffix] += path.stat().st_size
        assert f"dashboard/pictures/{path.name}" in README
    assert sizes[".gif"] < 2_000_000
    assert sizes[".png"] < 3_000_000


def test_the_example_of_the_command_line_prints_what_readme_shows(capsys):
    (example,) = blocks("console")
    command, _, output = example.partition("\n")
    name, text = re.fullmatch(r'\$ python -m core explain (\S+) "(.*)"', command).groups()
    assert main(["explain", name, text, "--device", "cpu"]) == 0
    assert capsys.readouterr().out == output


def test_the_example_of_python_returns_what_readme_shows():
    (example,) = blocks("python")
    test = doctest.DocTestParser().get_doctest(example, {}, "README", "README.md", 0)
    assert len(test.examples) > 3
    assert doctest.DocTestRunner().run(test).failed == 0


def test_accuracies_are_those_that_were_measured():
    cells = r" \| ".join(["([^|]+)"] * 5)
    rows = re.findall(rf"^\| `([\w-]+)` \| {cells} \|$", README, re.MULTILINE)
    as_in_paper = {
        "dragg-sst5": "Accuracy of standard DR-AGG on SST-5",
        "agt-sst5": "Accuracy with attention in 15 of 15 layers",
    }
    assert len(rows) == 7
    for name, _, ours, papers, of_protocol, differs in rows:
        metrics = manifest.describe(name).metrics
        low, high = metrics.test.interval
        assert ours == f"{metrics.test.accuracy:.1%} ({low:.1%} to {high:.1%})"
        assert papers == ("-" if metrics.test.over == "toys" else f"{metrics.paper.accuracy:.1%}")
        assert (metrics.verdict, differs) == (Verdict.OTHER_CONDITIONS, metrics.paper.differs)
        measured = [claim.measure() for claim in CLAIMS if claim.claim == as_in_paper.get(name)]
        assert of_protocol == (f"{measured[0].text} ({interval_of(measured[0])})" if measured else "-")


def interval_of(measured):
    return f"{measured.low:.1f}% to {measured.high:.1f}%"


def evidence_of(name):
    return Evidence.read(json.loads((manifest.PRETRAINED / name / "evidence.json").read_text(encoding="utf-8")))


def test_findings_are_those_that_were_measured():
    text = README.split("## What measuring found")[1].split("\n## ")[0]
    assert f"{len(CLAIMS)} claims" in text
    findings = [" ".join(finding.split()) for finding in text.split("\n- ")[1:]]
    points = [finding for finding in findings if "random" in finding]
    for point in points:
        evidence = evidence_of(re.search(r"`(\w+-[\w-]+)`", point)[1])
        for rankings in evidence.rankings.values():  # AGT's are the same in both ways
            for ranking in (rankings[evidence.main_ranking()], rankings["random"]):
                assert f" {100 * ranking.aopc.mean:.1f}" in point
    standard, reversed_ = (evidence_of(name) for name in ("dragg-sst5", "dragg-reversed-sst5"))
    assert f"{standard.couplings['uniform'].accuracy.mean:.1%} instead of" in points[0]
    shuffled = evidence_of("dragg-sst2").couplings["shuffled"].change
    assert f"loses {-100 * shuffled.mean:.1f} points with shuffled" in points[0]
    assert shuffled.high < 0
    of_reviews = evidence_of("dragg-flat-imdb").rankings["masked"]["coupling"].aopc
    assert f"{-100 * of_reviews.mean:.1f} points surer" in points[0]
    assert f"{-100 * reversed_.couplings['uniform'].change.mean:.1f} points of accuracy" in points[1]
    assert f"alone: {reversed_.rankings['masked']['coupling'].tau.mean:.2f})" in points[1]
    (iterations,) = [finding for finding in findings if finding.startswith("Iterations")]
    assert [one.change.is_within_chance for one in standard.iterations] == [True] * 6
    assert f"within chance of {standard.iterations[2].accuracy.mean:.1%}" in iterations
    em = evidence_of("em-sst5")
    assert ", ".join(f"{one.accuracy.mean:.1%}" for one in em.iterations[1:4]) in iterations
    assert iterations.endswith(f"it has {em.iterations[0].accuracy.mean:.1%}.")
    assert f"{-100 * em.couplings['uniform'].change.mean:.1f} points of accuracy" in points[2]
    for rankings in em.rankings.values():
        assert f" {100 * rankings['integrated gradients'].aopc.mean:.1f}" in points[2]
    by_gradients = evidence_of("agt-sst5").rankings["masked"]["integrated gradients"]
    assert f" {100 * by_gradients.aopc.mean:.1f}." in points[3]
    by_kmeans = evidence_of("cccaps-imdb")
    assert by_kmeans.couplings["uniform"].change.is_within_chance
    alike = [one.change.low == one.change.high == 0 for one in by_kmeans.iterations]
    assert alike == [False, True, True, True, True, True]
    better = "k-means routing is better than dynamic routing on"
    measured = {claim.claim.removeprefix(better): claim.measure() for claim in CLAIMS if better in claim.claim}
    on_ag, on_dbpedia = (measured[f" {corpus}"] for corpus in ("AG's News", "DBpedia"))
    *_, instead, poses, viewpoints = findings
    assert f"{on_ag.text} on AG's News, {on_ag.verdict}" in instead
    assert f"{on_dbpedia.text} ({on_dbpedia.low:.1f} to {on_dbpedia.high:.1f})" in instead
    shipped, dynamic = (answers.read(name)[0] for name in ("cccaps-ag", "cccaps-dynamic-ag"))
    assert f"the same {(shipped == dynamic).mean():.1%} of the texts" in instead
    rows = pd.DataFrame({name: values for name, values in store.read("readout", "em-smallnorb").items() if values.ndim})
    linear = summarize(rows[rows["method"] == "linear"]).query("category == 'all'")
    of_plain, views = ("em-smallnorb", "poses"), ("em-smallnorb-views", "poses")
    for network, features in (of_plain, ("em-smallnorb", "last convolution"), ("none", "pixels"), views):
        azimuth, elevation = linear[(linear["network"] == network) & (linear["features"] == features)]["r2"]
        assert re.search(f"{azimuth:.2f}( of the azimuth)? and {elevation:.2f}", poses)
    assert f"{manifest.describe('em-smallnorb-views').metrics.test.accuracy:.1%} accuracy" in poses
    for _, rows in store.read_sweep("viewpoints").groupby("direction"):
        at_end = {network: of_network[-1] for network, of_network in stages(rows).items()}
        for networks in (match(rows), at_end):
            difference, low, high = on_unseen(networks["EM routing"], networks["convolutions"], distances_of(rows))
            chance = ", within chance" if low < 0 < high else ""
            assert f"{abs(100 * difference):.1f} points {'better' if difference > 0 else 'worse'}" in viewpoints
            assert f"({100 * low:+.1f} to {100 * high:+.1f}{chance})" in viewpoints


def test_the_table_of_checkpoints_is_what_its_command_prints(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path))  # none of the user's own
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
