"""The decision whether a server is public."""

import pytest

from dashboard.public import VARIABLE, is_public


@pytest.mark.parametrize(
    ("setting", "address", "public"),
    [
        (None, "localhost", False),
        (None, "127.0.0.1", False),
        (None, "::1", False),
        (None, "0.0.0.0", True),
        (None, None, True),
        (None, "example.org", True),
        ("1", "localhost", True),
        ("0", "0.0.0.0", False),
        ("yes", "localhost", True),
    ],
)
def test_a_server_is_public_unless_only_its_machine_reaches_it(monkeypatch, setting, address, public):
    monkeypatch.delenv(VARIABLE, raising=False)
    if setting is not None:
        monkeypatch.setenv(VARIABLE, setting)
    monkeypatch.setattr("dashboard.public.get_option", lambda name: address)
    assert is_public() == public
