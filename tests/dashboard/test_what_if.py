"""Edits of the run on every page on a text: offers, chips, doses, and what they redraw. Without a browser."""

import numpy as np
import pytest

from dashboard.runs import checkpoints, texts
from dashboard.screen.waits import CANCELLED
from tests.dashboard.app import (
    component,
    main_picture,
    open_app,
    open_section,
    shown_as_markdown,
    text_in_box,
    type_text,
)

FIRST = "dragg-reversed-sst5"  # network on which the page of dynamic routing opens
EFFECTS = "Effect of cutting each"
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


def open_page(page, **params):
    """A page after its first run, with these entries in its address."""
    app = open_app(page)
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


def open_offers(page, **params):
    """A page with the section of the inspector that offers edits."""
    return open_page(page, inspect="Change it", **params)


def buttons(app):
    """The buttons by label."""
    return {button.label: button for button in app.button}


def chips(app):
    """The edits on their chips."""
    return [b.label.removesuffix(" :material/close:") for b in app.button if (b.key or "").startswith("chip ")]


def leave_out_word(app):
    """Open the menu of replacements for the picked word, and leave the word out."""
    app.session_state["replace"] = True
    buttons(app.run())["Leave it out"].click().run()
    assert not app.exception


@pytest.mark.parametrize(("page", "edit"), PAGES.items())
def test_an_edit_redraws_the_bars_and_the_picture(page, edit, no_sweeps):
    app = open_page(page)
    (plain,), (cells, spec) = component(app, "verdict"), main_picture(app)
    assert plain["before"] is None
    assert "before" not in [layer.get("name") for layer in spec.get("layer", ())]
    app = open_page(page, edit=[edit])
    assert not app.exception
    (edited,), (edited_cells, spec) = component(app, "verdict"), main_picture(app)
    assert edited["before"] == plain["values"] != edited["values"]
    assert [layer.get("name") for layer in spec["layer"]][:2] == ["cells", "before"]
    assert edited_cells["before"].notna().any()
    assert not edited_cells.drop(columns="before").equals(cells)


@pytest.mark.parametrize("page", [page for page in PAGES if page != "drnn"])
def test_a_dose_has_21_values_with_the_picture_s_numbers(page, no_sweeps):
    app = open_offers(page)
    (dose,), (verdict,) = component(app, "dose"), component(app, "verdict")
    assert len(dose["values"]) == len(dose["probabilities"]) == 21
    assert np.shape(dose["probabilities"])[1:] == np.shape(verdict["values"])
    if page in ("routing", "kmeans", "sentiment_capsules"):
        n_steps = len(verdict["values"])
        assert np.shape(dose["cells"]) == (21, n_steps, len(main_picture(app)[0]) // n_steps)
    else:
        assert dose["cells"] is None


def test_a_dose_that_is_kept_becomes_an_edit(no_sweeps):
    app = open_offers("routing", word="2", capsule="5", edit=["couple:1,4=0.35"])
    (dose,), (verdict,) = component(app, "dose"), component(app, "verdict")
    assert chips(app) == ["share of “acting” for capsule 5\\: 0.35"]
    assert dose["value"] == pytest.approx(0.35)
    np.testing.assert_allclose(dose["probabilities"][7], verdict["values"], atol=1e-5)  # the dose 0.35


def test_a_button_adds_an_edit_and_undo_takes_it_back(no_sweeps):
    app = open_offers("routing")
    i, j = (int(app.number_input(key=key).value) - 1 for key in ("word", "capsule"))
    buttons(app)["Set to 0"].click().run()
    (verdict,) = component(app, "verdict")
    edit = f"couple:{i},{j}=0"
    assert app.query_params["edit"] == edit
    assert app.query_params["weights"] == checkpoints.about(FIRST).sha256[:12]
    trace = texts.run(FIRST, "cpu", text_in_box(app), 3, (edit,))
    np.testing.assert_allclose(verdict["values"][:3], trace.probabilities[:3], atol=1e-4)
    buttons(app)["Undo"].click().run()
    assert "edit" not in app.query_params
    assert component(app, "verdict")[0]["before"] is None


def test_what_the_buttons_do_stands_below_them(no_sweeps):
    captions = [caption.value for caption in open_offers("routing").caption]
    (told,) = [caption for caption in captions if caption.startswith("**Set to 0 or Set to 1:**")]
    assert [line.partition(":**")[0] for line in told.splitlines()[1:]] == [
        "**Mask word",
        "**Switch off",
        "**Equal",
        "**Shuffled",
        "**Fixed from this iteration",
    ]


def test_the_x_of_a_chip_removes_its_edit_alone(no_sweeps):
    app = open_page("routing", edit=["capsule:1", "drop:3"])
    assert chips(app) == ["without capsule 2", "without “superb”"]
    app.button(key="chip 0 capsule:1").click().run()
    assert app.query_params["edit"] == "drop:3"
    assert chips(app) == ["without “superb”"]
    app.button(key="chip 0 drop:3").click().run()
    assert not chips(app)
    assert component(app, "verdict")[0]["before"] is None
    assert not {"Undo", "Bring the edits back"} & set(buttons(app))


def test_clear_removes_all_edits_and_undo_brings_them_back(no_sweeps):
    app = open_page("routing", edit=["capsule:1", "drop:3"])
    buttons(app)["Clear"].click().run()
    assert "edit" not in app.query_params
    assert "Undo" not in buttons(app)
    buttons(app)["Bring the edits back"].click().run()
    assert app.query_params["edit"] == ["capsule:1", "drop:3"]


@pytest.mark.parametrize("page", PAGES)
def test_odd_edits_in_the_address_are_named_and_nothing_crashes(page, no_sweeps):
    app = open_offers(page, edit=ODD_EDITS, called=["a name", "<b>"])
    assert not app.exception
    assert any(":material/block:" in text for text in shown_as_markdown(app))
    shown = [*shown_as_markdown(app), *(button.label for button in app.button)]
    assert not any("<script>" in text for text in shown)


def test_a_name_and_an_off_switch_in_an_older_link_still_count(no_sweeps):
    app = open_page("routing", edit=["-capsule:1", "drop:3"], called=["", "no superb"])
    assert chips(app) == ["without capsule 2 (off)", "no superb"]
    trace = texts.run(FIRST, "cpu", text_in_box(app), 3, ("drop:3",))
    np.testing.assert_allclose(component(app, "verdict")[0]["values"][:3], trace.probabilities[:3], atol=1e-4)


def test_edits_of_words_wait_until_their_text_is_back(no_sweeps):
    app = open_page("routing", edit=["drop:3", "capsule:1"])
    text = text_in_box(app)
    type_text(app, "A dull film.")
    assert app.query_params["edit"] == ["-drop:3", "capsule:1"]
    assert chips(app) == ["without word 4 (of another text)", "without capsule 2"]
    type_text(app, text)
    assert app.query_params["edit"] == ["drop:3", "capsule:1"]


def test_edits_of_words_wait_after_a_reload_that_lost_their_text(no_sweeps):
    text = "A dull film with one great song."
    mark = open_page("routing", text=text, edit=["drop:3"]).query_params["of"]
    app = open_page("routing", edit=["drop:3", "capsule:1"], of=mark)
    assert chips(app) == ["without word 4 (of another text)", "without capsule 2"]
    type_text(app, text)
    assert app.query_params["edit"] == ["drop:3", "capsule:1"]


def test_undo_applies_no_edit_of_another_text(no_sweeps):
    app = open_offers("routing")
    app.number_input(key="word").set_value(4).run()
    leave_out_word(app)
    buttons(app)["Equal"].click().run()
    app.button(key="chip 0 replace:3=").click().run()
    type_text(app, "A dull film with one great song.")
    buttons(app)["Undo"].click().run()
    assert app.query_params["edit"] == ["-replace:3=", "couplings:uniform"]


def test_a_deleted_word_has_no_dose(no_sweeps):
    app = open_offers("routing", text="so good", word="2")
    assert component(app, "dose")
    leave_out_word(app)
    assert "Undo" in buttons(app)
    assert not component(app, "dose")
    assert not open_section(app, "This cell").exception


def test_the_picked_word_stays_picked_when_an_edit_moves_it(no_sweeps):
    app = open_page("routing", text="so very good", word="3", capsule="1", edit=["replace:1="])
    assert component(app, "scrubber")[0]["signals"]["picked"] == 1 * 5
    assert not any("took this out" in text for text in shown_as_markdown(app))
    assert app.session_state["moved"] == {"word": [0, 2]}
    numbers = {"sentiment_capsules": "credit of “good”", "agt": "attention to “good”", "drnn": "ending at “good”"}
    for page, about in numbers.items():
        app = open_page(page, text="so very good", word="3", changed="1", edit=["replace:1="])
        assert any(about in text for text in shown_as_markdown(app))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_goes_on_without_the_picked_word(page, no_sweeps):
    app = open_page(page, text="so good", word="2", edit=["replace:1="], tab="Formula")
    for section in ("This cell", "Change it", "Test it"):
        assert not open_section(app, section).exception


@pytest.mark.parametrize(
    ("page", "word", "edit", "is_gone"),
    [
        ("routing", "2", "replace:1=", True),
        ("routing", "2", "replace:1=bad", False),
        ("sentiment_capsules", "2", "replace:1=", True),
        ("agt", "2", "replace:1=bad", False),
    ],
)
def test_only_a_word_that_is_gone_has_no_numbers(page, word, edit, is_gone, no_sweeps):
    app = open_page(page, text="so good", word=word, edit=[edit], inspect="This cell")
    assert any("took this out" in caption.value for caption in app.caption) == is_gone


def test_a_sentence_in_which_a_word_was_replaced_is_still_there(no_sweeps):
    app = open_page("routing", checkpoint="dragg-imdb", text="A film. Good!", sentence="2", edit=["replace:3=Bad"])
    assert not any("took this out" in caption.value for caption in open_section(app, "This cell").caption)


def test_a_document_goes_on_without_the_picked_sentence(no_sweeps):
    params = {
        "checkpoint": "dragg-imdb",
        "text": "A film. Good!",
        "sentence": "2",
        "edit": ["replace:3=", "replace:4="],
    }
    for tab in ("Words of a sentence", "Formula"):
        assert not open_page("routing", tab=tab, **params).exception


def test_a_link_for_other_weights_says_so(no_sweeps):
    app = open_page("routing", edit=["capsule:1"], weights="0123456789ab")
    assert any("other weights" in text for text in shown_as_markdown(app))
    app = open_page("routing", edit=["capsule:1"], weights=checkpoints.about(FIRST).sha256[:12])
    assert not any("other weights" in text for text in shown_as_markdown(app))


@pytest.mark.parametrize("page", ["routing", "kmeans", "sentiment_capsules"])
def test_the_causal_map_says_how_it_compares_with_the_shares(page, no_sweeps):
    for _ in range(2):  # the second time, the map comes from the cache
        app = open_page(page, shown=EFFECTS)
        assert not app.exception
        assert any("Kendall's τ" in text for text in shown_as_markdown(app))
    app.segmented_control(key="shown").set_value("Shares").run()
    app.segmented_control(key="shown").set_value(EFFECTS).run()
    assert not app.exception


def test_a_cancelled_causal_map_leaves_the_page_and_can_be_resumed(no_sweeps):
    app = open_page("routing")
    app.session_state[CANCELLED] = (FIRST, text_in_box(app), ())
    app.segmented_control(key="shown").set_value(EFFECTS).run()
    assert not app.exception
    assert "Cutting every share once: cancelled." in [one.value for one in app.caption]
    assert component(app, "verdict")
    assert component(app, "scrubber")
    app.button(key="go on Cutting every share once").click().run()
    assert any("Kendall's τ" in text for text in shown_as_markdown(app))


def test_the_routing_of_sentences_can_be_changed_too(no_sweeps):
    app = open_page("routing", checkpoint="dragg-imdb", edit=["drop:1"])
    (verdict,) = component(app, "verdict")
    assert verdict["values"] != verdict["before"]
    assert main_picture(app)[0]["before"].notna().any()


def test_a_word_of_a_document_is_dropped_inside_its_sentence(no_sweeps):
    app = open_offers("routing", checkpoint="dragg-imdb")
    (drop,) = [button for button in app.button if (button.key or "").endswith("@0")]
    drop.click().run()
    edit = drop.key
    assert app.query_params["edit"] == edit
    (verdict,) = component(app, "verdict")
    trace = texts.run("dragg-imdb", "cpu", text_in_box(app), 3, (edit,))
    assert verdict["values"] != verdict["before"]
    np.testing.assert_allclose(verdict["values"][:3], trace.probabilities[:3], atol=1e-4)
    word = trace.tokens[int(edit.removeprefix("drop:").removesuffix("@0"))]
    assert [f"without “{word}”" in chip for chip in chips(app)] == [True]


@pytest.mark.parametrize(
    ("page", "checkpoint"),
    [("routing", "dragg-sst5"), ("routing", FIRST), ("kmeans", "cccaps-ag"), ("kmeans", "cccaps-dynamic-ag"),
     ("sentiment_capsules", "em-sst5")],
)  # fmt: skip
def test_the_first_shares_are_offered_unless_they_are_equal(page, checkpoint, no_sweeps):
    app = open_offers(page, checkpoint=checkpoint)
    offered = [button.label for button in app.button]
    trace = texts.run(checkpoint, "cpu", text_in_box(app), 1)
    first = next(trace[name][0] for name in trace.keys() if name.endswith(".coupling"))  # noqa: SIM118
    assert "Equal" in offered
    assert ("Iteration 1" in offered) != bool(np.allclose(first, first.flat[0]))


def test_the_shown_share_is_that_of_the_edited_run(no_sweeps):
    app = open_offers("routing", checkpoint="dragg-sst5", word="4", capsule="3", edit=["couplings:uniform"])
    assert "**“superb” → capsule 3\\: 0.20 (iteration 3)**" in shown_as_markdown(app)
    assert component(app, "dose")[0]["value"] == pytest.approx(0.2)


def test_a_gate_alone_leaves_the_attention_and_the_inspector_says_so(no_sweeps):
    app = open_offers("agt", edit=["gate:14=0"])
    assert not app.exception
    assert any("The picture stays as it was" in text for text in shown_as_markdown(app))
    app = open_offers("agt", edit=["gate:14=0", "drop:0"])
    assert not any("The picture stays as it was" in text for text in shown_as_markdown(app))
