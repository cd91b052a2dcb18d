"""An archive with any numbers and structures is refused in one sentence, or the Models page describes it correctly."""

import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboard.figures.models import accuracies, history
from dashboard.pages.evidence.network import all_figures
from dashboard.pages.evidence.scorecard import row_of
from dashboard.pages.models import evidence as evidence_tab
from dashboard.pages.models.details import table_of_training
from dashboard.pages.models.overview import summarize, table_of_all
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_to_show
from dashboard.runs.files import model_files
from dashboard.screen.checkpoint import describe_checkpoint
from dashboard.screen.evidence import sentences
from dashboard.sessions import models
from dashboard.sessions.models import SessionModels
from tests.core.measured.evidence.samples import EVIDENCE
from tests.hostile_files import METRICS, SIZES, sound_files, with_header, zipped

ROW = {"step": 10, "train_loss": 1.0, "train_accuracy": 0.5, "dev_loss": 1.0, "dev_accuracy": 0.4}
SCORE = {"accuracy": 0.5, "n": 100, "interval": [0.4, 0.6], "source": "a table", "over": "samples", "differs": "all"}
TRAINING = {"data": "texts", "seed": 7, "schedule": {"lr": 0.1, "kept": [1]}, "history": [ROW, ROW | {"step": 20}]}
N = 25  # number of mutated archives of each kind
ODD = [
    *(None, True, False, 0, -1, 1, 3, 51, 33_000, 10**6, 2**31, 10**15, 10**19, 10**30, 10**400, 10**4000, -(10**400)),
    *(0.5, -0.5, 1e-320, 1e308, -1e308, float("nan"), float("inf"), -float("inf")),
    *("", " ", "a", "\ud800", "\x00", "x" * 20_000, "9" * 4300, [], [1], [[]], {}, {"a": 1}, [0] * 10_000, ["a"] * 300),
    *({"\ud800": 1}, {"x" * 20_000: 1}, {"": ""}),
]


def deep(depth=900):
    """A list nested so many times."""
    value = []
    for _ in range(depth):
        value = [value]
    return value


def places(value, path=()):
    """The path to each value in a JSON document."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from places(inner, (*path, key))


def put(document, path, value):
    """The document with another value at this path, or with nothing there if the value is Ellipsis."""
    if not path:
        return {} if value is ... else value
    copy = document.copy()
    if value is ... and len(path) == 1:
        copy.pop(path[0])
    else:
        copy[path[0]] = put(copy[path[0]], path[1:], value)
    return copy


def read_documents(kind):
    """The files of a sound archive, its JSON documents including the weights' header, and the weights' other bytes."""
    files = sound_files(kind)
    weights = files["weights.safetensors"]
    size = 8 + int.from_bytes(weights[:8], "little")
    config = json.loads(files["config.json"])
    scores = {"test": SCORE, "dev": SCORE, "paper": SCORE, "photographs": SCORE, "training": TRAINING}
    evidence = EVIDENCE | {"weights": config["sha256"]}
    read = {"config.json": config, "metrics.json": METRICS | scores, "evidence.json": evidence}
    return files, read | {"header": json.loads(weights[8:size])}, weights[size:]


def packed(files, documents, data):
    """The archive with these documents."""
    written = {name: json.dumps(documents[name]).encode() for name in ("config.json", "metrics.json", "evidence.json")}
    header = {"weights.safetensors": with_header(json.dumps(documents["header"]).encode(), data)}
    return zipped(files | written | header)


@pytest.fixture(scope="module")
def session():
    """The checkpoints of a session, in which the test runs."""
    with pytest.MonkeyPatch.context() as patch:
        session = SessionModels()
        patch.setattr(checkpoints, "session_models", lambda: session)
        patch.setattr(models, "uploaded", lambda: list(session.described))
        yield session
        session.close()


def describe_all(name):
    """Make all texts, tables and charts of the Models page about a checkpoint, and about all checkpoints."""
    about, files = checkpoints.about(name), model_files(name)
    texts = [summarize(), describe_checkpoint(name), *table_of_training(about.metrics.training).to_numpy().ravel()]
    accuracies(table_of_all(), name)
    for what in ("accuracy", "loss") if len(files.history) else ():
        history(files.history, what)
    if evidence := evidence_to_show(name):
        for way in ("masked", "removed"):
            texts += sentences(evidence, way)
            evidence_tab.ranking_table(evidence, way)
            all_figures("dragg-sst5", evidence, way)
        row_of(name, "", [evidence])
        if evidence.couplings:
            evidence_tab.accuracy_table("dragg-sst5", evidence)
    checkpoints.twin(name)
    "".join(map(str, texts)).encode()  # raises if a text is not valid Unicode


@pytest.mark.parametrize("kind", sorted(SIZES))
def test_a_mutated_archive_is_refused_or_shown(session, kind):
    files, documents, data = read_documents(kind)
    anywhere = [(name, path) for name, document in documents.items() for path in places(document)]

    @settings(max_examples=N, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(st.sampled_from(anywhere), st.sampled_from([..., deep(), *ODD])), min_size=1, max_size=2))
    def mutate(changes):
        changed = documents
        for (name, path), value in changes:
            try:
                changed = changed | {name: put(changed[name], path, value)}
            except (TypeError, KeyError, IndexError, AttributeError):
                return  # the first change removed the place of the second
        try:
            name = session.add(io.BytesIO(packed(files, changed, data)), "mine.zip")
        except ValueError as error:
            assert str(error)
            assert "\n" not in str(error)
            assert len(str(error)) < 400
            return
        try:
            describe_all(name)
        finally:
            session.remove(name)

    mutate()
