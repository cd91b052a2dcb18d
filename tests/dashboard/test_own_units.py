"""Units on a user's own texts: the measurement in the background, its page, and networks that a session has trained."""

import io
import re
from dataclasses import replace

import pytest

from core import zoo
from core.measured import own_units as measuring
from core.measured import store
from core.measured.unit_runs import run_units
from core.zoo.archive import pack, unpack
from dashboard.figures.vega import STATED
from dashboard.jobs import own_units
from dashboard.jobs.own_units import OwnUnits, UnitsJob
from dashboard.pages.units.compare import may_be_compared
from dashboard.pages.units.texts import FILE, HELD_OUT, IN_ARCHIVE, MEASURE_TAB, NOT_CHECKED, OWN, SENTENCES
from dashboard.public import VARIABLE
from dashboard.runs import checkpoints
from dashboard.runs import own_units as runs
from dashboard.runs.checkpoints import is_of_session
from dashboard.runs.own_units import measured
from dashboard.runs.unit_match import partners_of
from dashboard.runs.unit_texts import deciding_units, unit_in_text
from dashboard.runs.units import meaning_of, measured_networks, units_of
from dashboard.screen.unit_link import with_doubt
from dashboard.sessions import models
from dashboard.sessions.models import SessionModels
from tests.conftest import save_tiny
from tests.core.fit.files import reviews, write_rows
from tests.dashboard.app import leaks, open_app
from tests.dashboard.app import shown_as_markdown as said

MARKUP = "<b>b</b> **x** [a](http://x.y) $x$ :smile:"
FIRST = "dragg-reversed-sst5"
BAR = "units:  50%|█████     | 5/10 [00:01<00:01,  1.0it/s]"


@pytest.fixture
def job(monkeypatch):
    """The measurement of a session that ends with the test."""
    job = UnitsJob()
    monkeypatch.setattr(own_units, "units_job", lambda: job)
    yield job
    job.close()


@pytest.fixture
def file(tmp_path):
    """Forty texts with markup."""
    return write_rows(tmp_path / "films.csv", [(f"{text} {MARKUP}", label) for text, label in reviews(40)])


@pytest.fixture
def app(job):
    app = open_app("units")
    app.query_params["tab"] = MEASURE_TAB
    return app.run()


def upload(app, name, content):
    app.file_uploader(key="units upload").upload(name, content, "text/csv").run()
    assert not app.exception
    return app


def finish(app, job):
    assert job.job.wait(240)
    assert not job.failed
    app.run()
    assert not app.exception
    return app


def shows_as_typed(app):
    """Whether the tenths show texts with markup as they were typed."""
    shown = [html.proto.body for html in app.get("html") if html.proto.body.startswith('<ol class="rs-tenths"')]
    tags = {tag for body in shown for tag in re.findall(r"</?([a-z]+)", body)}
    return "&lt;" in "".join(shown) and tags == {"ol", "li", "b"}


def test_the_page_shows_the_users_texts_instead_of_the_split(app, job, file):
    assert app.button(key="measure units").disabled
    upload(app, "films.csv", file.read_bytes())
    assert [menu.value for menu in app.selectbox if menu.label == "Column of the texts"] == ["review"]
    app.button(key="measure units").click().run()
    assert not app.exception
    assert app.button(key="measure units").disabled
    assert not app.button(key="cancel units").disabled
    finish(app, job)
    assert app.segmented_control(key="measured").value == FILE
    assert any("Measured on the 40 texts of films.csv." in text.replace("\\", "") for text in said(app))
    assert app.segmented_control(key="read own").options == [FILE, SENTENCES, OWN]
    assert shows_as_typed(app)
    app.segmented_control(key="measured").set_value("Test split").run()
    assert any("Measured on 2,000 of the 2,210 texts" in text for text in said(app))
    assert not app.exception


def test_a_cancelled_measurement_leaves_nothing(app, job, file):
    upload(app, "films.csv", file.read_bytes())
    app.button(key="measure units").click().run()
    app.button(key="cancel units").click().run()
    assert not app.exception
    assert not job.runs
    assert job.measured_on(FIRST) is None
    assert not (job._folder / "work").exists()
    assert not app.button(key="measure units").disabled


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("bytes.csv", bytes(range(256)) * 9),
        ("bytes.parquet", bytes(range(256)) * 9),
        ("picture.png", b"\x89PNG"),
        ("twice.csv", b"a,a\n1,2\n"),
        ("packed.csv.gz", b"\x1f\x8b"),
    ],
)
def test_a_bad_file_gets_one_sentence_on_the_page(app, job, name, content):
    upload(app, name, content)
    if not app.error:
        app.button(key="measure units").click().run()
        if job.job:
            assert job.job.wait(240)
            app.run()
    assert not app.exception
    assert len(app.error) == 1
    assert not leaks(app, job._folder)
    assert job.measured_on(FIRST) is None


def test_a_column_of_control_characters_is_refused(job, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_bytes(b"te\0xt,b\n1,2\n")
    with pytest.raises(ValueError, match="rename the column"):
        job.start(path, "te\0xt", FIRST, "cpu")
    assert not job.runs


def test_the_progress_says_what_is_left(job, monkeypatch):
    log = job._folder / "log.txt"
    assert job.state == (0.0, "reading the texts")
    log.write_text(BAR.replace("5/10", "0/10"), encoding="utf-8")
    assert job.left is None
    log.write_text(BAR, encoding="utf-8")
    assert job.state == (0.5, "5 of 10 texts")
    assert job.left >= 0
    log.write_text(BAR.replace("5/10", "10/10"), encoding="utf-8")
    assert job.state == (1.0, "naming the units")
    assert job.left is None


def test_a_visitor_measures_with_one_process(job, file, monkeypatch):
    started = []
    monkeypatch.setenv(VARIABLE, "1")
    monkeypatch.setattr(own_units, "Job", lambda *args, **more: started.append((args, more)))
    job.start(file, "review", FIRST, "cpu")
    (_, arguments, *_), more = started[0]
    assert arguments[arguments.index("--workers") + 1] == "1"
    assert more["texts"] == 40  # a short job, which goes first


@pytest.fixture
def session(monkeypatch):
    """The networks of a session that ends with the test."""
    session = SessionModels()
    monkeypatch.setattr(models, "_session_models", lambda: session)
    for module in (checkpoints, runs):
        monkeypatch.setattr(module, "session_models", lambda: session)
    yield session
    session.close()


def trained(session, folder, n):
    """The name of a network that this session has trained on own texts, ten of which are held out."""
    saved = save_tiny(folder, "dragg", f"mine-{n}")
    checkpoint = zoo.load_folder(saved, "cpu")
    texts = [f"{MARKUP} {text}" for text, _ in reviews(10)]
    own = measuring.OwnTexts(texts, range(10), "the 10 held-out texts of films.csv")
    kept = measuring.measure(checkpoint, own, "cpu", lambda _, chunks: [dict(run_units(checkpoint, chunks[0].texts))])
    for quantity, arrays in kept.items():
        store.save_in(saved, quantity, arrays, checkpoint.sha256)
    return session.adopt(saved)


def test_networks_of_a_session_show_its_own_texts(session, job, tmp_path):
    name = trained(session, tmp_path, 1)
    assert is_of_session(name)
    assert name in measured_networks()
    assert units_of(name).data == "the 10 held-out texts of films.csv"
    assert meaning_of(name, 1).startswith("Capsule 1: ")
    app = open_app("units")
    app.query_params["checkpoint"] = name
    app.run()
    assert not app.exception
    assert shows_as_typed(app)
    assert not any("<b>" in text.replace("\\", "!") for text in said(app))
    assert any("Measured on the 10 held-out texts of films.csv" in text.replace("\\", "") for text in said(app))
    session.remove(name)
    assert not [key for key in runs._kept._values if key[0] == name]


def test_an_unmeasured_network_of_a_session_can_be_measured(session, job, file, tmp_path):
    name = session.adopt(save_tiny(tmp_path, "dragg", "mine"))
    app = open_app("units")
    app.query_params["checkpoint"] = name
    app.run()
    assert "The units of this network are not measured. Measure them on texts of yours." in said(app)
    upload(app, "films.csv", file.read_bytes())
    app.button(key="measure units").click().run()
    finish(app, job)
    assert any("Measured on the 40 texts of films.csv" in text.replace("\\", "") for text in said(app))
    assert measured("units", name) is None  # nothing is written next to the weights


def test_units_of_other_weights_are_not_shown(session, job, file, tmp_path):
    name = trained(session, tmp_path, 2)
    own = OwnUnits("another sum", measured("units", name), measured("shown", name))
    job._measured[name] = own
    assert job.measured_on(name) is None
    job._measured[name] = replace(own, sha256=checkpoints.about(name).sha256)
    assert job.measured_on(name) is job._measured[name]
    app = open_app("units")
    app.query_params |= {"checkpoint": name, "measured": HELD_OUT}
    app.run()
    assert not app.exception
    assert app.segmented_control(key="measured").options == [FILE, HELD_OUT]


def test_units_in_an_archive_are_shown_as_stated(session, job, tmp_path):
    made = trained(session, tmp_path, 3)
    packed = pack(session.root / made)
    name = session.add(io.BytesIO(packed), "theirs.zip")
    assert measured("units", name) is None
    units = units_of(name)
    assert (units.is_stated, units.shown) == (True, None)
    assert units.table()["stated"].all()
    assert meaning_of(name, 1) == meaning_of(made, 1)
    assert with_doubt("praise", name) == f"praise ({STATED})"
    assert not may_be_compared(units)
    app = open_app("units")
    app.query_params["checkpoint"] = name
    app.run()
    assert not app.exception
    shown = [text.replace("\\", "") for text in said(app)]
    assert NOT_CHECKED.format(stated=STATED, tab=MEASURE_TAB) in shown
    assert any(f"{STATED.capitalize()}: measured on the 10 held-out texts of films.csv" in text for text in shown)
    assert not any(text.startswith("Measured on") or " Measured on" in text for text in shown)
    assert "Test split" not in [option for group in app.get("button_group") for option in group.options]
    assert not any("<b>" in text.replace("\\", "!") for text in said(app))
    job._measured[name] = OwnUnits(checkpoints.about(name).sha256, measured("units", made), measured("shown", made))
    app.run()
    assert not app.exception
    assert app.segmented_control(key="measured").options == [FILE, IN_ARCHIVE]
    assert NOT_CHECKED.format(stated=STATED, tab=MEASURE_TAB) not in said(app)


def test_a_saved_archive_keeps_its_stated_units(session, tmp_path, monkeypatch):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    archive = pack(session.root / trained(session, tmp_path, 4))
    (tmp_path / "models").mkdir()
    unpack(io.BytesIO(archive), "kept.zip", tmp_path / "models" / "kept")
    checkpoints.survey.clear()
    assert units_of("kept").is_stated
    assert "kept" in measured_networks()
    assert "kept" not in partners_of(FIRST)
    checkpoints.survey.clear()


def test_a_unit_that_the_network_lacks_gets_one_sentence(session, tmp_path):
    name = trained(session, tmp_path, 5)
    units = units_of(name)
    beyond = replace(units, kept=units.kept | {"numbers": units.kept["numbers"] + 99})
    with pytest.raises(ValueError, match=r"^This network has no capsule 100\.$"):
        unit_in_text(beyond, 0, "cpu", "a good film")
    assert deciding_units(beyond, "cpu", "a good film", 1) == []
