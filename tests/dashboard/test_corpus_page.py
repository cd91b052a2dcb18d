"""The page My texts without a browser, and the texts and runs behind it."""

import json
import math
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import explain, zoo
from core.batch import pages
from core.batch.texts import KEPT, MAX_CHARACTERS
from core.datasets import folder_of, read_split
from core.measured import split, store
from core.networks.summary import summarize_trace
from core.sentences.confusion import confusion, describe_classes, describe_confusion
from dashboard.figures import corpus as figures
from dashboard.figures.chart import sheet_as_chart
from dashboard.jobs.corpus import CorpusRun, Workspace
from dashboard.pages.corpus import filters
from dashboard.pages.corpus.results import sentence_on
from dashboard.runs import checkpoints, sources
from dashboard.runs.sources import read_file
from dashboard.screen.markdown import DISK, escape
from tests import hostile_files
from tests.dashboard.app import open_app, shown_as_markdown
from tests.dashboard.coroutines import throw

CLASSES = ("very negative", "negative", "neutral", "positive", "very positive")
ROWS = 'review,label\n"A good film.",positive\nA bad film.,NEGATIVE\n,neutral\nIs n\'t it?,\n"<b>a</b> $x^2$",odd\n'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text(ROWS)
    return path


@pytest.fixture
def started(add_model, file):
    """A run of the file through a tiny network and its twin, which is cancelled after the test."""
    add_model("dragg")
    add_model("dragg", "twin", normalize="input")
    run = CorpusRun(read_file(file, "review", "label", CLASSES), ["tiny", "twin"], "cpu")
    yield run
    run.cancel()


def finish(run):
    """Wait until the run has ended, without an error."""
    assert all(job.wait(120) for job in run._jobs)
    assert not run.failed


def test_a_file_gives_texts_and_their_classes(file):
    source = read_file(file, "review", "label", CLASSES)
    assert source.rows["text"].to_pylist() == ["A good film.", "A bad film.", "", "Is n't it?", "<b>a</b> $x^2$"]
    assert source.rows["truth"].to_pylist() == ["positive", "negative", "neutral", None, "odd"]
    assert not read_file(file, "review", None, CLASSES).has_truth


@pytest.mark.parametrize("numbers", [range(5), range(1, 6)])
def test_classes_may_be_numbers_from_0_or_from_1(tmp_path, numbers):
    path = tmp_path / "texts.parquet"
    pq.write_table(pa.table({"text": ["a"] * 6, "label": [*numbers, 7]}), path)
    source = read_file(path, "text", "label", CLASSES)
    assert source.rows["truth"].to_pylist() == [*CLASSES, "7"]
    assert source.counted_from == numbers[0]


@pytest.mark.parametrize(
    ("numbers", "names"),
    [
        ([1, 1, 1], ["positive"] * 3),
        ([2, 1, 1], ["positive", "negative", "negative"]),
        ([1.0, 0.0, math.nan], ["positive", "negative", None]),
        (["1", "", "0"], ["positive", None, "negative"]),
    ],
)
def test_numbered_classes_need_not_all_occur(tmp_path, numbers, names):
    path = tmp_path / "texts.parquet"
    pq.write_table(pa.table({"text": ["a"] * 3, "label": numbers}), path)
    assert read_file(path, "text", "label", ["negative", "positive"]).rows["truth"].to_pylist() == names


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("id,review,label,source\n0,A good film.,positive,a magazine of films\n", "review"),
        ("reviewId,notes\nabcdefghijklmnopqrstuvwxyz,A film\n", "notes"),
        ("number,what,who\n12345678901234567890,A good film,me\n", "what"),
        ("text,more\n,It is long\n", "more"),  # the first column is empty
        ("review_text,summary\nGood.,It is rather long\n", "review_text"),
        ("rating,source_text\n5,Good.\n", "source_text"),
        ("stars,class_description,text_class\n5,Good.,positive\n", "class_description"),
        ("Unnamed: 0,author comment\n0,Good.\n", "author comment"),
        ("comment_id,note\nabcdefghijk,Good.\n", "note"),
        ("id\n7\n", "id"),
    ],
)
def test_the_column_of_the_texts_is_guessed(tmp_path, rows, wanted):
    path = tmp_path / "texts.csv"
    path.write_text(rows)
    assert sources.likely_column(path, sources.column_names(path)) == wanted


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty.csv", b"", "empty.csv has no column."),
        ("../up/bad.csv", "text\na\n".encode("utf-16"), "The columns of bad.csv have names that are not UTF-8 text"),
        ("book.xlsx", b"PK", "book.xlsx is a spreadsheet: save it as CSV"),
        ("paper.pdf", b"%PDF", "paper.pdf is not one of .txt, .csv, .tsv, .jsonl, .parquet"),
    ],
)
def test_an_unreadable_file_gives_one_sentence_with_its_name(app, name, content, why):
    app.query_params["texts"] = "Your file"
    app.run().file_uploader(key="upload").upload(name, content, "text/plain").run()
    assert not app.exception
    (error,) = app.error
    assert error.value.replace("\\", "").startswith(why)
    assert app.button(key="start corpus").disabled


def test_a_full_disk_gives_one_sentence(app, monkeypatch):
    def fail(path, content):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("pathlib.Path.write_bytes", fail)
    app.query_params["texts"] = "Your file"
    app.run().file_uploader(key="upload").upload("texts.csv", b"text\na\n", "text/csv").run()
    assert not app.exception
    assert app.error[0].value == DISK["No space left on device"]


def test_a_run_that_cannot_start_keeps_the_previous_one(add_model, file, monkeypatch):
    add_model("dragg")
    workspace, source = Workspace(), read_file(file, "review", None, CLASSES)
    workspace.start(source, ["tiny"], "cpu")
    before = workspace.run
    monkeypatch.setattr("dashboard.jobs.corpus._write_texts", lambda *_: throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        workspace.start(source, ["tiny"], "cpu")
    assert workspace.run is before
    assert len(before.results())
    workspace.close()


def test_a_file_that_holds_too_much_gives_one_sentence(tmp_path, monkeypatch):
    path = tmp_path / "texts.parquet"
    shared = pa.DictionaryArray.from_arrays(pa.array([0] * 5000, pa.int32()), pa.array(["x" * 100_000]))
    pq.write_table(pa.table({"text": shared}), path)
    assert path.stat().st_size < 100_000  # but the texts, once read, are half a gigabyte
    with pytest.raises(ValueError, match="holds too much for the page"):
        read_file(path, "text", None, CLASSES)
    monkeypatch.setattr(sources, "MAX_ROWS", 3)
    (tmp_path / "texts.txt").write_text("a\n" * 4)
    with pytest.raises(ValueError, match="holds too much for the page"):
        read_file(tmp_path / "texts.txt", "text", None, CLASSES)


def test_a_hostile_file_gives_one_sentence(tmp_path, monkeypatch):
    path = tmp_path / "texts.csv"
    path.write_bytes(hostile_files.csv_names(501))
    with pytest.raises(ValueError, match=r"This file has 501 columns, .* The page takes at most 500 columns"):
        sources.column_names(path)
    path.write_text("x" * 100_001 + ",y\n")
    with pytest.raises(ValueError, match=r"with 100,002 characters in their names\. The page takes at most"):
        sources.column_names(path)
    path = tmp_path / "texts.parquet"
    path.write_bytes(hostile_files.texts_by_their_difference(2))
    with pytest.raises(ValueError, match="holds texts as their differences"):
        read_file(path, "text", None, CLASSES)
    path.write_bytes(hostile_files.footer_that_lies())
    with pytest.raises(ValueError, match="holds too much for the page"):
        sources.column_names(path)
    monkeypatch.setattr(pages, "MAX_PAGES", 1)
    path.write_bytes(hostile_files.parquet_columns(2))
    with pytest.raises(ValueError, match="it holds more than 1 pages"):
        sources.column_names(path)


def test_columns_of_other_types_are_not_guessed_as_the_texts(tmp_path):
    path = tmp_path / "texts.parquet"
    columns = {"a": pa.array([b"x"], pa.binary()), "b": [["x" * 1000]], "n": [1], "c": ["A good film."]}
    pq.write_table(pa.table(columns), path)
    assert sources.likely_column(path, sources.column_names(path)) == "c"


@pytest.mark.parametrize("name", ["texts.txt", "texts.csv"])
def test_a_file_without_a_row_gives_one_sentence(tmp_path, name):
    (tmp_path / name).write_text("text\n" if name.endswith("csv") else "")
    with pytest.raises(ValueError, match="holds no text"):
        read_file(tmp_path / name, "text", None, CLASSES)


def test_bytes_of_a_label_that_are_not_utf_8_are_replaced(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_bytes("text,label\na,café\nb,positive\nc\n".encode("latin-1"))
    assert read_file(path, "text", "label", CLASSES).rows["truth"].to_pylist() == ["caf?", "positive", None]


def test_a_long_label_that_many_rows_share_is_cut_and_counted(tmp_path, monkeypatch):
    path = tmp_path / "texts.parquet"
    labels = pa.array(["positive" + " " * 1000 + "x", " Positive "])
    shared = pa.DictionaryArray.from_arrays(pa.array([0, 0, 1, None], pa.int32()), labels)
    pq.write_table(pa.table({"text": ["a"] * 4, "label": shared}), path)
    cut = ("positive" + " " * 1000)[: sources.MAX_LABEL] + "…"
    assert read_file(path, "text", "label", CLASSES).rows["truth"].to_pylist() == [cut, cut, "positive", None]
    monkeypatch.setattr(sources, "MAX_CHARACTERS", 400)
    monkeypatch.setattr(sources, "_check_size", lambda path: None)
    with pytest.raises(ValueError, match="holds too much for the page"):
        read_file(path, "text", "label", CLASSES)


def test_the_first_rows_come_at_once_and_all_equal_explain(started):
    first, truth = started.results(), np.array([3, 1, 2, -1, 5])
    assert first["number"].to_pylist() == [1, 2, 3, 4, 5]
    unanswered = first.set_column(first.column_names.index("second"), "second", pa.nulls(5, pa.string()))
    assert sentence_on(started, unanswered, truth, "second") in ("no answer yet.", "no answer.")
    finish(started)
    rows = started.results().to_pylist()
    assert started.share == 1
    for row in rows:
        if row["error"]:
            assert (row["number"], row["error"]) == (3, "There is no word in this text. Type a sentence.")
            continue
        for column, name in (("class", "tiny"), ("second", "twin")):
            single = summarize_trace(explain(zoo.load(name, "cpu"), row["text"]))
            assert row[column] == CLASSES[single.best]
        assert row["certainty"] == pytest.approx(
            summarize_trace(explain(zoo.load("tiny", "cpu"), row["text"])).certainty
        )
    np.testing.assert_allclose(first["certainty"].to_pylist()[:2], [row["certainty"] for row in rows[:2]], atol=1e-6)
    check_the_second_checkpoint_is_counted(started, rows, truth)


def check_the_second_checkpoint_is_counted(run, rows, truth):
    same = [row["class"] == row["second"] for row in rows if row["second"]]
    right = [row["second"] == row["truth"] for row in rows if row["second"] and row["truth"] in CLASSES]
    sentence = sentence_on(run, run.results(), truth, "second")
    assert sentence.startswith(f"{np.mean(right):.1%} of {len(right)} texts are right (95% interval ")
    assert sentence.endswith(f" It agrees with the first model on {np.mean(same):.1%} of {len(same)} texts.")


def test_a_cancelled_run_keeps_its_rows(started):
    started.cancel()
    assert not started.runs
    assert not started.failed
    assert len(started.results()) >= 5


def test_a_closed_workspace_leaves_no_files_and_no_job(add_model, file):
    add_model("dragg")
    workspace = Workspace()
    upload = workspace.upload.keep("1", "texts.csv", file.read_bytes())
    workspace.start(read_file(upload, "review", None, CLASSES), ["tiny"], "cpu")
    folders = [upload.parent, workspace.run.folder]
    assert all(folder.is_dir() for folder in folders)
    assert workspace.upload.keep("2", "more.txt", b"a").read_bytes() == b"a"
    assert workspace.upload.keep("3", "あ" * 99 + ".txt", b"a").suffix == ".txt"  # 255 bytes are the longest name
    assert not upload.exists()
    job = workspace.run._jobs[0]
    workspace.close()
    assert not job.runs
    assert not any(folder.exists() for folder in folders)


def test_confusion_by_hand():
    counts = confusion(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0]), 3, 2)
    assert counts.tolist() == [[1, 1], [0, 1], [1, 0]]  # the last row: a class that the network does not have
    assert describe_confusion(counts, ["bad", "good"]) == (
        "66.7% of 3 texts are right (95% interval 20.8% to 93.9%). "
        "Most frequent confusion: bad predicted as good (1 text)."
    )
    assert describe_classes(np.array([3, 1]), ["bad", "good"]) == "Most frequent prediction: bad (75.0% of 4 texts)."
    assert describe_classes(np.array([0, 0]), ["bad", "good"]) == "No text has a prediction."
    assert describe_classes(np.array([0, 1]), ["bad", "good"]) == "Most frequent prediction: good (100.0% of 1 text)."


def test_the_figures_hold_every_count_and_are_valid():
    counts = np.arange(6).reshape(3, 2)
    matrix = figures.confusion(counts, ["bad", "good", "another"], ["bad", "good"])
    rows = matrix.data.to_pylist()
    assert [(row["truth"], row["class"], row["texts"]) for row in rows[2:4]] == [
        ("good", "bad", 2),
        ("good", "good", 3),
    ]
    assert rows[3]["share"] == pytest.approx(3 / 5)
    bars = figures.certainties(np.arange(figures.N_BINS))
    assert bars.data["texts"].to_pylist() == list(range(figures.N_BINS))
    sheet_as_chart({"matrix": matrix, "bars": bars})  # raises if a figure breaks Vega-Lite's schema


@pytest.fixture
def app(add_model, trees, monkeypatch):
    """The page on a tiny network, with a treebank of four sentences."""
    add_model("dragg")
    add_model("dragg", "twin", normalize="input")
    monkeypatch.setenv("ROUTESCOPE_DATA", str(trees.parent))
    sources._read_test_split.clear()
    app = open_app("corpus")
    app.query_params["checkpoint"] = "tiny"
    yield app
    sources._read_test_split.clear()


def start(app):
    app.button(key="start corpus").click().run()
    assert not app.exception
    return app


def test_first_screen(app):
    app.run()
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "tiny"
    assert not app.button(key="start corpus").disabled
    assert app.button(key="cancel corpus").disabled
    assert not app.dataframe
    assert any("has no stored result of a test split" in caption.value for caption in app.caption)


def test_the_kept_result_of_a_users_file_names_no_command(app, add_model):
    folder = add_model("dragg", "mine")
    config = folder / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"corpus": "reviews.csv"}))
    checkpoints.survey.clear()
    counts = {"counts": np.eye(5, dtype=int), "certainties": np.ones(20, int), "limit": np.array([0])}
    data = {"data": np.array("5 texts of <b>reviews</b>.csv, kept apart")}
    store.save("split", "mine", counts | data, checkpoints.about("mine").sha256)
    app.query_params["checkpoint"] = "mine"
    app.run()
    assert not app.exception
    (said,) = [text for text in shown_as_markdown(app) if "The stored result was measured on" in text]
    assert said.startswith("This is the stored result for texts that the network did not learn from.")
    assert said.endswith(f"measured on {escape('5 texts of <b>reviews</b>.csv, kept apart')}.")


def test_the_page_opens_on_the_kept_results_of_both_networks(app):
    kept = split.measure(zoo.load("tiny", "cpu"), read_split("sst", folder_of("sst"), "test"))
    for name in ("tiny", "twin"):
        store.save(
            "split", name, kept | {"data": np.array("4 texts"), "limit": np.array([9])}, checkpoints.about(name).sha256
        )
    app.query_params["second"] = "twin"
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == 4  # a matrix and a histogram each
    sentence = f"{np.trace(kept['counts']) / 4:.1%} of 4 texts are right"
    shown = [text.replace("\\", "") for text in shown_as_markdown(app)]
    for name in ("tiny", "twin"):
        assert any(checkpoints.title(name) in text and sentence in text for text in shown)
    assert sum("was measured on 4 texts" in text for text in shown) == 2
    assert any("split twin --limit 9`" in text for text in shown)
    assert (
        sum("So a few answers may differ from the stored ones." in text for text in shown) == 2
    )  # a run splits texts by itself
    app.session_state["texts"] = "Your file"
    app.run()
    assert any(text.startswith("Choose a file and press Start.") for text in shown_as_markdown(app))
    assert not app.get("vega_lite_chart")


def test_a_test_split_runs_and_is_filtered(app):
    app.query_params["second"] = "twin"
    start(app.run())
    (table,) = app.dataframe
    columns = ["number", "class", "truth", "second", "certainty", "entropy", "settled_at", "text"]
    # The second network answers later.
    assert table.value.columns.tolist() in (columns, [name for name in columns if name != "second"])
    assert table.value["text"].tolist() == ["A good film", "It is bad (", "a film", "isn't bad"]
    assert len(app.get("vega_lite_chart")) == 3  # two matrices and a histogram
    captions = " ".join(caption.value for caption in app.caption)
    assert ("These are the results of the last run." in captions) != app.button(key="start corpus").disabled
    assert "Each text was split into words as a typed text is." in captions
    right = table.value["class"] == table.value["truth"]
    shown = app.session_state["show"] = "Wrong" if not right.all() else "Right"
    app.run()
    assert app.dataframe[0].value["number"].tolist() == table.value["number"][right == (shown == "Right")].tolist()
    app.button(key="cancel corpus").click().run()
    assert not app.exception
    shown = " ".join(shown_as_markdown(app))
    assert f"**{escape(checkpoints.title('tiny'))}** on {escape('SST-5, the test split')}" in shown


def test_a_label_that_is_no_class_is_neither_right_nor_wrong(app):
    app.query_params["texts"] = "Your file"
    start(app.run().file_uploader(key="upload").upload("my rows.csv", ROWS.encode(), "text/csv").run())
    rows = app.dataframe[0].value.replace({np.nan: None}).to_dict("records")
    right = [row["class"] == row["truth"] for row in rows if row["class"] and row["truth"] in CLASSES]
    shown = " ".join(shown_as_markdown(app)).replace("\\", "")
    assert f"** on my rows.csv: {np.mean(right):.1%} of {len(right)} texts are right" in shown
    assert "1 row has a label that is not a class of this model; it is not counted. 1 row could not be read." in shown
    for show in ("Wrong", "Right"):
        app.session_state["show"] = show
        assert "odd" not in app.run().dataframe[0].value["truth"].tolist()
    app.button(key="cancel corpus").click().run()


def test_a_button_names_the_filter_of_the_rows_and_clears_it(app, monkeypatch):
    start(app.run())
    app.button(key="cancel corpus").click().run()
    monkeypatch.setattr(filters, "_picked", lambda event: {"truth": "positive", "class": "neutral", "bin": 4})
    labels = [button.label for button in app.run().button]
    assert "Only positive predicted as neutral and probability 20% to 25%" in labels
    monkeypatch.undo()
    app.button(key="clear").click().run()
    assert not any(button.label.startswith("Only") for button in app.button)
    assert app.session_state["cleared"] == 1


def test_the_rows_stay_when_their_checkpoint_is_removed(app, add_model):
    start(app.run())
    app.button(key="cancel corpus").click().run()
    shutil.rmtree(add_model("dragg"))
    checkpoints.survey.clear()
    app.selectbox(key="checkpoint").set_value("twin")
    app.run()
    assert not app.exception
    assert len(app.dataframe) == 1


def test_a_cancelled_run_says_how_far_it_came(app, monkeypatch):
    start(app.run())
    app.button(key="cancel corpus").click().run()
    monkeypatch.setattr(CorpusRun, "results", lambda run, results=CorpusRun.results: results(run).slice(0, 3))
    app.run()
    assert "Cancelled: 3 of 4 texts were run." in [caption.value for caption in app.caption]


def test_missing_split_shows_one_message(app, tmp_path, monkeypatch):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path / "nowhere"))
    app.run()
    assert any("is not on this server" in caption.value for caption in app.caption)
    assert app.button(key="start corpus").disabled
    assert not app.dataframe


@pytest.mark.parametrize("value", ["<script>", "inf", "-1", "", "²"])
def test_nonsense_in_the_address_is_ignored(app, value):
    for name in ("texts", "second", "tab"):
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not any("None" in shown for shown in shown_as_markdown(app))


def test_a_text_too_long_is_shown_by_its_beginning_and_not_run(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("id;text\n1;good\n2;" + "x" * (MAX_CHARACTERS + 1) + "\n")
    source = read_file(path, "text", None, CLASSES)
    assert source.rows["text"].to_pylist() == ["good", "x" * KEPT]
    assert source.to_run.to_pylist() == ["good", None]
