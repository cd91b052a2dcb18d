"""The classifier for scikit-learn: fitted, asked, pickled, saved and looked into."""

import io
import pickle
import tempfile

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from core import RoutingClassifier, explain, zoo
from core.__main__ import main
from core.fit.arrays import divide
from tests.core.fit.files import reviews

TEXTS, LABELS = map(list, zip(*reviews(), strict=True))
TEXT = "a warm film , and a dull one"


def windows(**settings):
    """The classifier that is fitted fastest."""
    return RoutingClassifier("windows", "words", **{"epochs": 1, "device": "cpu"} | settings)


@pytest.fixture(scope="module")
def fitted():
    return windows().fit(TEXTS, LABELS)


NETWORKS = [
    ("reversed", "gpt2", "dragg"),
    ("standard", "bilstm", "dragg"),
    ("kmeans", "bilstm", "cccaps"),
    ("em", "gpt2", "em-sst"),
    ("attention", "words", "agt"),
]


@pytest.mark.parametrize(("routing", "encoder", "kind"), NETWORKS)
def test_every_routing_is_an_estimator(tiny_gpt2, capfd, routing, encoder, kind):
    encoder = str(tiny_gpt2) if encoder == "gpt2" else encoder
    classifier = RoutingClassifier(routing, encoder, epochs=1, device="cpu").fit(TEXTS, LABELS)
    assert capfd.readouterr() == ("", "")
    probabilities = classifier.predict_proba([TEXT, *TEXTS])
    assert probabilities.shape == (61, 2)
    assert probabilities.sum(1) == pytest.approx(1)
    trace = explain(classifier.checkpoint_, TEXT)
    shown = trace.class_probabilities
    assert probabilities[0] == pytest.approx(shown / shown.sum(), abs=1e-5)
    assert (classifier.predict([TEXT])[0], trace.kind, trace.model) == (trace.answer, kind, f"my-{routing}")
    again = pickle.loads(pickle.dumps(classifier))
    assert np.array_equal(again.predict_proba([TEXT, *TEXTS]), probabilities)
    assert again.checkpoint_.sha256 == classifier.checkpoint_.sha256
    assert again.checkpoint_.name == classifier.checkpoint_.name


def test_it_learns_from_few_texts():
    texts, labels = zip(*reviews(100), strict=True)
    classifier = RoutingClassifier("attention", "words", device="cpu").fit(texts[:60], labels[:60])
    assert classifier.score(texts[60:], labels[60:]) > 0.9


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        (LABELS, np.array(LABELS).dtype),
        ([5 * (label == "good") for label in LABELS], int),
        ([label == "good" for label in LABELS], bool),
        (pd.Series(LABELS, dtype=object), object),
        (pd.Series(LABELS, dtype="category"), object),
    ],
)
def test_classes_keep_the_type_of_the_labels(labels, dtype):
    classifier = windows().fit(pd.Series(TEXTS), labels)
    assert classifier.classes_.dtype == dtype
    assert list(classifier.classes_) == sorted(set(labels))
    assert classifier.predict(np.array(TEXTS, object)).dtype == dtype
    assert classifier.checkpoint_.classes == tuple(map(str, classifier.classes_))
    assert 0 <= classifier.score(TEXTS, labels) <= 1


def test_a_text_without_a_word_gets_the_most_frequent_label():
    classifier = windows().fit([*TEXTS, *(f"one more {k}" for k in range(20))], LABELS + ["bad"] * 20)
    assert classifier.class_prior_ == pytest.approx([50 / 80, 30 / 80])
    assert np.array_equal(classifier.predict_proba(["", " \n", "\u200b"]), [classifier.class_prior_] * 3)
    assert list(classifier.predict([""])) == ["bad"]
    assert classifier.predict([]).shape == (0,)


@pytest.mark.parametrize(("routing", "encoder"), [("windows", "words"), ("em", "gpt2")])
def test_odd_texts_are_learned_from_and_answered(tiny_gpt2, routing, encoder):
    odd = [
        "a\0b",
        "x" * 20_000,
        "\ud800",
        "<br>",
        "א \u202e b",
        "👩\u200d👩\u200d👧",
        "\ufe0f",
        "\r\u2028\x85",
        "w " * 999,
    ]
    encoder = str(tiny_gpt2) if encoder == "gpt2" else encoder
    classifier = RoutingClassifier(routing, encoder, epochs=1, device="cpu").fit([*TEXTS, *odd], LABELS + ["bad"] * 9)
    assert np.isfinite(classifier.predict_proba(odd)).all()


def test_a_fit_leaves_no_file_and_no_random_number(tmp_path, monkeypatch, tiny_gpt2):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    torch.manual_seed(7)
    classifier = RoutingClassifier("reversed", str(tiny_gpt2), epochs=1, device="cpu").fit(TEXTS, LABELS)
    drawn = torch.rand(3)
    torch.manual_seed(7)
    assert torch.equal(drawn, torch.rand(3))
    pickle.loads(pickle.dumps(classifier))
    assert not list(tmp_path.iterdir())


def test_a_seed_makes_fits_equal(fitted):
    assert np.array_equal(windows().fit(TEXTS, LABELS).predict_proba(TEXTS), fitted.predict_proba(TEXTS))
    drawn = [windows(random_state=state).fit(TEXTS, LABELS) for state in (1, None, np.random.RandomState(0))]
    assert len({classifier.checkpoint_.sha256 for classifier in [fitted, *drawn]}) == 4


def test_a_clone_is_not_fitted(fitted):
    unfitted = clone(fitted)
    assert unfitted.get_params() == fitted.get_params()
    for ask in (unfitted.predict, unfitted.predict_proba, unfitted.save):
        with pytest.raises(NotFittedError):
            ask(TEXTS)
    assert pickle.loads(pickle.dumps(unfitted)).get_params() == fitted.get_params()


def test_a_pickle_holds_no_module(fitted):
    modules = set()

    class Recorder(pickle.Unpickler):
        def find_class(self, module, name):
            modules.add(module.split(".")[0])
            return super().find_class(module, name)

    Recorder(io.BytesIO(pickle.dumps(fitted))).load()
    assert modules == {"core", "numpy"}


def test_a_pickle_from_a_machine_with_more_devices_is_read(fitted):
    state = pickle.loads(pickle.dumps(fitted)).set_params(device="cuda:7")
    assert np.array_equal(pickle.loads(pickle.dumps(state)).predict_proba(TEXTS), fitted.predict_proba(TEXTS))


def test_a_failed_fit_keeps_the_earlier_one(fitted):
    classifier = pickle.loads(pickle.dumps(fitted))
    with pytest.raises(ValueError, match="routing is 'best'"):
        classifier.set_params(routing="best").fit(TEXTS, LABELS)
    assert np.array_equal(classifier.predict_proba(TEXTS), fitted.predict_proba(TEXTS))


def test_a_saved_network_is_one_of_your_checkpoints(tmp_path, monkeypatch, capsys, fitted):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    folder = fitted.save("mine")
    assert (folder, zoo.folders()["mine"]) == (tmp_path / "models" / "mine",) * 2
    about = zoo.describe("mine")
    assert (about.metrics.test.accuracy, about.metrics.dev.n, about.metrics.spread[:8]) == (None, 6, "One seed")
    assert about.title == "Windows (DRNN) · own texts, 2 classes"
    assert about.metrics.training["command"].endswith("routing='windows').fit(X, y)")
    assert zoo.load("mine", "cpu").sha256 == fitted.checkpoint_.sha256
    assert main(["explain", "mine", TEXT, "--device", "cpu"]) == 0
    assert main(["models"]) == 0
    assert "mine" in capsys.readouterr().out
    with pytest.raises(ValueError, match="there is a checkpoint mine: choose another name, or pass replace=True"):
        fitted.save("mine")
    (folder / "evidence.json").touch()
    fitted.save("mine", replace=True)
    assert not (folder / "evidence.json").exists()
    with pytest.raises(ValueError, match="dragg-sst5 is a shipped checkpoint"):
        fitted.save("dragg-sst5")


def test_a_folder_of_another_kind_is_not_replaced(tmp_path, monkeypatch, fitted):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "config.json").write_text("{}")
    with pytest.raises(ValueError, match="notes"):
        fitted.save("notes", replace=True)
    assert (tmp_path / "notes" / "config.json").exists()


def test_scikit_learn_divides_searches_and_chains():
    texts, labels = np.array(TEXTS), np.array(LABELS)
    assert cross_val_score(windows(), texts, labels, cv=3, error_score="raise").shape == (3,)
    lower = FunctionTransformer(lambda X: [text.lower() for text in X])
    search = GridSearchCV(
        make_pipeline(lower, RoutingClassifier(encoder="words", epochs=1, device="cpu")),
        {"routingclassifier__routing": ["windows", "attention"], "routingclassifier__epochs": np.array([1, 2])},
        cv=2,
        scoring="neg_log_loss",
        error_score="raise",
    ).fit(texts, labels)
    assert len(search.cv_results_["mean_test_score"]) == 4
    assert set(search.predict(["A WARM film"])) <= {"good", "bad"}
    assert explain(search.best_estimator_[-1].checkpoint_, TEXT).classes == ["bad", "good"]


@pytest.mark.parametrize(
    ("X", "y", "error"),
    [
        (TEXTS, None, "requires y to be passed"),
        (TEXTS, LABELS[1:], "inconsistent numbers of samples"),
        ("a warm film", LABELS, "X is 'a warm film', wanted a list of texts"),
        ([*TEXTS[1:], float("nan")], LABELS, r"X\[59\] is nan, wanted a text"),
        (pd.DataFrame({"text": TEXTS}), LABELS, r"X has the shape \(60, 1\), wanted \[n\]"),
        (TEXTS, ["good"] * 60, "y has 1 class, wanted 2 to 200"),
        (TEXTS, [*LABELS[1:], "rare"], "the class 'rare' has 1 different texts with a word, wanted at least 2"),
        (["the same"] * 60, LABELS, "has 0 different texts with a word"),
        (TEXTS, np.linspace(0, 1, 60), "Unknown label type"),
        (TEXTS, [None, *LABELS[1:]], r"y\[0\] is None, wanted a text"),
        (TEXTS, pd.Series([*LABELS[1:], float("nan")]), r"y\[59\] is nan, wanted a text"),
        (TEXTS, ["" if label == "good" else label for label in LABELS], "the label '' is blank"),
    ],
)
@pytest.mark.wrong_arguments
def test_wrong_texts_and_labels_get_one_sentence(X, y, error):
    with pytest.raises((TypeError, ValueError), match=error):
        windows().fit(X, y)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"routing": "best"}, "routing is 'best', wanted one of"),
        ({"encoder": "bilstm"}, "windows does not read bilstm"),
        ({"epochs": 0}, "epochs is 0, wanted a whole number of at least 1"),
        ({"batch_size": 1.5}, "batch_size is 1.5, wanted a whole number"),
        ({"learning_rate": 0}, "learning_rate is 0, wanted more than 0"),
        ({"random_state": -1}, "Seed must be"),
        ({"device": "tpu"}, "device is 'tpu'"),
    ],
)
def test_wrong_parameters_are_refused_when_it_is_fitted(settings, error):
    with pytest.raises(ValueError, match=error):
        windows().set_params(**settings).fit(TEXTS, LABELS)


def test_equal_texts_are_in_the_same_part():
    texts = [f"{word} film" for word in "abcdefghij" for _ in range(3)] + ["A film", "", "z z"] + list("klm")
    data = divide(texts, np.array([0] * 31 + [0, 1, 1, 1, 1]), ("no", "yes"), seed=3)
    parts = [{" ".join(words).lower() for words in part.words} for part in (data.train, data.dev)]
    assert not parts[0] & parts[1]
    assert len(data.train) + len(data.dev) == len(texts) - 1
    assert set(data.train.labels) == set(data.dev.labels) == {0, 1}
    assert data.dev.labels.count(1) == 1
    assert len(data.test) == 0
