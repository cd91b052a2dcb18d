"""The command that says what units take and do."""

import json

from core.__main__ import main
from tests.conftest import save_tiny


def test_units_are_measured_once_and_printed_from_then_on(tmp_path, monkeypatch, trees, capsys):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    save_tiny(tmp_path / "models", "dragg", "tiny")
    assert main(["units", "tiny", "--device", "cpu"]) == 2
    assert "the units of tiny are not measured; --data DIR measures them" in capsys.readouterr().err
    assert main(["units", "tiny", "--data", str(trees), "--device", "cpu"]) == 0
    first = capsys.readouterr().out
    assert first.startswith("tiny, 3 capsules, 4 of the 4 texts of the test split\n\nCapsule ")
    assert main(["units", "tiny"]) == 0
    assert capsys.readouterr().out == first


def test_units_as_json_have_a_record_each(capsys):
    assert main(["units", "dragg-reversed-sst5", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["number"] for record in records] == [1, 2, 3, 4, 5]
    assert set(records[0]["effect"]) == {"very negative", "negative", "neutral", "positive", "very positive"}
    assert len(records[0]["words"]) == 8
