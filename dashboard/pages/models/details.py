"""The details of one checkpoint: its training and its files."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.figures.models import history
from dashboard.figures.vega import STATED
from dashboard.pages.models.texts import NO_HISTORY, SETTINGS
from dashboard.runs import checkpoints
from dashboard.runs.files import ModelFiles
from dashboard.screen.shown import Shown

MAX_ROWS, MAX_VALUE = 100, 1000  # rows of a table, and characters per value


def draw_training(name: str, files: ModelFiles) -> None:
    """Draw loss and accuracy over the training, and its settings."""
    if files.is_from_archive:
        st.caption(f"All of this is {STATED}.")
    if len(files.history):
        charts = {quantity.capitalize(): history(files.history, quantity) for quantity in ("accuracy", "loss")}
        Shown().draw_charts(charts, columns=2)
        st.caption("The dashed line marks the step with the best accuracy on the dev split.")
    else:
        st.caption(NO_HISTORY)
    _draw_table(table_of_training(checkpoints.about(name).metrics.training))


def table_of_training(training: Mapping[str, Any]) -> pd.DataFrame:
    """The settings and results of a training, including those of its schedule."""
    others = {key: value for key, value in training.items() if key not in ("history", "schedule")}
    schedule = training.get("schedule")
    flat = others | (schedule if isinstance(schedule, dict) else {})
    return _table_of("setting", {SETTINGS.get(key, key.replace("_", " ")): value for key, value in flat.items()})


def draw_files(name: str, files: ModelFiles) -> None:
    """Draw the settings of the network, and the sizes of its files with the checksum of the weights."""
    about = checkpoints.about(name)
    left, right = st.columns(2, gap="large")
    with left:
        _draw_table(_table_of("setting of the network", about.model))
    with right:
        _draw_table(_table_of("file", {file: f"{size:,}" for file, size in files.sizes.items()}, "bytes"))
        st.caption("sha256 of the weights")
        st.code(about.sha256, language=None, wrap_lines=True)


def _table_of(names_title: str, values: Mapping[str, Any], values_title: str = "value") -> pd.DataFrame:
    """A table of values by name, without empty ones, and with at most ``MAX_ROWS`` rows."""
    full = ((name, value) for name, value in values.items() if value not in (None, "", [], {}))
    written = {name[:MAX_VALUE]: _written(value)[:MAX_VALUE] for name, value in islice(full, MAX_ROWS)}
    return pd.DataFrame({names_title: list(written), values_title: list(written.values())})


def _draw_table(table: pd.DataFrame) -> None:
    if len(table):
        st.dataframe(table, hide_index=True, height="content")


def _written(value: Any) -> str:
    """A value as text: numbers with four digits, lists with commas."""
    if isinstance(value, list):
        return ", ".join(map(_written, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)
