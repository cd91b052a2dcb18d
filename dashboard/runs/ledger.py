"""The claims of the papers and our measurements, cached until a measured file changes."""

from pathlib import Path

import pandas as pd
import streamlit as st

from core import ledger
from core.manifest import PRETRAINED
from core.measured import store


def claims() -> pd.DataFrame:
    """One row per claim, made by ``core.ledger.Claim.row``."""
    files = {_path(claim.file) for claim in ledger.CLAIMS if claim.file}
    return _read(tuple(sorted((str(file), file.stat().st_mtime_ns) for file in files if file.is_file())))


def _path(file: str) -> Path:
    """The path of a claim's measured file."""
    folder, name = file.split("/", 1)
    return store.SWEEPS / name if folder == "sweeps" else PRETRAINED / file


@st.cache_data(max_entries=2, show_spinner="Reading what was measured …")
def _read(stamps: tuple[tuple[str, int], ...]) -> pd.DataFrame:
    """Read all claims. ``stamps`` are only the key of the cache."""
    return ledger.read()
