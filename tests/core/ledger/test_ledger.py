"""The whole ledger: every row has its file and its command, and no number is typed."""

import re
import shlex
from pathlib import Path

from core import ledger
from core.analysis.verdict import Verdict
from core.ledger.agt import AS_SHIPPED
from core.manifest import PRETRAINED
from core.measured import store
from core.measured.__main__ import MEASURES
from core.sweep import composition
from core.sweep.sweeps import SWEEPS
from core.training.recipes import RECIPES


def test_there_are_at_least_forty_claims_of_all_five_papers_each_once():
    assert len(ledger.CLAIMS) >= 40
    assert {claim.paper for claim in ledger.CLAIMS} == set(ledger.PAPERS)
    assert len(set(map(str, (c.paper + c.place + c.claim for c in ledger.CLAIMS)))) == len(ledger.CLAIMS)


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
    pair = "k-means routing is better than dynamic routing on AG's News, shipped networks"
    assert commands[pair] == (
        "python -m core evaluate cccaps-ag --keep --data DIR && "
        "python -m core evaluate cccaps-dynamic-ag --keep --data DIR"
    )
    for claim in (
        "k-means routing is more stable than dynamic routing",
        "Routing documents by sentence speeds up training",
    ):
        assert commands[claim].count("python -m core") == 2


def test_rows_have_a_verdict_and_what_was_measured_has_a_text():
    table = ledger.read()
    assert len(table) == len(ledger.CLAIMS)
    assert set(table["verdict"]) <= {verdict.value for verdict in Verdict}
    assert (table["here"] != "").all()
    assert (table["from"] <= table["to"])[table["from"].notna()].all()


def test_numbers_of_other_conditions_say_what_differs_none_is_luck():
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
    of_kept = differences["file"].map(lambda file: Path(file).stem in kept)
    assert differences[~of_kept]["note"].str.startswith("unpaired").all()


def test_without_a_file_a_claim_is_not_measured(monkeypatch, tmp_path):
    monkeypatch.setattr(store, "SWEEPS", tmp_path)
    monkeypatch.setattr(store, "read", lambda quantity, name: None)
    table = ledger.read()
    table = table[table["file"].str.endswith((".parquet", ".npz"))]
    assert len(table) > 60
    assert set(table["verdict"]) == {"not measured"}
    assert set(table["here"]) == {"not measured yet"}
    assert table[["from", "to"]].isna().all(axis=None)


def test_the_trial_that_a_claim_is_about_is_in_its_sweep():
    assert AS_SHIPPED in composition.TRIALS


def test_rows_of_one_paper_or_one_file():
    table = ledger.read("AGT")
    assert set(table["paper"]) == {"AGT"}
    file = "sweeps/attention.parquet"
    assert set(ledger.read(file=file)["file"]) == {file}


def test_what_is_here_is_not_typed_in_the_claim():
    """Digits after a point belong to files; a claim may name sizes and layers."""
    assert not [claim.claim for claim in ledger.CLAIMS if re.search(r"\d\.\d", claim.claim)]
