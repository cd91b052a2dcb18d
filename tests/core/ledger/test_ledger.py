"""The whole ledger: every row has its file and its command, and no number is typed."""

import re
import shlex
from pathlib import Path

from core import ledger
from core.analysis.verdict import Verdict
from core.ledger.agt import USUAL
from core.manifest import PRETRAINED
from core.measured import store
from core.measured.__main__ import MEASURES
from core.sweep import composition
from core.sweep.sweeps import SWEEPS
from core.training.recipes import RECIPES


def test_at_least_forty_distinct_claims_cover_all_five_papers():
    assert len(ledger.CLAIMS) >= 40
    assert {claim.paper for claim in ledger.CLAIMS} == set(ledger.PAPERS)
    assert len({(c.paper, c.place, c.claim) for c in ledger.CLAIMS}) == len(ledger.CLAIMS)


def test_a_claim_has_its_file_or_says_why_there_is_none():
    assert not [claim for claim in ledger.CLAIMS if bool(claim.file) == bool(claim.why)]
    missing = [claim for claim in ledger.CLAIMS if claim.file and not (PRETRAINED / claim.file).is_file()]
    assert not [f"{claim.file} is missing: {claim.command}" for claim in missing]


def test_a_claim_names_a_command_that_exists():
    known = {"core.sweep": SWEEPS, "core.training": RECIPES, "core.measured": [*MEASURES, "readout"]}
    known["core"] = ("evaluate", "evidence")

    def exists(command):
        python, m, module, name, *_ = shlex.split(command)
        assert (python, m) == ("python", "-m")
        return (PRETRAINED.parent / name).is_file() if module == "pytest" else name in known[module]

    assert not [claim for claim in ledger.CLAIMS if bool(claim.command) == bool(claim.why)]
    commands = {command for claim in ledger.CLAIMS if claim.command for command in claim.command.split(" && ")}
    assert not [command for command in sorted(commands) if not exists(command)]


def test_a_claim_about_several_networks_names_a_command_for_each():
    commands = ledger.read().set_index("claim")["command"]
    claim_about_accuracy = "k-means routing is better than dynamic routing on AG's News (our shipped networks)"
    assert commands[claim_about_accuracy] == (
        "python -m core evaluate cccaps-ag --keep --data DIR && "
        "python -m core evaluate cccaps-dynamic-ag --keep --data DIR"
    )
    for claim in (
        "k-means routing is more stable than dynamic routing",
        "Routing documents by sentence speeds up training",
    ):
        assert commands[claim].count("python -m core") == 2


def test_every_row_has_a_verdict_a_text_and_an_ordered_interval():
    table = ledger.read()
    assert len(table) == len(ledger.CLAIMS)
    assert set(table["verdict"]) <= {verdict.value for verdict in Verdict}
    assert (table["here"] != "").all()
    assert (table["from"] <= table["to"])[table["from"].notna()].all()


def test_accuracies_under_other_conditions_name_the_difference():
    """An accuracy is never reproduced or contradicted where the paper's was reached under other conditions."""
    table = ledger.read()
    assert (table[table["verdict"] == "other conditions"]["note"] != "").all()
    accuracies = table[table["claim"].str.match(".*[Aa]ccuracy (of|on|with) ") & table["from"].notna()]
    assert len(accuracies) > 20
    assert set(accuracies["verdict"]) == {"other conditions"}


def test_a_difference_without_kept_answers_says_that_it_is_unpaired():
    table = ledger.read()
    differences = table[table["here"].str.startswith(("+", "-")) & table["file"].str.startswith("sweeps/")]
    kept = {name for name in SWEEPS if "answers" in store.read_sweep(name)}
    has_kept_answers = differences["file"].map(lambda file: Path(file).stem in kept)
    assert differences[~has_kept_answers]["note"].str.contains("unpaired").all()


def test_a_claim_without_its_file_is_not_measured(monkeypatch, tmp_path):
    monkeypatch.setattr(store, "SWEEPS", tmp_path)
    monkeypatch.setattr(store, "read", lambda quantity, name: None)
    table = ledger.read()
    table = table[table["file"].str.endswith((".parquet", ".npz"))]
    assert len(table) > 60
    assert set(table["verdict"]) == {"not measured"}
    assert set(table["here"]) == {"not measured yet"}
    assert table[["from", "to"]].isna().all(axis=None)


def test_the_composition_sweep_has_the_usual_start():
    assert USUAL in composition.TRIALS


def test_the_ledger_can_be_limited_to_one_paper_or_one_file():
    table = ledger.read("AGT")
    assert set(table["paper"]) == {"AGT"}
    file = "sweeps/attention.parquet"
    assert set(ledger.read(file=file)["file"]) == {file}


def test_no_claim_contains_a_measured_number():
    """A claim may name sizes and layers, but numbers with a decimal point are read from files."""
    assert not [claim.claim for claim in ledger.CLAIMS if re.search(r"\d\.\d", claim.claim)]
