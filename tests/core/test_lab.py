"""The same votes in every routing, and the sentences on them."""

import re

import numpy as np
import pytest
import torch

from core import explain, lab
from core.analysis.scenes import KINDS, clouds, directions, house_or_boat, means, parts_of, pose
from core.routing import ROUTINGS, dynamic_routing, kmeans_routing
from core.routing.em import EPS
from core.sentences.clouds import describe_clouds
from core.sentences.comparison import describe_choices, describe_routed, describe_sureness, leader

VOTES = directions(house_or_boat(parts_of("boat")))
WHOLES = ["the house", "the boat"]


def runs_by_name(*args, **settings):
    """The runs of ``lab.compare`` by the name of the routing."""
    return {run.name: run for run in lab.compare(*args, **settings)}


def test_the_runs_equal_those_of_the_routings():
    runs = runs_by_name(VOTES, 4)
    assert set(runs) >= {"standard", "reversed", "k-means", "EM"}
    for name, normalize in (("standard", "output"), ("reversed", "input")):
        *_, last = dynamic_routing(torch.from_numpy(VOTES)[None], 4, normalize)
        assert (runs[name].coupling[-1] == last.coupling[0].numpy()).all()
        assert (runs[name].activation[-1] == last.activation[0].numpy()).all()
    for run in runs.values():
        assert run.coupling.shape == (4, 4, 2)
        assert run.coupling.sum(1 if run.normalize == "input" else 2) == pytest.approx(1)


def test_a_long_run_contains_every_shorter_one():
    for long, short in zip(lab.compare(VOTES, 6), lab.compare(VOTES, 2), strict=True):
        assert long.first(2) == short


def test_objectives_are_monotonic():
    runs = runs_by_name(directions(house_or_boat(parts_of("house"), noise=0.5)), 6)
    assert (np.diff(runs["standard"].objective) > 0).all()
    assert (np.diff(runs["reversed"].objective) > 0).all()
    assert (np.diff(runs["k-means"].objective) < 1e-9).all()
    em = runs["EM"]
    assert em.objective == pytest.approx((em.used - em.ignored).max(1))


def test_sharpness_hardens_k_means_and_beta_ign_limits_em():
    votes = clouds(30).votes
    soft, hard = (runs_by_name(votes, sharpness=K)["k-means"] for K in (1, 10))
    assert hard.entropy[-1] < 0.5 < soft.entropy[-1]
    mild, strict = (runs_by_name(votes, beta_ign=beta)["EM"] for beta in (0.1, 2))
    assert strict.activation[-1].sum() < mild.activation[-1].sum()


def test_sentences_describe_the_routing_of_a_boat():
    inputs = [f"the {kind}" for kind in KINDS]
    sentences = {name: describe_routed(run, inputs, WHOLES, "part") for name, run in runs_by_name(VOTES).items()}
    assert [sentences[name][-1] for name in ("standard", "reversed", "k-means", "EM")] == [
        "Standard routing chooses the boat: all four parts give it more than half.",
        "Reversed routing chooses the boat, which takes the same from every part.",
        "k-means chooses the boat but stays soft: no part gives it more than 77%.",
        "In EM, the boat uses four parts and ignores none: using brings 4.0, ignoring costs 0.0.",
    ]
    assert sentences["EM"][0] == "EM is undecided between the boat (activation 0.73) and the house (0.73)."


def test_one_sentence_compares_all_routings():
    runs = [runs_by_name(VOTES, 2)[name] for name in ("standard", "reversed", "k-means", "EM")]
    first, last = describe_choices(runs, WHOLES)
    assert first == "Standard, reversed and k-means choose the boat; EM is undecided."
    assert last == "All four routings choose the boat."


def test_em_finds_both_a_house_and_a_boat():
    kinds = KINDS * 2
    poses = np.concatenate([parts_of("house", at=pose(-1.1, 0.4)), parts_of("boat", at=pose(1.1, -0.4))])
    em = runs_by_name(directions(house_or_boat(poses, kinds)), 5)["EM"]
    sentences = describe_routed(em, [f"part {i}" for i in range(8)], WHOLES, "part")
    assert sentences[0].startswith("EM is undecided")
    assert sentences[-1] == "EM finds both the boat (activation 0.88) and the house (0.88)."


def test_sentences_describe_the_routing_of_clouds():
    scene = clouds(30, 3, spread=0.1)
    runs = lab.compare(scene.votes, 5)
    assert describe_sureness(runs)[-1].startswith("EM is surest: its shares have ")
    for run in runs:
        sentence = describe_clouds(run, scene)[-1]
        assert "own" in sentence
        assert "means are 0." in sentence


def test_only_em_leaves_outliers_to_spare_capsules():
    errors = []
    for seed in range(8):
        scene = clouds(24, 3, spread=0.1, outliers=0.2, spare=2, seed=seed)
        runs = runs_by_name(scene.votes, 10, beta_use=0, beta_ign=0)
        centres = [means(runs[name].coupling[-1], scene.votes)[:3] for name in ("standard", "k-means", "EM")]
        errors.append([np.linalg.norm(found - scene.centres, axis=-1).mean() for found in centres])
    standard, kmeans, em = np.median(errors, axis=0)
    assert em < 0.15 < standard < kmeans


def test_the_leader_is_clearly_ahead_or_the_only_whole():
    assert leader(np.array([0.3])) == 0
    assert leader(np.array([0.3, 0.305])) is None
    assert leader(np.array([0.3, 0.4])) == 1


def test_the_votes_of_a_text_are_those_that_its_network_routes(tiny):
    cast = lab.votes_of_text(tiny, "a good film")
    assert cast.inputs == ["a", "good", "film"]
    trace = explain(tiny, "a good film", 3)
    run = runs_by_name(cast.votes, 3)["standard"]
    assert run.coupling == pytest.approx(trace.inputs_to_capsules.coupling, abs=1e-5)


def test_features_vote_for_classes(tiny_cccaps):
    cast = lab.votes_of_text(tiny_cccaps, "a good film")
    trace = explain(tiny_cccaps, "a good film", 3)
    assert (cast.unit, cast.inputs[0], cast.outputs) == ("feature", "feature 1", list(tiny_cccaps.classes))
    run = runs_by_name(cast.votes, 3)["k-means"]
    assert run.coupling == pytest.approx(trace.features_to_classes.coupling, abs=1e-5)


def test_parts_vote_for_classes(tiny_em):
    cast = lab.votes_of_text(tiny_em, "a good film")
    routing = explain(tiny_em, "a good film").parts_to_classes
    assert cast.outputs == list(tiny_em.classes)
    used = routing.gate[-1][:, None] * routing.coupling[-1]
    mean = (used[:, :, None] * cast.votes).sum(0) / (used.sum(0) + EPS)[:, None]
    assert mean == pytest.approx(routing.capsules[-1].reshape(mean.shape), abs=1e-4)


def test_an_added_routing_is_run_and_described(monkeypatch):
    monkeypatch.setitem(ROUTINGS, "cosine", kmeans_routing)
    runs = lab.compare(VOTES, 3)
    assert runs[-1].name == "cosine"
    assert runs[-1].coupling == pytest.approx(runs_by_name(VOTES, 3)["k-means"].coupling)
    (*_, last) = describe_routed(runs[-1], [f"the {kind}" for kind in KINDS], WHOLES, "part")
    assert last.startswith("Cosine routing chooses the boat: all four parts give it more than half")
    assert re.fullmatch(r"All \w+ routings choose the boat\.", describe_choices(runs, WHOLES)[-1])


def test_empty_texts_and_networks_without_votes_are_refused(tiny, tiny_agt):
    with pytest.raises(ValueError, match="no word"):
        lab.votes_of_text(tiny, " ")
    with pytest.raises(ValueError, match="has no votes to route"):
        lab.votes_of_text(tiny_agt, "a film")


@pytest.mark.parametrize("kinds", [KINDS[:1], ("bar", "bar", "bar")])
def test_one_part_and_equal_parts_are_routed(kinds):
    poses = np.repeat(parts_of("house", kinds[:1]), len(kinds), 0)
    for run in lab.compare(directions(house_or_boat(poses, kinds)), 10):
        assert all(np.isfinite(values).all() for _, _, values in run.arrays())
        assert len(describe_routed(run, ["a part"] * len(kinds), WHOLES, "part")) == 10
