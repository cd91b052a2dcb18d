"""The badge in the sidebar, and the numbers behind it."""

import json

import pytest

from core.manifest import PRETRAINED
from core.measured.evidence.badge import badge_of
from core.measured.evidence.record import Evidence
from dashboard.screen.badge import describe_badge
from tests.dashboard.app import open_app

FILES = {path.parent.name: path for path in sorted(PRETRAINED.glob("*/evidence.json"))}


@pytest.mark.parametrize("name", FILES)
def test_the_popover_states_both_shares_and_the_rule(name):
    evidence = Evidence.read(json.loads(FILES[name].read_text()))
    badge = badge_of(evidence)
    sentences = describe_badge(evidence, badge)
    shares = [f"share is {share:.0%}." for _, share in badge.by_way]
    assert all(any(share in sentence for sentence in sentences) for share in shares)
    assert sentences[-1].startswith("**The rule**")
    assert any("masking a word is the same" in sentence for sentence in sentences) == (name == "agt-sst5")


def badge_label(app) -> str:
    """The label of the badge in the sidebar."""
    (label,) = [block.proto.popover.label for block in app.sidebar.children.values() if block.type == "popover"][:1]
    return label


def test_the_badge_follows_the_checkpoint():
    app = open_app("routing").run()
    assert badge_label(app) == "Finds some of the words that matter, 12%"
    app.sidebar.selectbox(key="checkpoint").set_value("dragg-reversed-sst5").run()
    assert badge_label(app) == "Finds the words that matter, 87%"
    app.sidebar.selectbox(key="checkpoint").set_value("dragg-flat-imdb").run()
    assert badge_label(app) == "No better than random words"
