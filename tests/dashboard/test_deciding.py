"""The deciding capsule, on which a page of dynamic routing opens."""

import pytest

from core import zoo
from core.measured.evidence.probes import probe
from dashboard import loading
from dashboard.runs import texts
from dashboard.runs.deciding import deciding_capsule

TEXTS = {
    "dragg-reversed-sst5": "The acting is superb, but the plot never earns its two long hours.",
    "dragg-sst2": "It's not a bad film at all; it isn't a great one either.",
    "dragg-imdb": "I went in with low hopes. It is slow. Then the film wakes up. See it.",
}


@pytest.mark.parametrize(("name", "text"), TEXTS.items())
def test_the_deciding_capsule_is_the_one_that_evidence_ranks_by(name, text):
    trace = texts.run(name, "cpu", text, 3)
    capsule = deciding_capsule(trace, "cpu", text)
    trained = (trace.of_sentences() if name == "dragg-imdb" else trace).inputs_to_capsules.coupling[-1]
    ranked = probe(zoo.load(name, "cpu"), text).rankings["deciding coupling"]
    assert trained[:, capsule].tolist() == pytest.approx(ranked.tolist(), abs=1e-5)


def test_nothing_decides_among_classes_and_nobody_waits_for_pytorch(monkeypatch):
    assert deciding_capsule(texts.run("cccaps-ag", "cpu", "A film", 3), "cpu", "A film") is None
    trace = texts.run("dragg-sst5", "cpu", "A film", 3)
    monkeypatch.setattr(loading.LOADING, "is_set", lambda: True)
    assert deciding_capsule(trace, "cpu", "A film") is None


def test_the_shipped_run_has_its_deciding_capsule_without_pytorch(monkeypatch):
    text = TEXTS["dragg-reversed-sst5"]
    trace = texts.run("dragg-reversed-sst5", "cpu", text, 3)
    decided = deciding_capsule(trace, "cpu", text)
    monkeypatch.setattr(loading.LOADING, "is_set", lambda: True)
    assert deciding_capsule(trace, "cpu", text) == decided
