"""The shipped tables: what they hold is not trained again."""

import shutil
from dataclasses import fields

import pandas as pd
import pytest

from core.measured import store
from core.sweep import engines
from core.sweep.__main__ import main
from core.sweep.sweeps import SWEEPS

NOT_TRAINED = {"capsules": 3 * 6}  # losses of table 4 that nobody has trained yet


@pytest.mark.parametrize("name", sorted(SWEEPS))
def test_no_row_of_a_shipped_table_is_trained_again(name, tmp_path, monkeypatch):
    shipped, copy = store.SWEEPS / f"{name}.parquet", tmp_path / "t.parquet"
    shutil.copy(shipped, copy)
    trained = []
    monkeypatch.setattr(engines, "local", lambda measure, cases, workers: iter(trained.extend(cases) or ()))
    rows = pd.read_parquet(shipped)
    seeds = int(rows["seed"].max()) + 1
    assert main([name, "--seeds", str(seeds), "--out", str(copy)]) == 0
    sweep = SWEEPS[name]
    keys = {sweep.case(**{f.name: row[f.name] for f in fields(sweep.case)}) for row in rows.to_dict("records")}
    assert len(keys) == len(rows)
    assert keys | set(trained) == set(sweep.cases(seeds))
    assert not keys & set(trained)
    assert len(trained) == NOT_TRAINED.get(name, 0)
    assert copy.read_bytes() == shipped.read_bytes()


def test_every_shipped_table_has_its_sweep():
    assert {path.stem for path in store.SWEEPS.glob("*.parquet")} == set(SWEEPS)
