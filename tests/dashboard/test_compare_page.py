"""The Compare page without a browser, and its pictures."""

import json
import re
from itertools import permutations

import nbformat
import numpy as np
import pandas as pd
import pytest
import streamlit as st

from core import explain, zoo
from core.provenance.verify import verify
from core.sentences.words import quote
from dashboard.figures.aligned import align_columns, align_runs, hold, match
from dashboard.figures.chart import sheet_as_chart
from dashboard.figures.compare import stacked_pictures, three_pictures
from dashboard.pages.compare.texts import EXAMPLES
from dashboard.runs import checkpoints
from dashboard.screen.markdown import escape
from dashboard.screen.pins import NEW, Pin, to_json
from tests.dashboard.app import (
    component,
    download_labels,
    open_app,
    open_tab,
    shown_as_markdown,
    text_in_box,
    texts,
    titles,
)

A, B = "a good film", "is a bad good movie film"
TINY_NAMES = {"dragg": "tiny", "dragg-documents": "tiny-documents", "cccaps": "tiny-cccaps", "em-sst": "tiny-em"}
NAMED = {"checkpoint B": "model", "edit B": "edits"}  # how a finding calls what a menu changes
TINY_NAMES |= {"agt": "tiny-agt", "drnn": "tiny-drnn"}


def pin(**settings):
    """A pinned run of the tiny network, with other settings if given."""
    about = {"name": "kept", "note": "", "page": "routing", "model": "tiny", "weights": "x" * 64, "text": A}
    return Pin(**about | {"address": {"checkpoint": ["tiny"]}} | settings)


@pytest.fixture
def app(add_model):
    """The page on a tiny network and another with other weights."""
    add_model("dragg")
    add_model("dragg", "twin", n_capsules=4)
    app = open_app("compare")
    app.query_params["checkpoint A"], app.query_params["checkpoint B"] = "tiny", "twin"
    return app


def type_texts(app, first, second):
    app.text_area(key="text A").set_value(first)
    return app.text_area(key="text B").set_value(second).run()


def show(app, letter, row):
    """Click "Show left" (A) or "Show right" (B) in a row of the table of pinned runs."""
    (table,) = app.dataframe
    states = app._tree.get_widget_states()
    click = states.widgets.add(id=table.proto.button_click_widgets[letter])
    click.string_trigger_value.data = json.dumps({"row": row, "label": "Show"})
    return app._run(widget_state=states)


def trace_of(name, text, n_iters=None):
    return explain(zoo.load(name, "cpu"), text, n_iters)


def warnings(app):
    """The warnings, without those about unknown words: tiny networks know few words."""
    return [warning.value for warning in app.warning if "unknown to this network" not in warning.value]


def test_first_screen(app):
    app.run()
    assert not app.exception
    titled = [checkpoints.title(name) for name in ("tiny", "twin")]
    names = [title.partition(" · ")[0] for title in titled]
    assert titles(app) == [f"{title}: share of every word" for title in (*names, "Difference")]
    (classes,) = component(app, "sides")
    assert [run["name"] for run in classes["runs"]] == names
    sentence = component(app, "finding")[0]["sentences"][0]
    assert sentence.startswith("The model and the text differ. ")
    assert " → capsule " in sentence
    shown = [text.replace("\\", "") for text in shown_as_markdown(app)]
    assert any("Capsules of two trainings have no common order" in text for text in shown)
    assert any(
        re.search(r": \d with \d, \d with \d, \d with \d\. Without a partner: capsule \d \(", text) for text in shown
    )
    assert not any("None" in shown for shown in shown_as_markdown(app))


@pytest.mark.parametrize("tab", ["Pinned runs", "This cell", "Steps", "Numbers"])
def test_every_tab_can_be_opened(app, tab):
    open_tab(type_texts(app.run(), A, B), tab)
    assert not app.exception


@pytest.mark.parametrize("kind", TINY_NAMES)
def test_every_kind_is_compared_with_itself_and_with_another(app, add_model, kind):
    add_model(kind)
    app.query_params["checkpoint A"] = app.query_params["checkpoint B"] = TINY_NAMES[kind]
    type_texts(app.run(), A, B)
    assert not app.exception
    assert len(titles(app)) == 3
    app.selectbox(key="checkpoint B").set_value("twin" if kind != "cccaps" else "agt-sst5").run()
    assert not app.exception


def test_words_are_aligned_and_a_word_in_one_text_leaves_a_gap(app):
    first, second = trace_of("tiny", A), trace_of("tiny", B)
    both = align_runs(first, second)
    assert both.labels == ["is", "a", "bad", "good", "movie", "film"]
    gaps = np.isnan(both.first).all((0, 2))
    assert gaps.tolist() == [True, False, True, False, True, False]
    assert not np.isnan(both.second).any()
    column = both.labels.index("good")
    coupling = [trace.inputs_to_capsules.coupling for trace in (first, second)]
    np.testing.assert_array_equal(both.first[:, column], coupling[0][:, 1])
    np.testing.assert_array_equal(both.changed[:, column], coupling[1][:, 3] - coupling[0][:, 1])
    figures = three_pictures(both, ("left", "right"))
    assert len({str(figures[title].spec["encoding"]["color"]["scale"]) for title in ("left", "right")}) == 1
    margins = [figure.spec["encoding"]["y"]["axis"] for figure in figures.values()]
    assert {(margin["minExtent"], margin["maxExtent"]) for margin in margins} == {(36, 36)}
    sheet_as_chart(figures)  # raises if a figure breaks Vega-Lite's schema


def test_words_are_aligned_in_pictures_without_a_difference(add_model):
    add_model("dragg")
    add_model("agt")
    mains = align_columns(trace_of("tiny", A), trace_of("tiny-agt", B), (None, None))
    assert [main.columns for main in mains] == [
        ["", "a", "", "good", "", "film"],
        ["is", "a", "bad", "good", "movie", "film"],
    ]
    assert np.isnan(mains[0].values[:, 0]).all()
    figures = stacked_pictures(mains, ("left", "right"))
    margins = [figure.spec["encoding"]["y"]["axis"] for figure in figures.values()]
    assert len({(margin["minExtent"], margin["maxExtent"]) for margin in margins}) == 1
    sheet_as_chart(figures)


def test_capsules_of_two_trainings_are_matched_and_none_is_lost(app):
    first, second = trace_of("tiny", A, 3), trace_of("twin", B, 3)
    both = align_runs(first, second)
    assert both.is_matched
    *matched, (partner, unmatched) = both.rows
    assert partner == ""
    assert both.unmatched == ([], [unmatched])
    assert both.row_labels[-1] == unmatched
    for shares in (both.first, both.second):  # every word keeps all its shares
        np.testing.assert_allclose(np.nansum(shares[:, both.labels.index("good")], -1), 1, rtol=1e-6)
    assert np.isnan(both.changed[:, :, -1]).all()
    a, b = (trace.inputs_to_capsules.coupling.astype(float) for trace in (first, second))
    pairs = [(i, j) for i, j in both.pairs if i is not None and j is not None]
    words_of_a, words_of_b = map(list, zip(*pairs, strict=True))
    distances = {
        order: np.square(a[-1][words_of_a] - b[-1][words_of_b][:, order]).sum() for order in permutations(range(4), 3)
    }
    assert [int(capsule) - 1 for _, capsule in matched] == list(min(distances, key=distances.get))
    for row, (capsule_of_a, capsule_of_b) in enumerate(matched):
        np.testing.assert_array_equal(both.first[:, both.labels.index("good"), row], a[:, 1, int(capsule_of_a) - 1])
        np.testing.assert_array_equal(both.second[:, both.labels.index("good"), row], b[:, 3, int(capsule_of_b) - 1])
    figures = three_pictures(both, ("left", "right"))
    assert set(figures["right"].data["capsule"].to_pylist()) == {row for _, row in both.rows}
    sheet_as_chart(figures)


def test_matching_by_hand():
    first = np.array([[1.0, 0.0], [0.2, 0.8], [0.0, 0.1]])
    assert match(first, first[[2, 0, 1]]) == [(0, 1), (1, 2), (2, 0)]
    assert match(first, first[[1]]) == [(1, 0)]
    assert match(first[:1], np.array([[np.nan, 0.0], [1.0, 0.5]])) == [(0, 0)]  # only the second number counts


def test_features_of_two_trainings_are_matched(add_model):
    add_model("cccaps")
    add_model("cccaps", "other", d_capsule=5)
    both = align_runs(trace_of("tiny-cccaps", A), trace_of("other", A))
    assert both.is_matched
    for partners, values in zip(zip(*both.pairs, strict=True), (both.first, both.second), strict=True):
        present = [k for k in partners if k is not None]
        assert sorted(present) == list(range(len(present)))
        assert len(present) == (~np.isnan(values[-1, :, 0])).sum()
    assert not align_runs(trace_of("tiny-cccaps", A), trace_of("tiny-cccaps", B)).is_matched


def test_couplings_with_other_normalizations_are_not_subtracted(app, add_model):
    add_model("dragg", "reversed", normalize="input")
    app.query_params["checkpoint B"] = "reversed"
    app.run()
    assert not app.exception
    assert len(titles(app)) == 2
    assert any("different quantities, so we draw no difference" in shown for shown in shown_as_markdown(app))
    assert "This cell" not in [tab.label for tab in app.tabs]


def test_sentences_of_a_document_are_not_words(add_model):
    add_model("dragg")
    add_model("dragg-documents")
    assert align_runs(trace_of("tiny", A), trace_of("tiny-documents", A)) is None


def test_the_first_comparison_is_one_network_on_two_texts(add_model):
    app = open_app("compare").run()
    assert app.selectbox(key="checkpoint A").value == app.selectbox(key="checkpoint B").value
    sentence = component(app, "finding")[0]["sentences"][2]
    assert sentence.startswith(
        "Only the text differs. With “never”: negative (40.1%); without “never”: positive (69.3%)."
    )
    assert sentence.endswith(" Largest change: “funny” → capsule 1 is 0.00 with “never”, 0.90 without “never”.")


def test_a_typed_text_is_compared_with_itself_at_the_first_iteration(app):
    page = open_app("compare")
    page.session_state["typed"], page.session_state["typed_by_user"] = A, True
    assert [page.run().text_area(key=f"text {letter}").value for letter in "AB"] == [A, A]
    assert "Only the iteration differs. " in component(page, "finding")[0]["sentences"][0]
    held = page.selectbox(key="at B").value
    type_texts(page, A, B)
    assert (held, page.selectbox(key="at B").value) == ("1", "slider")
    finding = component(page, "finding")[0]["sentences"][-1]
    assert finding.startswith("Only the text differs. ")
    framed = quote(B.split()[int(page.number_input(key="column").value) - 1])
    assert f"Largest change: {framed} → capsule {int(page.number_input(key='row').value)} " in finding


def test_a_typed_text_follows_the_slider_once_more_differs(app):
    for key, value in (("checkpoint B", "dragg-sst5"), ("edit B", ["drop:film"])):
        page = open_app("compare")
        page.session_state["typed"], page.session_state["typed_by_user"] = A, True
        page.run()
        (page.multiselect if key == "edit B" else page.selectbox)(key=key).set_value(value).run()
        assert page.selectbox(key="at B").value == "slider"
        assert component(page, "finding")[0]["sentences"][-1].startswith(f"Only the {NAMED[key]} differ")


def test_an_edit_names_a_word_and_a_refused_one_is_no_difference(app):
    app.query_params["checkpoint B"] = "tiny"
    type_texts(app.run(), A, A)
    app.multiselect(key="edit B").set_value(["drop:good"]).run()
    assert component(app, "finding")[0]["sentences"][0].startswith("Only the edits differ. ")
    app.multiselect(key="edit B").set_value(["drop:nowhere"]).run()
    assert component(app, "finding")[0]["sentences"][0].startswith("Both runs have the same settings. ")
    assert warnings(app) == [r"Right\: drop\:nowhere is not applied. There is no word 'nowhere' here."]


def test_an_edit_frames_the_cell_that_it_changes_most(app):
    app.query_params["checkpoint B"] = "tiny"
    type_texts(app.run(), A, A)
    for edit, row in (("couple:1,2=1", 3), ("couple:1,0=1", 1)):
        app.multiselect(key="edit B").set_value([edit]).run()
        assert [app.number_input(key=key).value for key in ("column", "row")] == [2, row]


def test_the_address_holds_names_of_networks_and_menus_show_titles(app):
    app.run().selectbox(key="checkpoint A").set_value("dragg-sst5").run()
    menu = app.selectbox(key="checkpoint A")
    assert app.query_params["checkpoint A"] == "dragg-sst5"
    assert menu.options[menu.index] == "Standard dynamic routing · film sentences, 5 classes"
    app.query_params["checkpoint A"] = "tiny"  # the browser's Back, or an old link
    assert app.run().selectbox(key="checkpoint A").value == "tiny"
    app.query_params["checkpoint A"] = "<script>"
    assert app.run().selectbox(key="checkpoint A").value == "dragg-reversed-sst5"
    assert "checkpoint A" not in app.query_params


def test_a_run_can_be_held_at_an_iteration(app):
    trace = trace_of("tiny", A, 4)
    both = align_runs(trace, trace, (None, 2))
    np.testing.assert_array_equal(both.second, np.repeat(both.first[1:2], 4, 0))
    np.testing.assert_array_equal(hold(trace.probabilities, 9), np.repeat(trace.probabilities[3:], 4, 0))
    app.query_params["at B"] = "At 1"
    app.run()
    before, after = (np.array(run["values"]) for run in component(app, "sides")[0]["runs"])
    assert (after == after[0]).all()
    assert not (before == before[0]).all()


def test_the_export_menu_has_the_numbers_of_both_and_of_each_run(app):
    app.session_state["export"] = True
    shown = [caption.value for caption in app.run().caption]
    names = [checkpoints.title(name).partition(" · ")[0] for name in ("tiny", "twin")]
    assert [text for text in shown if "The numbers of" in text] == [
        escape(f"The numbers of {name}") for name in (" and ".join(names), f"{names[0]}, tiny", f"{names[1]}, twin")
    ]
    assert [label for label in download_labels(app) if label.startswith("CSV")] == ["CSV, cells"]


def test_networks_without_common_rows_have_no_difference(app, add_model):
    add_model("agt")
    app.query_params["checkpoint B"] = "tiny-agt"
    app.run()
    assert not app.exception
    assert len(titles(app)) == 2
    assert any("have different rows, so we draw no difference" in shown for shown in shown_as_markdown(app))
    assert "This cell" not in [tab.label for tab in app.tabs]


def test_two_kinds_of_steps_have_two_sliders(app, add_model, monkeypatch):
    add_model("drnn", "windows", window=3)
    app.query_params["checkpoint B"] = "windows"
    app.session_state["export"] = True
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make=None, *_, **__: files.update({label: make}))
    app.run()
    scrubbers = {part["param"]: (part["start"], part["n"]) for part in component(app, "scrubber")}
    assert scrubbers == {"iteration": (3, 3), "window": (3, 40)}
    assert "Windows (DRNN): windows, window 3 of 40: predicts" in " ".join(texts(files["SVG"]().decode()))
    assert files["HTML"]().count('class="rs-scrubber"') == 2


def test_only_a_run_with_steps_has_a_slider(app, add_model):
    add_model("drnn")
    app.query_params["checkpoint B"], app.query_params["at A"] = "tiny-drnn", "At 2"
    app.run()
    assert [part["param"] for part in component(app, "scrubber")] == ["window"]
    params = json.loads(app.get("vega_lite_chart")[0].proto.spec)["params"]
    assert [param["value"] for param in params if param["name"] == "iteration"] == [2]


def test_edits_are_applied_and_unsuitable_ones_give_warnings(app):
    app.query_params["checkpoint B"], app.query_params["text A"] = "tiny", EXAMPLES[1]
    app.query_params["edit B"] = ["couplings:uniform", "capsule:99", "<script>"]
    app.run()
    assert not app.exception
    assert len(warnings(app)) == 2
    (table,) = [table.value for table in open_tab(app, "Numbers").dataframe]
    assert np.allclose(table["edited"], 1 / 3)
    assert isinstance(table, pd.DataFrame)


def test_a_pinned_run_fills_in_a_side_and_says_if_its_weights_differ(app):
    address = {"checkpoint": ["tiny"], "iterations": ["5"], "t": ["2"], "edit": ["drop:0", "-capsule:1"]}
    app.session_state["pins"] = [pin(address=address)]
    app.run()
    app.run()
    show(app, "B", 0)
    assert not app.exception
    assert app.selectbox(key="checkpoint B").value == "tiny"
    assert app.text_area(key="text B").value == A
    assert app.multiselect(key="edit B").value == ["drop:0"]
    assert app.selectbox(key="at B").value == "2"
    assert app.number_input(key="iterations").value == 5
    assert all("have changed since" in warning for warning in warnings(app))
    assert len(warnings(app)) == 2  # one above the sides, which is shown once, and one in the list of pinned runs
    assert len(warnings(app.run())) == 1


def test_runs_of_k_means_are_held_at_the_pinned_iterations(app, add_model):
    """The k-means page runs ten iterations, and its address does not name them."""
    add_model("cccaps", "means")
    address = {"checkpoint": ["means"]}
    kept = [pin(name=t, page="kmeans", model="means", address=address | {"t": [t]}) for t in ("8", "3")]
    app.session_state["pins"] = kept
    app.run()
    for number, letter in enumerate("AB"):
        show(app, letter, number)
    assert not app.exception
    assert [app.selectbox(key=f"at {letter}").value for letter in "AB"] == ["8", "3"]
    assert app.number_input(key="iterations").value == 8


def test_the_page_opens_on_what_was_pinned_last(app):
    edited = pin(text="not a good film", address={"checkpoint": ["tiny"], "edit": ["drop:0"]})
    app.session_state["pins"] = [edited, pin(name="a toy", page="smallnorb", model="em-smallnorb", text="")]
    app.session_state[NEW] = True
    app.query_params.clear()
    app.run()
    assert not app.exception
    assert [app.text_area(key=f"text {letter}").value for letter in "AB"] == ["not a good film"] * 2
    assert [app.multiselect(key=f"edit {letter}").value for letter in "AB"] == [[], ["drop:0"]]
    app.session_state["pins"] = [edited, pin(text="dull"), pin(text="warm")]
    app.run()
    assert [app.text_area(key=f"text {letter}").value for letter in "AB"] == ["not a good film"] * 2  # nothing is new


@pytest.mark.parametrize("first", ["a good film", "not a good film"])
def test_the_page_opens_on_the_last_two_of_several_pins(app, first):
    app.session_state["pins"] = [pin(text="dull"), pin(text=first), pin(text="not a good film")]
    app.session_state[NEW] = True
    app.query_params.clear()
    app.run()
    assert [app.text_area(key=f"text {letter}").value for letter in "AB"] == [first, "not a good film"]


def test_a_pinned_run_of_pictures_has_no_buttons(app):
    app.session_state["pins"] = [pin(), pin(name="a toy", page="smallnorb", model="em-smallnorb", text="")]
    app.run()
    assert not app.exception
    (table,) = app.dataframe
    assert table.value["A"].tolist() == ["Show left", ""]
    assert any("This page compares only texts." in caption.value for caption in app.caption)
    show(app, "A", 1)
    assert app.selectbox(key="checkpoint A").value == "tiny"
    app.session_state["pins"] = [pin()]
    app.run()
    assert not any("This page compares only texts." in caption.value for caption in app.caption)


def test_pinned_runs_become_one_report_that_can_be_verified(app, tmp_path, monkeypatch):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make=None, *_, **__: files.update({label: make}))
    noted = pin(note="<b>why</b>", address={"checkpoint": ["tiny"], "t": ["2"], "edit": ["drop:0", "-drop:1"]})
    gone, toy = pin(name="gone", model="nobody"), pin(name="a toy", page="smallnorb", model="em-smallnorb", text="")
    app.session_state["pins"] = [pin(), noted, gone, toy]
    app.run()
    assert not any("Report" in label for label in files)
    app.button(key="make report").click().run()
    assert not app.exception
    page, notebook = (files[f"Report, {form}"]() for form in ("HTML", "notebook"))
    assert page.count(b"data:image/svg+xml") == 2
    for said in (
        b"&lt;b&gt;why&lt;/b&gt;",
        b"nobody is not installed here.",
        b"This is a run of pictures",
        b"iteration 2 of",
    ):
        assert said in page
    sources = [cell.source for cell in nbformat.reads(notebook.decode(), 4).cells if cell.cell_type == "code"]
    assert sources[0] == "from core import explain, zoo"
    assert [source.splitlines()[-1] for source in sources[1:]] == ["trace.plot(step=3)", "trace.plot(step=2)"]
    assert "edits=['drop:0']" in sources[2]
    for name, content in (("report.html", page), ("report.ipynb", notebook)):
        path = tmp_path / name
        path.write_bytes(content)
        assert verify(path).sentence.startswith("the same: ")
    app.session_state["pins"] = [pin()]
    files.clear()
    app.run()
    assert not any("Report" in label for label in files)  # it was about other runs


def test_a_pinned_run_without_its_checkpoint_gives_one_sentence(app):
    app.session_state["pins"] = [pin(model="nobody")]
    app.run()
    show(app, "A", 0)
    assert not app.exception
    assert "nobody is not installed here" in app.warning[0].value


def test_a_file_of_runs_is_read_and_a_run_is_removed(app):
    app.run()
    kept = [pin(name="one"), pin(name="two", note="*n*")]
    app.file_uploader(key="pins file").upload("runs.json", to_json(kept).encode(), "application/json").run()
    assert not app.exception
    assert app.session_state["pins"] == kept
    app.selectbox(key="pinned run").set_value(0).run()
    app.button(key="remove pinned").click().run()
    assert app.session_state["pins"] == kept[1:]
    app.file_uploader(key="pins file").upload("x.png", b"{", "image/png").run()
    assert app.error[0].value == "The file is not JSON."


@pytest.mark.parametrize("value", ["<script>", "inf", "-1", "", "²"])
def test_nonsense_in_the_address_is_ignored(app, value):
    for name in ("at A", "at B", "iterations", "column", "row", "tab", "t"):
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert len(titles(app)) == 3


@pytest.mark.parametrize("text", ["", "\u200b", "x" * 10_000, "<script>alert(1)</script> **b**", "مرحبا 👩‍👩‍👧"])
def test_odd_texts_are_compared_and_are_no_markup(app, text):
    type_texts(app.run(), A, text)
    assert not app.exception
    assert len(text) < 2 or not any(text in shown for shown in shown_as_markdown(app))


@pytest.mark.parametrize("number", ["0", "1", "x", "-1", "²", ""])
def test_a_link_to_a_pinned_run_brings_its_text(app, number):
    page = open_app("routing")
    page.session_state["pins"] = [pin(text="is good")]
    page.session_state["typed"], page.session_state["typed_by_user"] = A, True
    page.query_params["pin"], page.query_params["checkpoint"] = number, "tiny"
    page.run()
    assert not page.exception
    assert text_in_box(page) == ("is good" if number == "0" else A)
    assert "pin" not in page.query_params
