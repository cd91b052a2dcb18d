"""A handout to print: the scene, a table to fill in by hand, and on a page of its own the answers of the run."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import chain

import numpy as np
from numpy import ndarray

from core.sentences.comparison import Routed, describe_choices, describe_differences, most_different
from core.sentences.routing_names import about
from core.sentences.words import listed
from dashboard.pages.lab.picture import frame_of, outline
from dashboard.pages.lab.scenes import LabScene
from dashboard.theme import css_variables

STYLE = """:root { color-scheme: light } @page { size: A4; margin: 18mm }
body { font-family: sans-serif; line-height: 1.45; max-width: 174mm; margin: auto } section { break-before: page }
svg { width: 70mm; border: 0.3mm solid var(--rs-line) }
polygon { fill: var(--rs-panel); stroke: var(--rs-ink); stroke-width: .05 }
circle { fill-opacity: .75; stroke: none } html { print-color-adjust: exact }
table { border-collapse: collapse; table-layout: fixed; width: 100%; font-size: var(--rs-text-4) }
th, td { border: 0.3mm solid var(--rs-line); padding: 1mm 1.5mm; text-align: left } td:empty { height: 6mm }"""
NUMBER = 0.55  # size of a part's number, in units of the plane
DOTS = 80  # radii of a dot in the height of the plane
COLOURS = 5  # capsules after which colours begin again


def to_handout(scene: LabScene, runs: Sequence[Routed], task: str) -> str:
    """The handout of a scene as HTML, without scripts and without anything to fetch.

    Args:
        scene: scene to print.
        runs: its runs.
        task: question for the students; "" for a general one.
    """
    n_iters = len(runs[0].coupling)
    question = task or f"Which {scene.output} does each routing choose after each iteration?"
    filled = [[_chosen(run, t, scene) for run in runs] for t in range(n_iters)]
    columns = {"What each routing chooses": filled}
    if scene.parts:
        i, j = most_different(runs, n_iters - 1)
        shares = [[f"{run.coupling[t, i, j]:.0%}" for run in runs] for t in range(n_iters)]
        columns[_asked_share(scene, i, j, runs)] = shares
    body = [
        f"<h1>Routescope Lab: {escape(scene.name)}</h1><p>Scene: {escape(scene.details)}</p>",
        _picture(scene),
        f"<h2>Question</h2><p>{escape(question)}</p>",
        "<p>Write down what you expect before you look. Then fill in what you see.</p>",
        _table(runs, {name: [[""] * len(row) for row in rows] for name, rows in columns.items()}),
        f"<section><h1>Answers</h1><p>Scene: {escape(scene.details)}</p>",
        _table(runs, columns),
        *([_last(scene, runs)] if scene.parts else []),
        "</section>",
    ]
    title = f"<title>Handout: {escape(scene.name)}</title><style>{css_variables()}{STYLE}</style>"
    return f'<!DOCTYPE html><html lang="en"><meta charset="utf-8">{title}<body>{"".join(body)}</body></html>'


def _chosen(run: Routed, t: int, scene: LabScene) -> str:
    """The leading capsule of a routing after an iteration, with its activation."""
    j = run.winners[t]
    if j is None:
        several = "both" if len(scene.outputs) == 2 else "several"
        return several if run.finds_both(t) else "undecided"
    return f"{scene.short_names[j]} ({run.activation[t, j]:.2f})"


def _last(scene: LabScene, runs: Sequence[Routed]) -> str:
    """Sentences on the choices at the end, and on the largest difference."""
    sentences = describe_choices(runs, scene.outputs)[-1], describe_differences(runs, scene.inputs, scene.outputs)[-1]
    return f"<p>{escape(' '.join(sentences))}</p>"


def _asked_share(scene: LabScene, i: int, j: int, runs: Sequence[Routed]) -> str:
    """The heading of the columns of shares of a part: the roof in a house."""
    by_whole = listed([about(run.name).title for run in runs if run.normalize == "input"])
    rest = f" (in {by_whole}, of what {scene.outputs[j]} takes)" if by_whole else ""
    return f"Share of {scene.inputs[i]}, part {i + 1}, that {scene.outputs[j]} gets{rest}"


def _table(runs: Sequence[Routed], columns: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """One row per iteration. columns: for each heading, a row per iteration with a cell per routing."""
    n, titles = len(runs), [about(run.name).title for run in runs] * len(columns)
    heads = "".join(f'<th colspan="{n}">{escape(heading)}</th>' for heading in columns)
    names = "".join(f"<th>{escape(title)}</th>" for title in titles)
    rows = [[str(t), *chain(*cells)] for t, cells in enumerate(zip(*columns.values(), strict=True), 1)]
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table><tr><th rowspan="2">iteration</th>{heads}</tr><tr>{names}</tr>{lines}</table>'


def _picture(scene: LabScene) -> str:
    """The parts of a scene in the plane, numbered; or its votes as dots, with the names of their capsules."""
    shapes = [] if scene.parts else _dots(scene)
    for k, part in enumerate(scene.parts, 1):
        points = outline(part.kind, part.pose)
        corners = " ".join(f"{x:.2f},{-y:.2f}" for x, y in points)
        x, y = _middle(points)
        shapes.append(f'<polygon points="{corners}"/><text x="{x:.2f}" y="{-y:.2f}" font-size="{NUMBER}">{k}</text>')
    box, what = " ".join(f"{edge:g}" for edge in frame_of(scene)), "parts" if scene.parts else "votes"
    return f'<svg viewBox="{box}" role="img" aria-label="The {what}">{"".join(shapes)}</svg>{_legend(scene)}'


def _dots(scene: LabScene) -> list[str]:
    """The votes as dots, each in the colour of its capsule."""
    r = frame_of(scene)[3] / DOTS
    return [
        f'<circle cx="{x:.3f}" cy="{-y:.3f}" r="{r:.3f}" fill="{_colour(j)}"/>'
        for votes in scene.drawn
        for j, (x, y) in enumerate(votes)
    ]


def _legend(scene: LabScene) -> str:
    """The names of the capsules in the colours of their dots; nothing for parts."""
    names = () if scene.parts else scene.short_names
    marks = (f'<b style="color: {_colour(j)}">●</b> {escape(name)}' for j, name in enumerate(names))
    return f"<p>{'&emsp;'.join(marks)}</p>" if names else ""


def _colour(j: int) -> str:
    """The colour of capsule j, as in the picture on screen."""
    return f"var(--rs-series-{j % COLOURS})"


def _middle(points: ndarray) -> ndarray:
    return np.mean(points, 0)
