"""The badge of a network, and the numbers behind it."""

import json
import re

import pytest

from core.manifest import PRETRAINED
from core.measured.evidence.badge import badge_of
from core.measured.evidence.record import Evidence
from dashboard.screen.badge import also_tested, badge_line, describe_badge
from tests.dashboard.app import open_app

FILES = {path.parent.name: path for path in sorted(PRETRAINED.glob("*/evidence.json"))}


@pytest.mark.parametrize("name", FILES)
def test_the_popover_states_both_shares_and_the_rule(name):
    evidence = Evidence.read(json.loads(FILES[name].read_text()))
    badge = badge_of(evidence)
    sentences = describe_badge(evidence, badge)
    shares = [f"The first number is {share:.0%} of the second." for _, share in badge.by_way]
    assert all(any(share in sentence for sentence in sentences) for share in shares)
    assert any(sentence.startswith("**The rule**") for sentence in sentences)
    assert any("masking a word equals" in sentence for sentence in sentences) == name.startswith("agt-")
    assert (f"{badge.share or 0:.0%}** is not a share of the {badge.unit}s." in sentences[0]) == (
        badge.share is not None
    )
    assert sentences[-1] == also_tested(evidence) or sentences[-1].startswith("**The rule**")


def test_the_second_line_says_what_else_was_tested():
    of = {name: Evidence.read(json.loads(FILES[name].read_text())) for name in ("dragg-sst5", "em-sst5", "agt-sst5")}
    standard, em = also_tested(of["dragg-sst5"]), also_tested(of["em-sst5"])
    assert standard.startswith(
        "Another ranking, by each word's share for the dominant capsule, is no better than random words. The "
    )
    assert (
        "use by the predicted class (D_use), finds some words that matter (13% of a direct test). Accuracy is 51.3%"
        in em
    )
    assert also_tested(of["agt-sst5"]) == ""


def test_a_line_says_which_picture_was_tested(add_model):
    add_model("dragg")
    assert badge_line("dragg-sst5") == (
        "This picture was not tested. The badge is about each word's share for the deciding capsule."
    )
    assert "each place's credit for the answer" in badge_line("em-smallnorb")
    assert badge_line("tiny") == "No picture of this network was tested."


def badge_label(app) -> str:
    """The label of the badge next to the name of the network."""
    labels = [block.proto.popover.label for block in app.get("popover")]
    (label,) = [label for label in labels if label.startswith(("Finds", "No better", "Not measured"))]
    return label


def test_the_badge_follows_the_checkpoint():
    app = open_app("routing").run()
    assert badge_label(app) == "Finds the words that matter (86% to 90% of a direct test)"
    app.selectbox(key="checkpoint").set_value("dragg-sst5").run()
    assert badge_label(app) == "Finds some words that matter (12% of a direct test)"
    app.selectbox(key="checkpoint").set_value("dragg-flat-imdb").run()
    assert badge_label(app) == "No better than random words"


def test_the_badge_of_pictures_speaks_of_places():
    evidence = Evidence.read(json.loads(FILES["em-smallnorb-views"].read_text()))
    said = " ".join(describe_badge(evidence, badge_of(evidence)))
    assert "beats random places" in said
    assert not re.search(r"\bwords?\b", said)
