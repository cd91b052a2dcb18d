"""The widget of a trace, in Python: what it shows, and how picks and edits come back."""

import json
import pickle
import sys
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest

import core
from core import Trace, zoo
from core.trace import Origin
from dashboard.components import notebook
from dashboard.components.widget import NO_EDITS_OF_PICTURES, NO_ORIGIN
from dashboard.figures.shaded import shaded
from tests.conftest import save_tiny
from tests.core.samples import REVIEW, SENTENCE, pair

MARKUP = "a good </script><script>alert(1)</script> <img src=x onerror=alert(1)> film"
KINDS = {  # network by kind: units of a picked cell, and its array in the trace
    "tiny": ({"word", "capsule", "iteration"}, "inputs_to_capsules.coupling"),
    "tiny_documents": ({"sentence", "capsule", "iteration"}, "sentences_to_document.coupling"),
    "tiny_cccaps": ({"feature", "class", "iteration"}, "features_to_classes.coupling"),
    "tiny_em": ({"word", "class", "iteration"}, "credit_of_words"),
    "tiny_agt": ({"word", "layer"}, "attention"),
    "tiny_drnn": ({"word", "window"}, "wins"),
}


@pytest.fixture
def explained(request):
    """A function that explains a text with the network of a fixture."""
    return lambda name, text=SENTENCE, **options: core.explain(request.getfixturevalue(name), text, **options)


def ask(widget, *edits):
    """Ask for edits as the browser does."""
    widget.set_state({"asked": list(edits)})


@pytest.mark.parametrize("name", KINDS)
def test_every_edit_on_offer_runs_and_comes_back(explained, name):
    trace = explained(name, REVIEW if name == "tiny_documents" else SENTENCE)
    widget = trace.show()
    cells = widget.view["cells"]
    i, j = cells["first"]
    for offer in widget.view["offers"]:
        j = max(j, offer["least"])
        form = offer["form"].replace("{i}", str(i)).replace("{j}", str(j)).replace("{v}", "0.5")
        ask(widget, form)
        assert (widget.note, widget.edits) == ("", [form])
        assert widget.trace == explained(name, trace.origin.text, edits=[form])
        assert widget.view["edits"] == [[form, widget.trace.edits_in_words()[0]]]
        assert widget.view["verdict"]["before"] == pytest.approx(trace.probabilities, abs=1e-6)
        assert widget.asked is None
    widget.edits = []
    assert widget.trace == trace
    assert widget.view["verdict"]["before"] is None
    json.dumps(widget.view)


@pytest.mark.parametrize(("name", "units", "array"), [(name, *row) for name, row in KINDS.items()])
def test_a_cell_has_the_numbers_of_the_trace(explained, name, units, array):
    trace = explained(name, REVIEW if name == "tiny_documents" else SENTENCE)
    view = trace.show().view
    cells, along = view["cells"], view["param"]
    assert {cells["unit"], along} | ({cells["row_unit"]} - {along}) == units
    i, j = cells["first"]
    t = trace.own_step - 1
    path = cells["path"].replace("{i}", str(i)).replace("{j}", str(j)).replace("{t}", str(t))
    assert path.startswith(f"trace.{array}[")
    shown = cells["quantities"][0]["values"][0 if cells["rows_are_steps"] else t][i][j]
    assert shown == pytest.approx(float(eval(path, {"trace": trace})), abs=1e-4)


@pytest.mark.parametrize("name", KINDS)
def test_the_text_is_shaded_as_it_was_typed(explained, name):
    text = REVIEW if name == "tiny_documents" else "A  good\tfilm, isn't it?"
    segments = explained(name, text).show().view["shading"]["segments"]
    assert "".join(piece for piece, _ in segments) == text


def test_lines_belong_to_what_is_picked(explained):
    for name, by, n_lines, at_once in (("tiny", "row", 3, 1), ("tiny_cccaps", "column", 6, 2), ("tiny_em", "", 2, 2)):
        lines = shaded(explained(name))
        assert (lines.by, lines.shares.shape[2], lines.shown_at_once) == (by, n_lines, at_once)
        assert ((lines.shares >= 0) & (lines.shares <= 1)).all()
        assert {len(line) for line in lines.notes} == {n_lines}


def test_picks_come_back_and_can_be_set(explained):
    widget, heard = explained("tiny").show(), []
    widget.observe(lambda change: heard.append(change.new), "picked")
    assert widget.picked == {}
    widget.set_state({"picked": {"word": 2, "capsule": 0, "iteration": 3}})
    widget.picked = {"word": 1, "capsule": 2, "iteration": 1}
    assert heard == [{"word": 2, "capsule": 0, "iteration": 3}, {"word": 1, "capsule": 2, "iteration": 1}]


def test_a_refused_edit_changes_nothing_and_says_why(explained):
    widget = explained("tiny").show()
    ask(widget, "drop:1")
    trace = widget.trace
    ask(widget, "drop:1", "capsule:9")
    assert widget.note == "j is 9 in capsule:J, wanted 0 to 2"
    assert widget.trace is trace
    with pytest.raises(ValueError, match="wanted one of"):
        widget.edits = ["<b>"]
    ask(widget)
    assert (widget.note, widget.edits) == ("", [])


def test_a_trace_forgets_its_run_in_copies_and_files(explained):
    trace = explained("tiny")
    for other in (replace(trace), trace.first(1), pickle.loads(pickle.dumps(trace)), Trace.from_json(trace.to_json())):
        assert other.origin is None
        widget = other.show()
        assert not widget.view["editable"]
        with pytest.raises(ValueError, match=NO_ORIGIN):
            widget.edits = ["drop:1"]
    segments = Trace.from_json(explained("tiny", "A  good\tfilm").to_json()).show().view["shading"]["segments"]
    assert segments == [["A", 0], ["  ", None], ["good", 1], [" ", None], ["film", 2]]


def test_a_run_is_repeated_by_the_network_that_the_zoo_still_has(tiny_folder):
    widget = core.explain(zoo.load("tiny", "cpu"), SENTENCE).show()  # nobody holds the network any more
    widget.edits = ["drop:1"]
    assert widget.trace.edits == ["drop:1"]
    widget = core.explain(zoo.load("tiny", "cpu"), SENTENCE).show()
    save_tiny(tiny_folder.parent, "dragg", n_capsules=2)
    with pytest.raises(ValueError, match="The weights of tiny have changed since this run"):
        widget.edits = ["drop:1"]


def test_traces_of_many_texts_know_their_runs(tiny):
    for trace in core.explain_many(tiny, [SENTENCE, "a good film", "bad"]):
        widget = trace.show()
        widget.edits = ["drop:0"]
        assert widget.trace == core.explain(tiny, trace.origin.text, edits=["drop:0"])


def test_a_server_that_fails_is_named_in_the_widget(explained):
    def fail(_):
        raise RuntimeError("There is no answer from http://localhost:1")

    trace = explained("tiny")
    widget = trace.with_origin(Origin(SENTENCE, lambda: fail)).show()
    ask(widget, "drop:1")
    assert widget.note == "There is no answer from http://localhost:1"


def test_pictures_are_shown_without_edits(tiny_em_smallnorb):
    trace = core.explain(tiny_em_smallnorb, pair(40, 40))
    for shown in (trace, trace.by_place()):
        widget = shown.show()
        assert (widget.view["cells"], widget.view["shading"]) == (None, None)
        with pytest.raises(ValueError, match=NO_EDITS_OF_PICTURES):
            widget.edits = ["capsule:1"]


def test_typed_markup_is_text_on_the_page(explained):
    trace = explained("tiny", MARKUP)
    html = trace.show()._repr_html_()
    assert html.count("<") == html.count("</iframe>") + 1  # the frame, and nothing in it
    page = unescape(html.partition('srcdoc="')[2].rpartition('"></iframe>')[0])
    assert page == notebook.page(trace.show().view)
    kept = page.partition('type="application/json">')[2].partition("</script>")[0]
    assert "<" not in kept
    assert json.loads(kept)["shading"]["segments"] == trace.show().view["shading"]["segments"]


def test_the_page_loads_nothing(explained):
    trace = explained("tiny")
    assert "default-src 'none'" in notebook.page()
    for text in (trace.show()._esm, notebook.page(trace.show().view)):
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text
    assert len(trace.show()._esm) < 500_000  # once for each widget


def test_a_notebook_that_a_program_runs_holds_html_only(explained, monkeypatch):
    widget_type = "application/vnd.jupyter.widget-view+json"
    trace = explained("tiny")
    bundle, _ = trace.show()._repr_mimebundle_()
    assert {widget_type, "text/html", "text/plain"} <= set(bundle)
    request = {"content": {"allow_stdin": False}}
    kernel = SimpleNamespace(get_parent=lambda: request)
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=kernel))
    bundle, _ = trace.show()._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    request["content"]["allow_stdin"] = True
    assert widget_type in trace.show()._repr_mimebundle_()[0]


def test_without_anywidget_one_sentence_says_what_to_install(explained, monkeypatch):
    monkeypatch.delitem(sys.modules, "dashboard.components.widget")
    monkeypatch.delattr("dashboard.components.widget")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match="which is not installed: pip install anywidget"):
        explained("tiny").show()


def test_a_frame_marks_the_picked_cell_of_every_kind(explained):
    for name in KINDS:
        trace = explained(name, REVIEW if name == "tiny_documents" else SENTENCE)
        view = trace.show().view
        spec, n_rows = view["picture"], len(view["cells"]["rows"])
        cells = spec["layer"][0] if "layer" in spec else spec
        assert f"datum.i * {n_rows} + " in cells["encoding"]["stroke"]["condition"]["test"]
        places = {(d["i"], d["w"] - 1 if "w" in d else d["j"]) for d in spec["data"]["values"]}
        assert len(places) == np.prod([len(view["cells"][side]) for side in ("columns", "rows")])
