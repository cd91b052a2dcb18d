"""Error messages on a screen: without folders, and without markup."""

import pytest

from dashboard.screen.markdown import DISK, escape_error


@pytest.mark.parametrize(
    ("says", "shown"),
    [
        ("/srv/data/sst holds no trees/test.txt", "sst holds no trees/test.txt"),
        ("[Errno 13] Permission denied: '/srv/models/.mine.part'", r"\[Errno 13\] Permission denied\: '.mine.part'"),
        (r"C:\data\models\mine exists already.", "mine exists already."),
        ("https://x.example/a/b.zip cannot be fetched", "https\\:\u2060//x.example/a/b.zip cannot be fetched"),
        ("wanted 3/4 or and/or", "wanted 3/4 or and/or"),
        ("/home/my user/models/foo/config.json is bad", "config.json is bad"),
        ("No data in /home/my user/models", "No data in models"),
        ("../shared/data/sst/test.txt is empty", "test.txt is empty"),
        ("It is in file:///srv/a/b.csv", "It is in b.csv"),
        ("This model could not run: [Errno 28] No space left on device: 'x'", DISK["No space left on device"]),
        ("core: /srv/a.npz: Read-only file system", DISK["Read-only file system"]),
        ("~/models/x/y.json is bad", "y.json is bad"),
        ("He said /a/b/c", "He said /a/b/c"),
        ("It stopped: /etc/some/data holds no trees", "It stopped\\: data holds no trees"),
        ("It stopped: /srv/my own/data/sst holds no trees", "It stopped\\: sst holds no trees"),
    ],
)
def test_an_error_names_files_without_their_folders(monkeypatch, says, shown):
    monkeypatch.setenv("ROUTESCOPE_MODELS", "/home/my user/models")
    monkeypatch.setenv("ROUTESCOPE_DATA", "/srv/my own/data")
    assert escape_error(ValueError(says)) == shown
