"""On a disk that takes nothing every page opens, and what needs the disk says so in one sentence."""

import errno
import os
import tempfile

import pytest

from dashboard.runs import heads, measuring, sweeps
from dashboard.runs.corpus import Workspace
from dashboard.runs.jobs import make_folder
from dashboard.runs.session_models import SessionModels
from dashboard.shared.markdown import DISK, escape_error
from tests.dashboard.app import open_app

FULL = os.strerror(errno.ENOSPC)


@pytest.fixture(autouse=True)
def full(monkeypatch):
    """No folder of a session can be made, as on a disk that was filled while the server ran."""

    def refuse(**options):
        raise OSError(errno.ENOSPC, FULL)

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)


@pytest.mark.parametrize("page", ["routing", "drnn", "corpus", "models"])
def test_a_page_opens(page):
    app = open_app(page).run()
    assert not app.exception
    assert not app.error


def test_what_needs_the_disk_says_that_it_is_full(tiny_folder, monkeypatch):
    for owner in (Workspace(), SessionModels()):
        owner.close()
    monkeypatch.setattr(measuring, "why_not_here", lambda name: "")
    training, measurement, sweep = heads.HeadTraining(), measuring.Measurement(), sweeps.SmallSweep()
    training.start(next(iter(heads.transformers())), 5, "mine", "cpu")
    measurement.start("accuracy", "dragg-sst5", "cpu")
    sweep.start()
    for background in (training, measurement, sweep):
        assert not background.runs
        assert escape_error(background.failed) == DISK[FULL]
    assert sweep.rows().empty


def test_a_machine_without_a_folder_for_temporary_files_is_full_too(monkeypatch):
    def find_none(**options):
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "mkdtemp", find_none)
    with pytest.raises(OSError, match=FULL):
        make_folder(object())
