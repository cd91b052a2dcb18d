"""The fingerprint of a training's settings."""

import dataclasses
import hashlib

from core.training import run as module
from core.training.run import fingerprint
from core.training.schedules import OneCycle, Schedule

SETTINGS = {
    "kind": "agt",
    "schedule": dataclasses.asdict(Schedule(2, 0.1)),
    "texts": (("imdb", "train"),),
    "limit": None,
}


def test_the_order_of_settings_does_not_change_the_fingerprint():
    assert fingerprint(SETTINGS) == fingerprint(dict(reversed(SETTINGS.items())))
    expected = hashlib.sha256(b'{"settings": {}, "version": 3}').hexdigest()
    assert fingerprint({}) == expected


def test_every_setting_changes_the_fingerprint(monkeypatch):
    others = [
        SETTINGS | {"kind": "dragg"},
        SETTINGS | {"schedule": dataclasses.asdict(Schedule(2, 0.2))},
        SETTINGS | {"schedule": dataclasses.asdict(OneCycle(2, 0.1))},
        SETTINGS | {"texts": (("imdb", "test"),)},
        SETTINGS | {"limit": 20},
    ]
    before = [fingerprint(settings) for settings in (SETTINGS, *others)]
    assert len(set(before)) == len(before)
    monkeypatch.setattr(module, "VERSION", module.VERSION + 1)
    assert fingerprint(SETTINGS) not in before
