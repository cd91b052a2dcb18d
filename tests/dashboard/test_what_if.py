"""The tab What if of every page, without a browser."""

import numpy as np
import pytest

from dashboard.runs import checkpoints, texts
from dashboard.screen.waits import CANCELLED
from tests.dashboard.app import component, open_app, open_tab, shown_as_markdown, text_in_box, type_text

PAGES = {  # an edit that each page offers
    "routing": "couple:1,4=0",
    "kmeans": "couplings:uniform",
    "sentiment_capsules": "replace:0=",
    "agt": "drop:0",
    "drnn": "drop:0",
}
ODD_EDITS = [
    "drop:99",
    "couple:1,2=nan",
    "couplings:<script>",
    "-",
    "",
    "replace:0=" + "x" * 5000,
    "gate:1=0",
    "pose:0,0,0=1",
    "drop:" + 4400 * "1",
    "couplings:@1",
    "couple:1,4=0.5@0",
    "replace:1",
]


def open_what_if(page, **params):
    app = open_app(page)
    for name, value in params.items():
        app.query_params[name] = value
    return open_tab(app, "What if")


def buttons(app):
    """The buttons by label."""
    return {button.label: button for button in app.button}


@pytest.mark.parametrize(("page", "edit"), PAGES.items())
def test_an_edit_in_the_address_changes_the_classes(page, edit, no_sweeps):
    (before,) = component(open_what_if(page), "paired")
    app = open_what_if(page, edit=[edit])
    (paired,) = component(app, "paired")
    assert not app.exception
    assert before["before"] == before["after"] == paired["before"]
    assert paired["after"] != paired["before"]


def test_a_button_adds_an_edit_and_undo_takes_it_back(no_sweeps):
    app = open_what_if("routing")
    i, j = (int(app.number_input(key=key).value) - 1 for key in ("word", "capsule"))
    buttons(app)["Cut"].click().run()
    (paired,) = component(app, "paired")
    edit = f"couple:{i},{j}=0"
    assert app.query_params["edit"] == edit
    assert app.query_params["weights"] == checkpoints.about("dragg-sst5").sha256[:12]
    trace = texts.run("dragg-sst5", "cpu", text_in_box(app), 3, (edit,))
    assert paired["after"][2][0] == pytest.approx(trace.probabilities[2, 0], abs=1e-4)
    buttons(app)["Undo"].click().run()
    assert "edit" not in app.query_params
    (paired,) = component(app, "paired")
    assert paired["after"] == paired["before"]


def test_the_dose_s_21_values_are_sent_at_once(no_sweeps):
    (paired,) = component(open_what_if("routing"), "paired")
    assert len(paired["dose"]["values"]) == len(paired["dose"]["probabilities"]) == 21


@pytest.mark.parametrize("page", PAGES)
def test_odd_edits_in_the_address_are_named_and_nothing_crashes(page, no_sweeps):
    app = open_what_if(page, edit=ODD_EDITS, called=["a name", "<b>"])
    assert not app.exception
    assert any(":material/block:" in text for text in shown_as_markdown(app))
    assert not any("<script>" in text for text in shown_as_markdown(app))


def test_edits_of_words_wait_until_their_text_is_back(no_sweeps):
    app = open_what_if("routing", edit=["drop:3", "capsule:1"])
    text = text_in_box(app)
    type_text(app, "A dull film.")
    assert app.query_params["edit"] == ["-drop:3", "capsule:1"]
    (chips,) = (group.options for group in app.button_group if group.label.startswith("Edits"))
    assert chips == ["without word 4 (of another text)", "without capsule 2"]
    type_text(app, text)
    assert app.query_params["edit"] == ["drop:3", "capsule:1"]


def test_undo_applies_no_edit_of_another_text(no_sweeps):
    app = open_what_if("routing")
    app.number_input(key="word").set_value(4).run()
    buttons(app)["Delete"].click().run()
    buttons(app)["Remove"].click().run()
    type_text(app, "A dull film with one great song.")
    buttons(app)["Undo"].click().run()
    assert app.query_params["edit"] == "-replace:3="


def test_a_deleted_word_has_no_dose(no_sweeps):
    app = open_what_if("routing", text="so good", word="2")
    buttons(app)["Delete"].click().run()
    assert not app.exception
    assert "Undo" in buttons(app)
    (paired,) = component(app, "paired")
    assert paired["dose"] is None
    assert not app.exception


def test_a_link_for_other_weights_says_so(no_sweeps):
    app = open_what_if("routing", edit=["capsule:1"], weights="0123456789ab")
    assert any("other weights" in text for text in shown_as_markdown(app))
    app = open_what_if("routing", edit=["capsule:1"], weights=checkpoints.about("dragg-sst5").sha256[:12])
    assert not any("other weights" in text for text in shown_as_markdown(app))


@pytest.mark.parametrize("page", ["routing", "kmeans", "sentiment_capsules"])
def test_the_causal_map_says_how_it_compares_with_the_shares(page, no_sweeps):
    for _ in range(2):  # the second time, the map comes from the cache
        app = open_what_if(page)
        app.segmented_control(key="beside it").set_value("Causal map").run()
        assert not app.exception
        assert any("tau" in text for text in shown_as_markdown(app))
    app.segmented_control(key="beside it").set_value("After").run()
    app.segmented_control(key="beside it").set_value("Causal map").run()
    assert not app.exception


def test_a_cancelled_causal_map_leaves_the_page_and_can_be_resumed(no_sweeps):
    app = open_what_if("routing")
    app.session_state[CANCELLED] = ("dragg-sst5", text_in_box(app), ())
    app.segmented_control(key="beside it").set_value("Causal map").run()
    assert not app.exception
    assert "Cutting every coupling once: cancelled." in [one.value for one in app.caption]
    assert component(app, "paired")
    assert component(app, "scrubber")
    app.button(key="go on Cutting every coupling once").click().run()
    assert any("tau" in text for text in shown_as_markdown(app))


def test_the_routing_of_sentences_can_be_changed_too(no_sweeps):
    app = open_what_if("routing", checkpoint="dragg-imdb", edit=["drop:1"])
    (paired,) = component(app, "paired")
    assert paired["after"] != paired["before"]


def test_a_word_of_a_document_is_dropped_inside_its_sentence(no_sweeps):
    app = open_what_if("routing", checkpoint="dragg-imdb")
    (drop,) = [button for button in app.button if (button.key or "").endswith("@0")]
    drop.click().run()
    edit = drop.key
    assert app.query_params["edit"] == edit
    (paired,) = component(app, "paired")
    trace = texts.run("dragg-imdb", "cpu", text_in_box(app), 3, (edit,))
    assert paired["after"] != paired["before"]
    assert paired["after"][2][0] == pytest.approx(trace.probabilities[2, 0], abs=1e-4)
    word = trace.tokens[int(edit.removeprefix("drop:").removesuffix("@0"))]
    assert any(f"without “{word}”" in option for pills in app.pills for option in pills.options)


@pytest.mark.parametrize(
    ("page", "checkpoint"),
    [("routing", "dragg-sst5"), ("routing", "dragg-reversed-sst5"), ("kmeans", "cccaps-ag"),
     ("kmeans", "cccaps-dynamic-ag"), ("sentiment_capsules", "em-sst5")],
)  # fmt: skip
def test_the_first_shares_are_offered_unless_they_are_equal(page, checkpoint, no_sweeps):
    app = open_what_if(page, checkpoint=checkpoint)
    offered = [pills.options for pills in app.pills if "Equal" in pills.options]
    trace = texts.run(checkpoint, "cpu", text_in_box(app), 1)
    first = next(trace[name][0] for name in trace.keys() if name.endswith(".coupling"))  # noqa: SIM118
    are_equal = bool(np.allclose(first, first.flat[0]))
    assert offered
    assert all(("First" in options) != are_equal for options in offered)


def test_the_shown_share_is_that_of_the_edited_run(no_sweeps):
    app = open_what_if("routing", word="4", capsule="3", edit=["couplings:uniform"])
    assert "**Its share for capsule 3, 0.20**" in shown_as_markdown(app)
    (paired,) = component(app, "paired")
    assert paired["dose"]["value"] == pytest.approx(0.2)
