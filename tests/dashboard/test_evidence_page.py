"""The Evidence page without a browser."""

import json

import pytest

from core import manifest
from core.ledger.claim import evidence_of  # also of a network that waits for a package
from core.measured.evidence.record import Evidence
from core.measured.evidence.scorecard import QUESTIONS, Reply
from dashboard.pages.evidence.measures import MEASURES
from dashboard.pages.evidence.network import all_figures, dot_table
from dashboard.pages.evidence.scorecard import may_say
from dashboard.pages.evidence.texts import ROUTINGS
from dashboard.runs import checkpoints
from tests.core.measured.evidence.samples import EVIDENCE
from tests.dashboard.app import component, download_labels, open_app, open_tab, shown_as_markdown, titles

YES, PARTLY, NO, UNTESTED = Reply
NAME = "dragg-sst2"  # its capsule 4 has a name


@pytest.fixture
def measured(add_model):
    """A tiny network with evidence."""
    folder = add_model("dragg")
    (folder / "evidence.json").write_text(json.dumps(EVIDENCE | {"weights": checkpoints.about("tiny").sha256}))
    return "tiny"


def test_the_scorecard_has_a_row_a_routing_and_says_what_you_may_say():
    app = open_app("evidence").run()
    assert not app.exception
    card, own = component(app, "scorecard")
    assert card["questions"] == own["questions"] == list(QUESTIONS)
    rows = {row["name"]: row for row in card["rows"]}
    assert list(rows) == [name for name in ROUTINGS.values() if name != "Without routing"]
    standard, reversed = rows["Standard dynamic routing"], rows["Reversed dynamic routing"]
    assert [cell["reply"] for cell in standard["replies"]] == ["partly"] * 4
    assert standard["small"] == "7 networks"
    assert standard["replies"][0]["small"] == "7 networks: partly for 6, no for 1; 0% to 34% of a direct test's effect"
    assert [cell["reply"] for cell in reversed["replies"]] == ["yes", "partly", "yes", "yes"]
    assert (
        reversed["replies"][0]["small"]
        == "86% to 90% of a direct test's effect in 3 trainings; +20.6 points (+20.0 to +21.3) compared with random "
        "words"
    )
    assert rows["k-means routing"]["replies"][0]["small"] == "both networks; 25% to 47% of a direct test's effect"
    assert [cell["small"] for cell in rows["Attention by layer (AGT)"]["replies"][2:]] == ["it does not route"] * 2
    assert "Test your own text" in [link.proto.label for link in app.get("page_link")]
    (sentence,) = [text for text in shown_as_markdown(app) if text.startswith("**Of ")]
    n = 20 - len(checkpoints.waiting()[0])  # those that wait for a package are not on the page
    assert sentence == (
        f"**Of {n} networks of 6 kinds, {n - 11} show the words that matter, 10 show some of them and 1 shows none of "
        "them.**"
    )
    assert sum(int(row["small"].split()[0]) for row in card["rows"]) == n


@pytest.mark.parametrize(
    ("replies", "sentence"),
    [
        (
            [[YES], [PARTLY], [YES], [YES]],
            "The picture finds the words that matter. It beats integrated gradients in some tests. Accuracy falls with "
            "any couplings but the network's own and with fewer iterations.",
        ),
        (
            [[PARTLY, YES], [NO, NO], [UNTESTED] * 2, [UNTESTED] * 2],
            "The picture finds the words that matter in 1 of 2 networks. It does not beat integrated gradients.",
        ),
        (
            [[PARTLY, PARTLY, NO], [NO] * 3, [PARTLY, NO, NO], [YES, PARTLY, YES]],
            "The picture finds some of the words that matter in 2 of 3 networks. It does not beat integrated "
            "gradients. In 1 of 3 networks, accuracy falls with some other couplings. Accuracy falls with some smaller "
            "numbers of iterations.",
        ),
        (
            [[NO], [NO], [PARTLY], [NO]],
            "The picture does no better than random words. It does not beat integrated gradients. Accuracy falls with "
            "some other couplings. Fewer iterations do about as well.",
        ),
        (
            [[PARTLY], [YES], [NO], [NO]],
            "The picture finds some of the words that matter. It beats integrated gradients. Other couplings and fewer "
            "iterations do about as well.",
        ),
        ([[UNTESTED]] * 4, "Nothing was tested."),
    ],
)
def test_a_row_ends_in_the_sentence_that_its_replies_allow(replies, sentence):
    assert may_say(replies) == sentence


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_a_picture_and_its_meaning(measure, measured):
    app = open_app("evidence")
    app.query_params |= {"measure": measure, "checkpoint": "tiny"}
    app.run()
    assert not app.exception
    (title,) = titles(app)
    assert title.startswith(f"{measure}: {MEASURES[measure].axis}, ")
    assert MEASURES[measure].meaning.replace("\n", " ") in " ".join(shown_as_markdown(app)).replace("\\", "")
    dots = dot_table(MEASURES[measure], Evidence.read(EVIDENCE), "masked", NAME)
    assert len(dots)
    assert (dots["low"] <= dots["value"]).all()
    assert (dots["value"] <= dots["high"]).all()
    by_ranking = measure in ("Delete top words", "Add top words", "Rank agreement", "Human labels")
    assert dots["is_own"].tolist() == [by_ranking] + [False] * (len(dots) - 1)


def test_the_table_has_every_figure_with_its_interval_and_unit():
    table = all_figures(NAME, Evidence.read(EVIDENCE), "masked").set_index(["measure", "what"])
    deleted = table.loc["Delete top words", "the picture: share for the dominant capsule"]
    assert deleted.tolist() == ["+10.0", "+8.0 to +12.0", MEASURES["Delete top words"].axis]
    assert table.loc[("Remove a capsule", "without capsule 3, dead on most texts"), "value"] == "+0.0"
    assert table.loc[("Number of iterations", "3 iterations, as trained"), "95% interval"] == "-0.5 to +0.5"
    assert set(table.index.get_level_values(0)) == set(MEASURES)


def test_one_network_is_shown_in_a_table_and_in_words(measured):
    app = open_app("evidence")
    app.query_params["checkpoint"] = "tiny"
    assert len(open_tab(app, "Table").dataframe) == 1
    assert {"SVG", "HTML"} <= set(download_labels(app))
    assert any("costs the answer 20.0 points" in text for text in shown_as_markdown(open_tab(app, "In words")))
    card, own = component(app, "scorecard")
    assert own["rows"][0]["small"].startswith("tiny, on 100 of the 200 texts of the official test split, evenly spaced")
    assert {row["small"] for row in card["rows"] if row["name"].startswith("Standard")} == {"8 networks"}


def test_an_unmeasured_network_names_its_command(add_model):
    add_model("dragg")
    app = open_app("evidence")
    app.query_params["checkpoint"] = "tiny"
    app.run()
    assert not app.exception
    assert any("python -m core evidence tiny" in text for text in shown_as_markdown(app))
    assert len(component(app, "scorecard")) == 1


def test_an_earlier_address_opens_a_network_of_the_routing_it_names():
    app = open_app("evidence")
    app.query_params |= {"routing": "attention", "measure": "Order"}
    app.run()
    assert component(app, "scorecard")[1]["rows"][0]["small"].startswith("agt-sst5")
    assert titles(app)[0].startswith("Rank agreement")


@pytest.mark.parametrize(("measure", "routing", "deleted"), [("<b>", "x", "1"), ("", "", ""), ("order", "EM ", "²")])
def test_nonsense_in_the_address_gives_the_first_choice(measure, routing, deleted, measured):
    app = open_app("evidence")
    app.query_params |= {"measure": measure, "routing": routing, "deleted": deleted}
    app.run()
    assert not app.exception
    assert titles(app)[0].startswith("Delete top words")


@pytest.mark.parametrize("name", sorted(file.parent.name for file in manifest.PRETRAINED.glob("*/config.json")))
def test_every_shipped_checkpoint_has_evidence_of_its_weights(name):
    evidence = evidence_of(name)
    assert evidence is not None
    assert all(abs(one.accuracy.mean) <= 1 for one in evidence.iterations)
