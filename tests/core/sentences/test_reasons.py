"""The reasons for shares: their numbers are those of the run, in any scene."""

import re

import numpy as np
import pytest

from core import lab
from core.analysis.scenes import KINDS, WHOLES, clouds, directions, house_or_boat, parts_of, pose
from core.routing import ROUTINGS, kmeans_routing
from core.sentences.comparison import ALIKE
from core.sentences.reasons import NOTHING_YET, describe_reasons, most_telling

PARTS, OUTPUTS = [f"the {kind}" for kind in KINDS], [f"the {whole}" for whole in WHOLES]
BROKEN = np.concatenate([[pose(-1.2, 1.6, 45)], parts_of("house", KINDS[1:])])


def softmax(logits, axis):
    shares = np.exp(logits - logits.max(axis, keepdims=True))
    return shares / shares.sum(axis, keepdims=True)


def scenes_of_many_kinds():
    for seed in range(6):
        yield clouds(20, outliers=0.2, spare=seed % 3, seed=seed).votes
        yield directions(house_or_boat(parts_of("house"), noise=0.5 * seed, seed=seed))


def test_the_logits_explain_the_shares():
    for votes in scenes_of_many_kinds():
        for run in lab.compare(votes, 6):
            assert softmax(run.logits, 1 if run.normalize == "input" else 2) == pytest.approx(run.coupling, abs=1e-9)


def test_a_blown_off_roof_has_four_reasons():
    runs = lab.compare(directions(house_or_boat(BROKEN)), 5)
    assert [describe_reasons(run, 0, PARTS, OUTPUTS)[-1] for run in runs[:4]] == [
        "The triangle has agreed more with the house (1.81 in sum) than with the boat (0.90).",
        "The house has agreed less with the triangle (0.93 in sum) than with the rectangle (1.71).",
        "Cosines do not add up: the triangle has 0.70 with the boat and 0.52 with the house.",
        "The triangle votes 0.0 σ from the boat's mean and 365 σ from the house's.",
    ]


def test_before_the_first_iteration_nothing_is_known():
    for run in lab.compare(directions(house_or_boat(BROKEN)), 2):
        assert (describe_reasons(run, 0, PARTS, OUTPUTS)[0] == NOTHING_YET) == (run.name != "k-means")


def test_what_em_says_is_on_the_side_of_its_larger_share():
    said = set()
    for votes in scenes_of_many_kinds():
        em = next(run for run in lab.compare(votes, 6) if run.name == "EM")
        names = [f"capsule {j}" for j in range(votes.shape[1])]
        for i in range(len(votes)):
            inputs = [f"input {k}" for k in range(len(votes))]
            for t, reason in enumerate(describe_reasons(em, i, inputs, names)):
                first, is_equal = names[em.coupling[t, i].argmax()], "equal" in reason
                second, largest = np.sort(em.coupling[t, i])[-2:]
                assert is_equal == (largest - second < ALIKE)
                if is_equal:
                    continue
                ends = re.search(r", (?:and|but) (?:the votes for )?(capsule \d) (lie|was)", reason)
                near, far = (float(number) for number in re.findall(r"([\d.]+) σ", reason))
                said.add(ends[2] if ends else "")
                assert ends is None or ends[1] == first
                assert ends or near <= far
    assert said == {"", "lie", "was"}


def test_equal_votes_agree_equally():
    votes = directions(house_or_boat(parts_of("house", ["bar"] * 3), ["bar"] * 3))
    (*_, last) = describe_reasons(lab.compare(votes, 3)[1], 0, ["a bar"] * 3, OUTPUTS)
    assert last.endswith("has agreed equally with every input (1.00 in sum).")


def test_other_routings_and_single_inputs_have_no_reason(monkeypatch):
    monkeypatch.setitem(ROUTINGS, "cosine", kmeans_routing)
    votes = directions(house_or_boat(BROKEN))
    assert describe_reasons(lab.compare(votes, 3)[-1], 0, PARTS, OUTPUTS) == [""] * 3
    assert describe_reasons(lab.compare(votes[:1], 3)[1], 0, PARTS[:1], OUTPUTS) == [""] * 3


def test_the_most_telling_input_has_the_largest_share():
    for run in lab.compare(clouds(20).votes, 4):
        shares = run.coupling[-1]
        shares = shares[:, run.activation[-1].argmax()] if run.normalize == "input" else shares
        assert shares[most_telling(run, 3)].max() == shares.max()
