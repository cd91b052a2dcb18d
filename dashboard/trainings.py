"""What pages say of a sweep of trainings."""

import math

import pandas as pd
import streamlit as st


def command(sweep: str) -> str:
    return f"python -m core.sweep {sweep} --data DIR"


def to_be_measured(what: str, sweep: str) -> None:
    """What is not here yet, and which command makes it."""
    st.caption(f"{what} is shown once networks are trained for it: `{command(sweep)}`.")


def over_seeds(table: pd.DataFrame) -> str:
    """What lines and bars of a sweep are."""
    if table["seed"].nunique() == 1:
        return "One seed each."
    return "Lines and means are over seeds, bars go from the best seed to the worst."


def apart_by_chance(table: pd.DataFrame) -> float:
    """How far two networks may differ by chance on so many test texts: 1.96 standard deviations of a difference of
    two shares.
    """
    right = table["test"].mean()
    return 1.96 * math.sqrt(2 * right * (1 - right) / table["tested_on"].max())


def means(table: pd.DataFrame, by: list[str]) -> None:
    """Test accuracy of a sweep over its seeds, the paper's beside it. by: the columns that say what was trained."""
    rows = table.groupby(by, sort=False)
    shown = rows["test"].agg(["mean", "min", "max", "count"]).assign(paper=rows["paper"].first()).reset_index()
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        shown.rename(columns={"count": "trainings"}),
        hide_index=True,
        height="content",
        column_config=dict.fromkeys(("mean", "min", "max", "paper"), percent),
    )
