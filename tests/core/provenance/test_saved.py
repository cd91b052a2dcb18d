"""Files that a trace saves from Python prove themselves."""

import re

import pytest

from core import Trace, explain, zoo
from core.provenance.seal import read
from core.provenance.verify import SAME, verify
from tests.core.provenance.exports import TEXT, run

ENDINGS = ("svg", "pdf", "html", "json", "npz")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_saved_file_is_computed_again(ending, tmp_path):
    file = tmp_path / f"run.{ending}"
    run().save(file, with_text=True)
    outcome = verify(file)
    assert outcome.code == SAME
    assert outcome.sentence.startswith("the same: ")
    assert outcome.sentence.endswith(" numbers of dragg-sst5 (coupling and probability), computed again.")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_saved_file_holds_its_text_only_if_that_is_wanted(ending, tmp_path):
    file = tmp_path / f"run.{ending}"
    run().save(file)
    assert read(file.read_bytes(), file.name).record.runs[0].text is None
    assert "the text as typed is not in the file" in verify(file).sentence
    assert verify(file, [TEXT]).sentence.startswith("the same: ")


def test_a_saved_picture_shows_the_step_the_text_and_the_edits(tmp_path):
    file = tmp_path / "run.SVG"
    explain(zoo.load("dragg-sst5"), "A warm film.", edits=["drop:warm"]).save(str(file), step=2, with_text=True)
    picture = file.read_text(encoding="utf-8")
    assert "A warm film." in picture
    assert re.search(r">iteration 2 of 3: predicts [^<]+; edited: ", picture)
    record = read(file.read_bytes(), file.name).record
    assert record.settings == {"iteration": 2}
    assert record.runs[0].edits == ("drop:1",)
    assert verify(file).code == SAME


def test_a_saved_page_names_the_edits(tmp_path):
    file = tmp_path / "run.html"
    explain(zoo.load("dragg-sst5"), "A warm film.", edits=["drop:warm"]).save(file)
    page = file.read_text(encoding="utf-8")
    assert "<p>edited: without “warm”</p>" in page
    assert "<h1>dragg-sst5</h1>" in page


def test_the_windows_that_words_win_are_computed_again(tmp_path):
    file = tmp_path / "run.svg"
    explain(zoo.load("drnn-ag"), "Shares fell.").save(file, with_text=True)
    assert "numbers of drnn-ag (wins, evidence and probability), computed again" in verify(file).sentence


def test_another_picture_with_settings_is_saved(tmp_path):
    trace = explain(zoo.load("agt-sst5"), "A warm film.")
    few, many = tmp_path / "few.svg", tmp_path / "many.svg"
    trace.save(few, "attention", threshold=0.99)
    trace.save(many, "attention", threshold=0.01)
    assert few.read_bytes() != many.read_bytes()
    trace.save(few, "probabilities")
    assert b">probabilities</text>" in few.read_bytes()


def test_a_png_is_saved_without_a_record(tmp_path):
    run().save(tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes()[1:4] == b"PNG"


def test_a_copy_is_saved_without_its_text_only(tmp_path):
    copied = Trace.from_json(run().to_json())
    copied.save(tmp_path / "run.svg")
    with pytest.raises(ValueError, match="This trace does not know its text: "):
        copied.save(tmp_path / "run.svg", with_text=True)


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("run.gif", {}, "A file cannot end with '.gif'. It can end with: .svg, .pdf, .png, .html, .json, .npz."),
        ("run", {}, "A file cannot end with ''."),
        ("run.svg", {"name": "votes"}, "There is no picture 'votes' of dragg-sst5. There are: coupling, pro"),
        ("run.svg", {"step": 4}, "There is no iteration 4 in this run. There are: 1 to 3."),
        ("run.svg", {"step": "1"}, "There is no iteration '1' in this run. There are: 1 to 3."),
    ],
)
def test_what_cannot_be_saved_is_refused_in_a_sentence(name, options, says, tmp_path):
    with pytest.raises(ValueError, match=re.escape(says)):
        run().save(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())
