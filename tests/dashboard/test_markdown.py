"""Text from outside on its way to a screen."""

import pytest

from dashboard.shared.markdown import escape_error


@pytest.mark.parametrize(
    ("says", "shown"),
    [
        ("/srv/data/sst holds no trees/test.txt", "sst holds no trees/test.txt"),
        ("[Errno 13] Permission denied: '/srv/models/.mine.part'", r"\[Errno 13\] Permission denied\: '.mine.part'"),
        (r"C:\data\models\mine exists already.", "mine exists already."),
        ("https://x.example/a/b.zip cannot be fetched", "https\\:\u2060//x.example/a/b.zip cannot be fetched"),
        ("wanted 3/4 or and/or", "wanted 3/4 or and/or"),
    ],
)
def test_an_error_calls_files_by_their_names_alone(says, shown):
    assert escape_error(ValueError(says)) == shown
