"""Exported figures are verified in every format, and what was changed in them is named."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest

from core import Trace, cuts, explain, zoo
from core.__main__ import main
from core.manifest import folder_of
from core.provenance.containers import CONTAINERS
from core.provenance.record import NO_MARKUP, DrawnArray, DrawnRun, draw_cuts
from core.provenance.verify import DIFFERS, INTACT, SAME, verify
from tests.core.provenance.exports import FORMATS, TEXT, drawn_run, exported, plain, run, with_array, with_json

N_NUMBERS = run().cells.values.size + run().probabilities.size


@pytest.fixture
def check(tmp_path):
    """A function that verifies a figure with this content."""

    def verify_content(content, ending, *texts, **options):
        path = tmp_path / f"figure.{ending}"
        path.write_bytes(content)
        return verify(path, texts, **options)

    return verify_content


@pytest.mark.parametrize("ending", FORMATS)
def test_a_figure_with_its_text_is_computed_again(check, ending):
    outcome = check(exported(ending, TEXT), ending)
    says = f"the same: {N_NUMBERS} numbers of dragg-sst5 (coupling and probability), computed again."
    assert (outcome.sentence, outcome.code) == (says, SAME)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_figure_without_its_text_has_intact_numbers(check, ending):
    outcome = check(exported(ending), ending)
    assert outcome.sentence.startswith("numbers intact, not computed again: the text as typed is not in the file")
    assert outcome.code == SAME
    assert check(exported(ending), ending, TEXT).sentence.startswith("the same: ")
    other = check(exported(ending), ending, "A cold film.")
    assert (other.code, other.sentence[:14]) == (DIFFERS, "another text: ")


@pytest.mark.parametrize("ending", FORMATS)
def test_the_record_has_no_text_unless_it_was_wanted(ending):
    def recorded(text):
        return CONTAINERS[f".{ending}"].take(exported(ending, text)).record

    assert b"warm" in recorded(TEXT)
    assert b"warm" not in recorded(None)


@pytest.mark.parametrize("ending", FORMATS)
def test_other_weights_are_named(check, ending):
    other = replace(drawn_run(TEXT), weights="0" * 64)
    outcome = check(exported(ending, drawn=other), ending)
    ours = run().weights[:12]
    says = f"other weights: dragg-sst5 has {ours}, and the figure was made with 000000000000."
    assert (outcome.sentence, outcome.code) == (says, DIFFERS)


def test_an_array_that_the_network_does_not_draw_is_refused(check):
    shares, classes = drawn_run(TEXT).arrays
    made_up = replace(drawn_run(TEXT), arrays=(shares, classes, replace(shares, name="truth")))
    outcome = check(exported("svg", drawn=made_up), "svg")
    says = "another network: a figure of dragg-sst5 draws no 'truth'."
    assert (outcome.sentence, outcome.code) == (says, DIFFERS)


def test_numbers_that_differ_from_a_new_run_are_counted(check):
    shares, classes = drawn_run(TEXT).arrays
    changed = shares.array
    changed[0, 2, 1] += 0.004
    changed[1, 0, :2] -= 0.002
    drawn = replace(drawn_run(TEXT), arrays=(DrawnArray.of(shares.name, shares.axes, changed), classes))
    outcome = check(exported("svg", drawn=drawn), "svg")
    says = f"3 of {N_NUMBERS} cells differ, most by 0.004: coupling of word 3, capsule 2, iteration 1."
    assert (outcome.sentence, outcome.code) == (says, DIFFERS)


def test_effects_of_cuts_that_differ_from_new_ones_are_counted(check):
    lost = cuts(zoo.load("dragg-sst5"), TEXT)
    assert "each share), computed again" in check(exported("svg", drawn=with_cuts(lost)), "svg").sentence
    lost[2, 1, 0] += 0.2
    outcome = check(exported("svg", drawn=with_cuts(lost)), "svg")
    says = "most by 0.2: log-odds lost without each share of capsule 2, class 1, input 3."
    assert (outcome.sentence.partition("differ, ")[2], outcome.code) == (says, DIFFERS)


def with_cuts(lost):
    return DrawnRun.of(run(), TEXT, [draw_cuts(lost, "cell")])


def change_cell(stored):
    """Change a share in a record: of word 3 for capsule 2 in iteration 1."""
    shares = stored["runs"][0]["arrays"][0]
    at = np.ravel_multi_index((0, 2, 1), shares["shape"])
    shares["values"][at] += 0.004


def in_record(ending, change):
    """A figure in which a function has changed the record."""
    container = CONTAINERS[f".{ending}"]
    record = with_json(container.take(exported(ending, TEXT)).record, change)
    return container.put(plain(ending), record.decode().translate(NO_MARKUP).encode())


def in_svg(old, new):
    content, n = re.subn(old, new, exported("svg", TEXT), count=1)
    assert n == 1
    return content


def in_page():
    """A page in which one row of the figure's table has another share."""
    content, n = re.subn(rb'("t": 2, "i": 1, "j": 3, "c": )[\d.]+', rb"\g<1>0.9", exported("html", TEXT))
    assert n == 1
    return content


def in_trace(place, *index):
    def change(stored):
        inner = stored
        for key in (*place, *index[:-1]):
            inner = inner[key]
        inner[index[-1]] += 0.004

    return with_json(exported("json", TEXT), change)


def set_share(array):
    array[2, 1, 0] = 1


CELL = "coupling of word 3, capsule 2, iteration 1"
TAMPERED = {
    "svg, a number": ("svg", lambda: in_record("svg", change_cell), CELL),
    "svg, a label": (
        "svg",
        lambda: in_svg(rb"warm, capsule 2: [\d.]+", b"warm, capsule 2: 0.99"),
        "warm, capsule 2: 0.99",
    ),
    "svg, a colour": ("svg", lambda: in_svg(rb'(film, capsule 4: [^>]*fill=")[^"]+', rb"\1red"), "film, capsule 4: "),
    "pdf, a number": ("pdf", lambda: in_record("pdf", change_cell), CELL),
    "html, a number": ("html", lambda: in_record("html", change_cell), CELL),
    "html, a row": ("html", in_page, "figure 1, word “warm”, capsule “4”, step 2"),
    "json, a share": ("json", lambda: in_trace(["layers", 0, "coupling"], 1, 3, 2), "word 4, capsule 3, iteration 2"),
    "json, a class": ("json", lambda: in_trace(["probabilities"], 2, 1), "probabilities of class 2, iteration 3"),
    "npz": (
        "npz",
        lambda: with_array(exported("npz", TEXT), "layers.0.coupling", set_share),
        "layers.0.coupling of word 2, capsule 1, iteration 3",
    ),
    "notebook": ("ipynb", lambda: in_record("ipynb", change_cell), CELL),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_changed_cell_is_named(check, name):
    ending, make, cell = TAMPERED[name]
    outcome = check(make(), ending)
    assert outcome.code == DIFFERS
    assert outcome.sentence.startswith(f"figure.{ending} was changed after it was exported: ")
    assert cell in outcome.sentence
    assert "rest of the file" not in outcome.sentence


@pytest.mark.parametrize(
    ("content", "ending", "says"),
    [
        (lambda: in_record("svg", lambda r: r["runs"][0].update(network="em-sst5")), "svg", "the record's network"),
        (lambda: in_record("pdf", lambda r: r["settings"].update(iteration=1)), "pdf", "the record's settings"),
        (lambda: in_record("html", lambda r: r["runs"][0].update(text=None)), "html", "the record's text"),
        (lambda: in_record("ipynb", lambda r: r["checks"].update(title="0")), "ipynb", "its list of checksums"),
        (lambda: in_svg(rb"</svg>", b"<circle/></svg>"), "svg", "the rest of the file"),
        (lambda: in_svg(rb'<path aria-label="[^>]*>', b""), "svg", "which is missing"),
        (lambda: with_json(exported("json"), lambda s: s["tokens"].__setitem__(0, "No")), "json", "'tokens'"),
        (
            lambda: with_json(exported("ipynb"), lambda n: n["cells"][2].update(source="1")),
            "ipynb",
            "cell 3 of the notebook",
        ),
        (lambda: CONTAINERS[".pdf"].put(plain("pdf") + b"\n", record_of("pdf")), "pdf", "the rest of the file"),
    ],
    ids=range(9),
)
def test_any_other_change_is_named(check, content, ending, says):
    outcome = check(content(), ending)
    assert outcome.code == DIFFERS
    assert says in outcome.sentence


def record_of(ending):
    return CONTAINERS[f".{ending}"].take(exported(ending)).record


def test_a_file_with_its_record_is_still_such_a_file():
    ElementTree.fromstring(exported("svg", TEXT))
    assert exported("pdf", TEXT).startswith(plain("pdf"))
    assert Trace.from_json(exported("json", TEXT).decode()) == run()
    assert Trace.from_npz(exported("npz", TEXT)) == run()
    nbformat.validate(nbformat.reads(exported("ipynb", TEXT).decode(), 4))


def test_a_notebook_that_was_run_is_still_intact(check):
    def run_it(notebook):
        output = {"output_type": "stream", "name": "stdout", "text": "a"}
        notebook["cells"][1].update(
            outputs=[output], execution_count=1, source=["a", "b"][:0] or source_lines(notebook)
        )
        notebook["metadata"]["kernelspec"] = {"name": "python3", "display_name": "Python 3"}

    assert check(with_json(exported("ipynb", TEXT), run_it), "ipynb").code == SAME


def source_lines(notebook):
    """The source of a cell as Jupyter saves it, in lines."""
    return "".join(notebook["cells"][1]["source"]).splitlines(keepends=True)


def test_the_command_prints_one_sentence_and_has_three_exit_codes(tmp_path, capsys):
    path = tmp_path / "figure.svg"
    for content, code, says in (
        (exported("svg", TEXT), 0, "The same: "),
        (in_record("svg", change_cell), 1, "figure.svg was changed"),
        (plain("svg"), 2, "figure.svg cannot be checked: it holds no record of Routescope"),
    ):
        path.write_bytes(content)
        assert main(["verify", str(path)]) == code
        printed = "".join(capsys.readouterr())
        assert says[1:] in printed
        assert printed.count("\n") == 1


def test_a_network_can_be_given_by_its_folder(check):
    unknown = replace(drawn_run(TEXT), network="nobody")
    content = exported("pdf", drawn=unknown)
    assert "there is no network 'nobody' here" in check(content, "pdf").sentence
    assert check(content, "pdf", network=folder_of("dragg-sst5")).sentence.startswith("the same: ")
    assert check(content, "pdf", network=folder_of("dragg-sst2")).sentence.startswith("other weights: dragg-sst2 has ")


def test_a_given_network_is_looked_at_although_there_is_no_text(check, tmp_path):
    content = exported("svg", drawn=drawn_run())
    assert check(content, "svg", network=folder_of("dragg-sst5")).sentence.startswith(INTACT)
    assert check(content, "svg", network=folder_of("dragg-sst2")).code == DIFFERS
    (tmp_path / "empty").mkdir()
    for folder, says in (("nowhere", "there is no such folder"), ("empty", "there is no config.json in it")):
        with pytest.raises(ValueError, match=f"{folder} holds no network: {says}"):
            check(content, "svg", network=tmp_path / folder)


def test_edits_that_do_not_fit_a_text_show_that_it_is_another(check):
    edited = DrawnRun.of(explain(zoo.load("dragg-sst5"), TEXT, edits=["drop:5"]), None)
    says = check(exported("svg", drawn=edited), "svg", "Good.").sentence
    assert says.startswith("another text: the edits of the figure do not fit it (i is 5 in drop:I, wanted 0 to 1)")


def test_edits_and_iterations_are_computed_again(check):
    edited = explain(zoo.load("dragg-sst5"), TEXT, 5, ["drop:warm", "capsule:capsule 2"])
    drawn = DrawnRun.of(edited, TEXT)
    assert (drawn.iterations, drawn.edits) == (5, ("drop:1", "capsule:1"))
    assert check(exported("svg", drawn=drawn), "svg").code == SAME


def test_a_record_keeps_its_numbers_exactly():
    shares = drawn_run().arrays[0]
    assert np.array_equal(shares.array, run().cells.values)
    assert json.loads(json.dumps(shares.values)) == list(shares.values)
