"""What is under the Lab's picture, and its files."""

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.comparison import Routed
from core.analysis.scenes import means
from dashboard.figures.lab import Planes, planes, shares_of_all, shares_table
from dashboard.figures.lines import lines_over
from dashboard.pages.lab.picture import OBJECTIVES, TITLES, frame_of, outline, outlines_of_whole
from dashboard.pages.lab.scenes import Knobs, Scene
from dashboard.shared.shown import Shown

PLANES, SHARES = "Votes and wholes", "Shares of each routing"


def add_figures(shown: Shown, scene: Scene, runs: Sequence[Routed]) -> None:
    """Record the figure and the tables that can be exported."""
    couplings = {run.name: run.coupling for run in runs}
    shown.figures[PLANES] = planes(_planes(scene, runs))
    shown.figures[SHARES] = shares_of_all(couplings, scene.inputs, scene.short_names, scene.unit)
    shown.add_table("shares", lambda: shares_table(couplings, scene.inputs, scene.short_names))
    shown.add_table("iterations", lambda: _iterations(runs, scene.short_names))


def draw_shares(shown: Shown) -> None:
    """All shares of all routings."""
    shown.draw_heatmap(SHARES, shown.figures[SHARES], "shares")


def draw_curves(shown: Shown, runs: Sequence[Routed]) -> None:
    """Entropy and change of the four together, and the objective of each."""
    names = [run.name for run in runs]
    together = {
        "Entropy of a sharer's shares": lines_over(np.stack([run.entropy for run in runs], 1), "bits", names),
        "Change since the last iteration": lines_over(
            np.stack([run.change for run in runs], 1), "share moved", names, [0, 1]
        ),
    }
    shown.draw_charts(together, columns=2)
    objectives = {}
    for run in runs:
        name = OBJECTIVES[run.name]
        objectives[f"{TITLES[run.name]}: {name}"] = lines_over(run.objective[:, None], name, [run.name])
    shown.draw_charts(objectives, columns=4)


def draw_numbers(shown: Shown) -> None:
    """Every table."""
    for title, make in shown.tables.items():
        st.caption(title)
        st.dataframe(make(), hide_index=True, height=280)


def files(scene: Scene, knobs: Knobs, runs: Sequence[Routed]) -> dict[str, tuple[str, Callable[[], str | bytes], str]]:
    """The scene and its runs as files."""
    return {
        "JSON": ("lab.json", lambda: _to_json(scene, knobs, runs), "application/json"),
        "npz": ("lab.npz", lambda: _to_npz(scene, runs), "application/octet-stream"),
    }


def _to_json(scene: Scene, knobs: Knobs, runs: Sequence[Routed]) -> str:
    content = {
        "scene": scene.name,
        "parts": [asdict(part) for part in scene.parts],
        "knobs": asdict(knobs),
        "inputs": scene.inputs,
        "outputs": scene.outputs,
        "votes": scene.votes.tolist(),
        "runs": {run.name: {name: values.tolist() for name, _, values in run.arrays()} for run in runs},
    }
    return json.dumps(content)


def _to_npz(scene: Scene, runs: Sequence[Routed]) -> bytes:
    content = io.BytesIO()
    of_runs = {f"{run.name}.{name}": values for run in runs for name, _, values in run.arrays()}
    np.savez_compressed(content, votes=scene.votes, **of_runs)
    return content.getvalue()


def _planes(scene: Scene, runs: Sequence[Routed]) -> Planes:
    """The picture, for paper."""
    wholes, centres = {}, {}
    for run in runs:
        poses = means(run.coupling, scene.drawn)
        centres[run.name] = poses[..., :2]
        steps = poses if scene.parts else []
        wholes[run.name] = [[outlines_of_whole(pose, j) for j, pose in enumerate(step)] for step in steps]
    return Planes(
        frame=frame_of(scene),
        names=scene.short_names,
        parts=[(outline(part.kind, part.pose), part.pose[:2]) for part in scene.parts],
        points=None if scene.parts else scene.drawn,
        wholes=wholes,
        means=centres,
        activation={run.name: run.activation for run in runs},
        coupling={run.name: run.coupling for run in runs},
    )


def _iterations(runs: Sequence[Routed], names: Sequence[str]) -> pd.DataFrame:
    rows = []
    for run in runs:
        columns = {"entropy, bits": run.entropy, "change": run.change, "objective": run.objective}
        columns |= {f"activation of {name}": run.activation[:, j] for j, name in enumerate(names)}
        rows.append(pd.DataFrame({"iteration": np.arange(1, len(run.entropy) + 1), "routing": run.name, **columns}))
    return pd.concat(rows, ignore_index=True)
