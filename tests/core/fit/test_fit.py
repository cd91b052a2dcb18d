"""The command that trains a network on own texts, from the file to the trace."""

import json

import numpy as np
import pytest

from core import explain, zoo
from core.__main__ import main
from core.datasets import Split
from core.edits import DropInput
from core.fit import compare, run
from core.fit.advice import advise, table, table_of_others
from core.fit.answers import Answers
from core.fit.card import conclude
from core.fit.compare import Compared
from core.fit.mistakes import say_mistakes
from core.fit.own_file import own_file
from core.fit.training import balanced
from core.fit.units import measure_units
from core.inputs.text import as_typed
from core.measured import store
from core.measured.evidence.badge import Badge
from core.training import loop
from tests.core.fit.files import reviews, write_rows


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file of sixty reviews; the user's checkpoints are in a folder next to it."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    return write_rows(tmp_path / "reviews.csv", reviews())


ROUTINGS = [
    ("reversed", "gpt2", "dragg"),
    ("standard", "bilstm", "dragg"),
    pytest.param("kmeans", "gpt2", "cccaps", marks=pytest.mark.slow),
    ("kmeans", "bilstm", "cccaps"),
    ("em", "gpt2", "em-sst"),
    pytest.param("attention", "gpt2", "agt", marks=pytest.mark.slow),
    ("attention", "words", "agt"),
    ("windows", "words", "drnn"),
]


@pytest.mark.parametrize(("routing", "encoder", "kind"), ROUTINGS)
def test_every_routing_learns_from_a_file(file, tiny_gpt2, capsys, routing, encoder, kind):
    encoder = str(tiny_gpt2) if encoder == "gpt2" else encoder
    options = ["--routing", routing, "--encoder", encoder, "--out", "mine", "--epochs", "1", "--evidence", "2"]
    assert main(["fit", str(file), *options, "--device", "cpu"]) == 0
    printed = capsys.readouterr()
    assert "Texts are in the column review (guessed), labels in stars (guessed)." in printed.err
    assert "mine, 12 test texts:" in printed.out
    assert "Its picture:" in printed.out
    checkpoint = zoo.load("mine", "cpu")
    assert (checkpoint.kind, checkpoint.classes) == (kind, ("bad", "good"))
    trace = explain(checkpoint, "a warm film , and a dull one")
    assert len(trace.tokens) == 8
    assert (trace.class_probabilities <= 1).all()
    about = zoo.describe("mine")
    assert about.metrics.test.n == 12
    assert str(store.read("units", "mine")["data"]) == "the 12 held-out texts of reviews.csv"
    assert tiny_gpt2.parent.name not in (zoo.folders()["mine"] / "README.md").read_text()


WORDS = ["--routing", "windows", "--out", "mine", "--epochs", "1", "--evidence", "0", "--device", "cpu"]


def test_units_are_measured_on_held_out_texts(file):
    assert main(["fit", str(file), *WORDS, "--units", "10"]) == 0
    kept, shown, reading = (store.read(quantity, "mine") for quantity in ("units", "shown", "reading"))
    assert str(kept["data"]) == str(shown["data"]) == "10 of the 12 held-out texts of reviews.csv"
    assert str(reading["data"]) == "the 500 sentences of the program"
    held_out = own_file("mine").read(file).test
    for number, text in zip(shown["numbers"], shown["texts"], strict=True):
        assert text.split() == held_out.words[number]
    assert set(kept["texts"].ravel()) <= set(shown["numbers"])


def test_the_word_behind_each_wrong_answer_is_kept(file, capsys):
    """The first answer without its word is the same as that of a run with the word dropped."""
    unclear = [(f"some call it number {k}", ("bad", "good")[k % 2]) for k in range(40)]
    write_rows(file, [*reviews(), *unclear])
    options = ["--encoder", "words", "--routing", "attention", "--out", "mine", "--epochs", "1", "--device", "cpu"]
    assert main(["fit", str(file), *options, "--units", "0", "--evidence", "0", "--mistakes", "2"]) == 0
    kept, test = store.read("mistakes", "mine"), own_file("mine").read(file).test
    assert len(kept["texts"]) == 2
    fall = kept["certainty"] - kept["without"]
    assert fall[0] >= fall[1]
    k, word = int(kept["texts"][0]), int(kept["word"][0])
    text, checkpoint = as_typed(test.words[k]), zoo.load("mine", "cpu")
    whole, masked = explain(checkpoint, text), explain(checkpoint, text, edits=[DropInput(word)])
    assert whole.answer != test.classes[test.labels[k]]
    assert whole.tokens[word] == kept["named"][0]
    label = whole.classes.index(whole.answer)
    np.testing.assert_allclose(whole.class_probabilities[label], kept["certainty"][0], atol=1e-5)
    np.testing.assert_allclose(masked.class_probabilities[label], kept["without"][0], atol=1e-5)
    assert masked.answer == masked.classes[kept["then"][0]]
    n_right = sum(test.labels[k] == then for k, then in zip(kept["texts"], kept["then"], strict=True))
    assert f"Of 2 wrong answers, {n_right} would be right with one word masked." in capsys.readouterr().out


def test_no_units_are_measured_if_one_says_so_or_texts_are_few(file, tmp_path):
    few = write_rows(tmp_path / "few.csv", reviews(40))  # eight are held out
    for path, options in ((file, ["--units", "0"]), (few, ["--replace"])):
        assert main(["fit", str(path), *WORDS, *options]) == 0
        assert store.read("units", "mine") is None


def test_units_of_another_network_have_no_held_out_texts(file, tiny_folder):
    with pytest.raises(ValueError, match="tiny did not learn from a file of texts"):
        measure_units("tiny", file, 10)


def test_the_card_compares_with_other_models(file, tiny_gpt2, capsys):
    options = [
        "--routing",
        "reversed",
        "--encoder",
        str(tiny_gpt2),
        "--out",
        "mine",
        "--epochs",
        "1",
        "--evidence",
        "0",
    ]
    assert main(["fit", str(file), *options, "--device", "cpu", "--seeds", "3"]) == 0
    card = (zoo.folders()["mine"] / "README.md").read_text()
    assert card.startswith("---\nlibrary_name: routescope\n")  # no licence: its owner chooses one
    for phrase in (
        "This network is ",
        "| most frequent label |",
        "| TF-IDF + logistic regression |",
        "| linear probe |",
        "against a linear probe of the same transformer",
        "| | `bad` | `good` |",
        "Trainings with 3 seeds reached",
    ):
        assert phrase in card
    assert len(zoo.describe("mine").metrics.seeds) == 3
    left = {path.name for path in (file.parent / "models" / ".training" / "mine").iterdir()}
    assert left == {f"mine-seed-{seed}.progress.json" for seed in range(3)}  # the transformer's states may be large
    others = zoo.describe("mine").metrics.others
    assert list(others) == ["most frequent label", "TF-IDF + logistic regression", "linear probe"]
    assert others["most frequent label"].accuracy == 0.5


def test_evidence_is_measured_again_on_the_same_texts(file, tmp_path, capsys):
    options = ["--routing", "windows", "--out", "mine", "--epochs", "1", "--evidence", "2", "--device", "cpu"]
    assert main(["fit", str(file), *options]) == 0
    measure = ["evidence", "mine", "--limit", "4", "--workers", "1", "--device", "cpu"]
    assert main([*measure, "--data", str(file)]) == 0
    evidence = json.loads((tmp_path / "models" / "mine" / "evidence.json").read_text())
    assert evidence["sample"] == "4 of the 12 texts of the held-out texts of reviews.csv, evenly spaced"
    assert evidence["command"] == "python -m core evidence mine --data FILE --limit 4"
    capsys.readouterr()
    assert main(measure) == 2
    assert "mine learned from reviews.csv: name that file with --data" in capsys.readouterr().err
    assert main(["evaluate", "mine", "--data", str(file), "--json", "--device", "cpu"]) == 0
    evaluated = json.loads(capsys.readouterr().out)
    assert (evaluated["accuracy"], evaluated["n"]) == (zoo.describe("mine").metrics.test.accuracy, 12)
    other = write_rows(tmp_path / "other.csv", reviews(80))
    unlike = tmp_path / "unlike.csv"
    unlike.write_text("a,b\nc,d\n")
    for file in (other, unlike):
        assert main([*measure, "--data", str(file)]) == 2
        assert "is not the file that the network learned from" in capsys.readouterr().err


def test_a_network_is_replaced_only_if_one_says_so(file, tmp_path, capsys):
    folder = tmp_path / "models" / "mine"
    assert main(["fit", str(file), *WORDS, "--units", "10"]) == 0
    assert (folder / "units.npz").is_file()
    capsys.readouterr()
    assert main(["fit", str(file), *WORDS]) == 2
    assert "there is a network mine already: choose another name, or give --replace" in capsys.readouterr().err
    assert main(["fit", str(file), *WORDS, "--units", "0", "--replace"]) == 0
    assert not (folder / "units.npz").exists()  # it was of the other weights
    assert main(["units", "mine", "--data", str(file), "--workers", "1", "--device", "cpu"]) == 0
    assert (folder / "units.npz").is_file()


def test_an_interrupt_keeps_the_best_so_far(file, monkeypatch, capsys):
    evaluate, n = loop._State.evaluate, []

    def interrupt(state, *args, **kwargs):
        n.append(evaluate(state, *args, **kwargs))
        monkeypatch.setattr(loop._State, "train_step", stop)
        return n[-1]

    def stop(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(loop._State, "evaluate", interrupt)
    options = ["--routing", "windows", "--out", "mine", "--evidence", "0", "--seeds", "3", "--device", "cpu"]
    assert main(["fit", str(file), *options]) == 0
    assert len(n) == 1  # no other seed is trained
    assert list((file.parent / "models" / ".training" / "mine").iterdir())  # --resume goes on from here
    assert zoo.describe("mine").metrics.dev.accuracy == pytest.approx(n[0])


def test_routings_are_compared_on_the_same_texts(file, capsys):
    options = ["--encoder", "words", "--compare", "attention,windows", "--out", "mine", "--epochs", "1"]
    options += ["--json", str(file.with_name("compared.json"))]
    assert main(["fit", str(file), *options, "--routing", "windows", "--evidence", "0", "--device", "cpu"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in table[1:4]] == ["attention", "windows", "most"]
    assert table[5].startswith("Take ")
    written = json.loads(file.with_name("compared.json").read_text())
    assert written["advice"] == table[5]
    assert [(row["routing"], row["name"]) for row in written["table"]] == [
        ("attention", "mine-attention"),
        ("windows", "mine-windows"),
    ]
    assert {"mine-attention", "mine-windows"} <= zoo.folders().keys()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--out", "dragg-sst5"], "dragg-sst5 is a shipped checkpoint: choose another name"),
        (["--out", "mine", "--seeds", "0"], "the number of seeds is 0, wanted at least 1"),
        (["--out", "mine", "--epochs", "0"], "epochs is 0, wanted at least 1"),
        (["--out", "mine", "--evidence", "-1"], "--evidence is -1, wanted at least 0"),
        (["--out", "mine", "--compare", "reversed,reversed"], "reversed is named twice"),
        (["--out", "mine", "--compare", "reversed,best"], "routing is 'best', wanted one of"),
    ],
)
def test_bad_options_get_one_sentence(file, capsys, options, error):
    assert main(["fit", str(file), *options]) == 2
    assert error in capsys.readouterr().err


def test_texts_of_rare_classes_are_repeated():
    split = Split([["a"]] * 9 + [["b"]], [0] * 9 + [1], ("a", "b"))
    assert balanced(split).labels == [0] * 9 + [1] * 3
    even = Split([["a"], ["b"]], [0, 1], ("a", "b"))
    assert balanced(even) is even


def test_the_middle_training_is_kept():
    runs = [type("Run", (), {"run": {"dev_accuracy": accuracy}}) for accuracy in (0.9, 0.5, 0.7)]
    assert run._middle(runs) == 2


def test_pages_offer_held_out_texts_as_examples(file):
    options = ["--routing", "windows", "--out", "mine", "--epochs", "1", "--evidence", "0", "--device", "cpu"]
    assert main(["fit", str(file), *options]) == 0
    about = zoo.describe("mine")
    test = own_file("mine").read(file).test
    held_out = {" ".join(words): test.classes[label] for words, label in zip(test.words, test.labels, strict=True)}
    assert len(about.examples) == 5
    assert about.labels == {text: held_out[text] for text in about.examples}
    assert about.corpus == "reviews.csv"


def test_the_advice_is_judged_on_the_dev_texts():
    def one(routing, right, dev, share):
        badge = Badge("finds the words that matter", "coupling", share)
        return Compared(routing, routing, np.array(right), np.array(dev), 1.0, 10, badge, False)

    yes, no = [True], [False]
    lucky = one("standard", yes * 100, yes * 60 + no * 40, 0.9)
    good = one("reversed", yes * 90 + no * 10, yes * 100, 0.6)
    same = one("em", yes * 80 + no * 20, yes * 99 + no, 0.8)
    said = "Take EM routing (80.0% of the test texts): on the texts that chose the weights it is no different beyond"
    assert advise([lucky, good, same]).startswith(said)
    assert [row["minus best"] is None for row in table([lucky, good, same])] == [True, False, False]
    assert "from reversed dynamic routing" in advise([lucky, good, same])
    assert advise([lucky, good, same]).endswith(
        "But on the test texts, dynamic routing (by 12.1 to 27.9 points) and reversed dynamic routing (by 4.1 to 15.9 "
        "points) are more accurate."
    )
    assert "But on the test texts" not in advise([lucky])
    worse = one("windows", yes * 80 + no * 20, yes * 100, 0.0)
    better = one("em", yes * 95 + no * 5, yes * 99 + no, 0.8)
    assert "it is no different beyond chance from" in advise([worse, better])  # never "the best" of what is not best


def test_a_resumed_training_is_of_the_same_texts(file, monkeypatch, capsys):
    options = ["--routing", "windows", "--encoder", "words", "--evidence", "0", "--units", "0", "--device", "cpu"]
    command = ["fit", str(file), *options, "--out", "mine", "--epochs", "1"]
    monkeypatch.setattr(run, "forget_states", lambda folder: None)
    assert main(command) == 0
    rows = [(text, "bad" if label == "good" else "good") for text, label in reviews()]
    write_rows(file, rows)
    capsys.readouterr()
    assert main([*command, "--resume"]) == 2
    assert "belongs to a run with other settings or data" in capsys.readouterr().err


def test_mistakes_are_described_although_no_word_can_be_masked():
    assert say_mistakes(0, 0, 0) == "It gets none of its test texts wrong."
    assert say_mistakes(2, 0, 0).startswith("No word was masked")
    assert say_mistakes(2, 1, 1) == "Of 1 wrong answer, 1 would be right with one word masked."


def test_simpler_models_are_compared_on_the_same_texts():
    right, badge = np.arange(200) < 180, Badge("not measured", "", None)
    others = {"most frequent label": np.arange(200) < 100, "linear probe": right}
    one = Compared("em", "em", right, right, 1.0, 10, badge, False, others)
    rows = table_of_others([one])
    assert [(row["model"], row["accuracy"]) for row in rows] == [("most frequent label", 0.5), ("linear probe", 0.9)]
    assert rows[0]["minus best"][1] < 0
    low, high = rows[1]["minus best"]  # the same answers, but to few texts
    assert -0.02 < low < -0.01
    assert high == -low
    assert advise([one]).endswith(
        "On the test texts it is more accurate than the most frequent label; no different beyond chance from a linear "
        "probe of the same transformer."
    )


def test_a_comparison_that_fails_keeps_the_rows_before(file, monkeypatch, capsys):
    train, compared = compare.fit, file.with_name("compared.json")

    def fit(work, device, resume):
        if work.routing == "windows":
            raise ValueError("the disk is full")
        return train(work, device, resume)

    monkeypatch.setattr(compare, "fit", fit)
    options = ["--encoder", "words", "--compare", "attention,windows", "--out", "mine", "--epochs", "1"]
    options += ["--json", str(compared), "--routing", "windows", "--evidence", "0", "--device", "cpu"]
    assert main(["fit", str(file), *options]) == 2
    assert "the disk is full" in capsys.readouterr().err
    written = json.loads(compared.read_text())
    assert [row["routing"] for row in written["table"]] == ["attention"]
    assert [row["model"] for row in written["others"]] == ["most frequent label", "TF-IDF + logistic regression"]


def test_texts_of_one_word_have_no_evidence_and_no_error(file, capsys):
    rows = [(f"{'ab'[k % 2]}{k}", "ab"[k % 2]) for k in range(60)]
    words = write_rows(file.with_name("words.csv"), rows)
    assert main(["fit", str(words), "--routing", "windows", "--out", "mine", "--epochs", "1", "--device", "cpu"]) == 0
    printed = capsys.readouterr().out
    assert "mine, 12 test texts:" in printed
    assert "Its picture" not in printed


def test_a_conclusion_names_what_is_beaten_beyond_chance():
    labels = np.zeros(200, dtype=int)
    right = np.arange(200) < 180
    others = {"linear probe": right, "TF-IDF + logistic regression": np.arange(200) < 100, "best": labels == 0}
    found = conclude(Answers(labels, np.where(right, 0, 1), right, others))
    assert found == (
        "This network is more accurate than TF-IDF + logistic regression; no different beyond chance from a linear "
        "probe of the same transformer; less accurate than best. Paired on the same 200 test texts: +0.0 points (+0.0 "
        "to +0.0) against a linear probe of the same transformer; +40.0 points (+33.2 to +46.8) against TF-IDF + "
        "logistic regression; -10.0 points (-14.2 to -5.8) against best."
    )
