"""The sections below the Lab's picture, and its files."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.scenes import means
from core.sentences.comparison import Routed, largest_entropy
from core.sentences.routing_names import about
from core.sentences.words import listed
from dashboard.figures.export import notebook_of
from dashboard.figures.figure import Figure
from dashboard.figures.lab import Planes, planes, shares_of_all, shares_table
from dashboard.figures.lines import lines_over
from dashboard.pages.lab.picture import frame_of, outline, outlines_of_whole
from dashboard.pages.lab.scenes import LabScene
from dashboard.pages.lab.texts import VOTES
from dashboard.runs.lab import names
from dashboard.screen.export_files import File
from dashboard.screen.shown import Shown
from dashboard.theme import GREY, class_colors

Settings = tuple[int, float, float, float]  # values of the arguments in SETTINGS
SETTINGS = ("n_iters", "sharpness", "beta_use", "beta_ign")  # arguments of ``core.lab.compare``
PLANES, SHARES = "Votes and wholes", "Shares of each routing"
EQUAL = "equal shares"  # name of the line of the largest possible entropy


def add_planes(shown: Shown, scene: LabScene, runs: Sequence[Routed]) -> None:
    """Record the picture as the first figure of the export menu, without drawing it."""
    shown.figures[PLANES] = planes(_planes(scene, runs))


def add_shares(shown: Shown, scene: LabScene, drawn: Sequence[Routed], runs: Sequence[Routed]) -> None:
    """Record the shares of the drawn runs as a figure, and tables of the shares and iterations of all runs."""
    shares = {run.name: run.coupling for run in drawn}
    shown.figures[SHARES] = shares_of_all(shares, scene.inputs, scene.short_names, scene.unit)
    couplings = {run.name: run.coupling for run in runs}
    shown.add_table("shares", lambda: shares_table(couplings, scene.inputs, scene.short_names))
    shown.add_table("iterations", lambda: _iterations(runs, scene.short_names))


def draw_shares(shown: Shown) -> None:
    """Draw all shares of the routings on the screen."""
    shown.draw_heatmap(SHARES, shown.figures[SHARES], "shares")


def draw_curves(shown: Shown, runs: Sequence[Routed], scene: LabScene) -> None:
    """Draw entropy and change of the runs, and the objective of each.

    The shares of an input and those of a capsule have different largest entropies, and a chart each.
    """
    charts, reasons, colours = {}, [], dict(zip(names(), class_colors(names()), strict=True))
    for normalize, whose, among in (("output", scene.unit, scene.output), ("input", scene.output, scene.unit)):
        alike = [run for run in runs if run.normalize == normalize]
        if alike:
            charts[f"Entropy of each {whose}'s shares, on average"] = _entropy(alike, colours)
            titles, verb = listed([about(run.name).title for run in alike]), "shares" if len(alike) == 1 else "share"
            equal = f"equal shares have {largest_entropy(alike[0]):.2f} bits"
            reasons.append(f"{titles} {verb} each {whose} among the {among}s, where {equal}")
    change, of_change = np.stack([run.change for run in runs], 1), [run.name for run in runs]
    charts["Change since the last iteration"] = lines_over(
        change, "share moved", of_change, [0, 1], colours=[colours[name] for name in of_change]
    )
    shown.draw_charts(charts, columns=len(charts))
    if len(reasons) > 1:
        st.caption(f"{'. '.join(reasons)}. These maxima differ, so each kind of share has a chart of its own.")
    objectives = {}
    for run in runs:
        name = about(run.name).objective
        objectives[f"{about(run.name).title}: {name}"] = lines_over(run.objective[:, None], name, [run.name])
    shown.draw_charts(objectives, columns=4)


def _entropy(runs: Sequence[Routed], colours: Mapping[str, str]) -> Figure:
    """Draw the entropy of runs that share the same things, below that of equal shares. colours: by name."""
    most = largest_entropy(runs[0])
    values = np.stack([*(run.entropy for run in runs), np.full_like(runs[0].entropy, most)], 1)
    of_lines = {run.name: colours[run.name] for run in runs} | {EQUAL: GREY}
    dashes = [*[[1, 0]] * len(runs), [4, 4]]
    return lines_over(values, "bits", list(of_lines), [0, most], colours=list(of_lines.values()), dashes=dashes)


def formula_of(runs: Sequence[Routed]) -> str:
    """The formula of the votes, and one line per routing with a formula."""
    formulas = {about(run.name).title: about(run.name).formula for run in runs}
    lines = [VOTES, *(rf"\text{{{title}}}\quad & {formula}" for title, formula in formulas.items() if formula)]
    return "\n".join([r"\begin{aligned}", " \\\\\n".join(lines), r"\end{aligned}"])


def draw_numbers(shown: Shown) -> None:
    """Draw every table."""
    for title, make in shown.tables.items():
        st.caption(title)
        st.dataframe(make(), hide_index=True, height=280)


def files(scene: LabScene, settings: Settings, runs: Sequence[Routed], now: Mapping[str, int]) -> dict[str, File]:
    """The files of the scene and its runs. now: shown steps, on which these files do not depend."""
    return {
        "JSON": ("runs.json", lambda: _to_json(scene, settings, runs), "application/json"),
        "npz": ("runs.npz", lambda: _to_npz(scene, runs), "application/octet-stream"),
        "Notebook": ("notebook.ipynb", lambda: _to_notebook(scene, settings), "application/x-ipynb+json"),
    }


def _to_json(scene: LabScene, settings: Settings, runs: Sequence[Routed]) -> str:
    content = {
        "scene": scene.name,
        "parts": [asdict(part) for part in scene.parts],
        "settings": dict(zip(SETTINGS, settings, strict=True)),
        "inputs": scene.inputs,
        "outputs": scene.outputs,
        "votes": scene.votes.tolist(),
        "runs": {run.name: {name: values.tolist() for name, _, values in run.arrays()} for run in runs},
    }
    return json.dumps(content)


def _to_notebook(scene: LabScene, settings: Settings) -> bytes:
    arguments = ", ".join(f"{name}={value!r}" for name, value in zip(SETTINGS, settings, strict=True))
    return notebook_of(
        f"Lab: {scene.name}",
        "import numpy as np\n\nfrom core import lab, zoo\nfrom core.analysis import scenes",
        f"votes = {scene.code}",
        f"runs = lab.compare(votes, {arguments})",
        "for run in runs:\n    print(run.name, run.activation[-1].round(2), run.entropy[-1].round(2))",
    )


def _to_npz(scene: LabScene, runs: Sequence[Routed]) -> bytes:
    content = io.BytesIO()
    arrays = {f"{run.name}.{name}": values for run in runs for name, _, values in run.arrays()}
    np.savez_compressed(content, votes=scene.votes, **arrays)
    return content.getvalue()


def _planes(scene: LabScene, runs: Sequence[Routed]) -> Planes:
    """The picture for export."""
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
    """One row per routing and iteration. names: names of the capsules."""
    rows = []
    for run in runs:
        columns = {"entropy, bits": run.entropy, "change": run.change, "objective": run.objective}
        columns |= {f"activation of {name}": run.activation[:, j] for j, name in enumerate(names)}
        rows.append(pd.DataFrame({"iteration": np.arange(1, len(run.entropy) + 1), "routing": run.name, **columns}))
    return pd.concat(rows, ignore_index=True)
