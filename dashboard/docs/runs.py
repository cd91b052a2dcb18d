"""Blocks of Markdown that a run fills: the output of commands, and pictures of a trace."""

import io
import re
import shlex
from collections.abc import Callable
from contextlib import redirect_stdout
from html import escape
from importlib import import_module
from pathlib import Path
from textwrap import wrap

COMMANDS = re.compile(r"^```console\n((?:\$ .*\n)+)```$", re.MULTILINE)  # without output, which is put below
PICTURE = re.compile(r"^```picture\n(\S+) (.+)\n(.+)\n```$", re.MULTILINE)  # network, picture; text
WIDTH = 92  # characters in a line of output
RUNS = "runs"  # folder of the site with the pictures, and with the widget of each, as a notebook shows it
OPEN = "Open this run: move the slider, pick a cell, read its numbers"


def run_commands(text: str) -> str:
    """Put below each command of a page what it prints."""

    def run(found: re.Match[str]) -> str:
        lines = found[1].splitlines()
        return "```console\n" + "\n".join(f"{line}\n{output_of(line.removeprefix('$ '))}" for line in lines) + "```"

    return COMMANDS.sub(run, text)


def output_of(command: str) -> str:
    """The output of a command of this program.

    Args:
        command: a line such as "python -m core models".

    Raises:
        RuntimeError: the command failed.
    """
    python, flag, module, *arguments = shlex.split(command)
    if (python, flag) != ("python", "-m"):
        raise RuntimeError(f"the documentation runs only python -m MODULE, not {command}")
    with redirect_stdout(io.StringIO()) as printed:
        code = main_of(module)(arguments)
    if code:
        raise RuntimeError(f"{command} ended with {code}")
    lines = (wrap(line, WIDTH, subsequent_indent="  ") or [""] for line in printed.getvalue().splitlines())
    return "".join(f"{line}\n" for wrapped in lines for line in wrapped)


def main_of(module: str) -> Callable[[list[str]], int]:
    """The function ``main`` of a package or a module."""
    try:
        return import_module(f"{module}.__main__").main
    except ModuleNotFoundError:
        return import_module(module).main


def draw_pictures(text: str, page: str, folder: Path) -> str:
    """Draw the pictures of a page, and put them in the place of their blocks.

    Args:
        text: Markdown of the page.
        page: address of the page, with which names of files begin.
        folder: folder for the files.
    """
    drawn = 0

    def draw(found: re.Match[str]) -> str:
        nonlocal drawn
        drawn += 1
        return _draw(*found.groups(), f"{page}-{drawn}", folder)

    return PICTURE.sub(draw, text)


def _draw(network: str, picture: str, sample: str, name: str, folder: Path) -> str:
    """Draw one picture at each of its steps, and return HTML with a slider through them, and with the widget."""
    from core import cuts, explain, zoo
    from dashboard.components.notebook import page, view_of
    from dashboard.figures.export import to_svg
    from dashboard.figures.kinds import family_of
    from dashboard.figures.sheet import sheet

    model = zoo.load(network, "cpu")
    trace = explain(model, sample)
    title = f"{picture}, {trace.model}"
    figure = family_of(trace).plots[picture](trace)
    # Every iteration has other numbers. Layers and windows are all in one picture, where a frame marks one of them.
    steps = range(1, trace.n_steps + 1) if trace.along == "iteration" else [trace.own_step]
    names = []
    for step in steps:
        names.append(f"{name}-{step}.svg")
        (folder / names[-1]).write_bytes(to_svg(sheet({title: figure}, chosen={trace.along: step})))
    deciding = None  # the capsule on which the dashboard's page opens, too
    if trace.page == "routing":
        lost = cuts(model, sample, by="capsule")[0]
        deciding = int(lost[:, trace.classes.index(trace.answer)].argmax())
    (folder / f"{name}.html").write_text(page(view_of(trace, row=deciding)), encoding="utf-8")
    return _as_html(name, names, trace.along, f"{title}: “{sample}”", python_of(network, picture, sample))


def python_of(network: str, picture: str, sample: str) -> str:
    """Python that draws the same picture in a notebook."""
    return f'explain(zoo.load("{network}"), "{sample}").plot("{picture}")'


def _as_html(widget: str, names: list[str], along: str, alt: str, code: str) -> str:
    """A figure with the pictures, of which the slider shows one, and the widget. Without scripts it is the last one."""
    last = len(names)
    shown = [
        f'<img src="{RUNS}/{name}" alt="{escape(alt)}, {along} {k}"{" hidden" * (k != last)}>'
        for k, name in enumerate(names, 1)
    ]
    if last == 1:
        slider = ""
        shown = [f'<img src="{RUNS}/{names[0]}" alt="{escape(alt)}">']
    else:
        bounds = f'min="1" max="{last}" value="{last}"'
        slider = f'<label>{along} <output>{last}</output> of {last} <input type="range" {bounds}></label>'
    frame = f'<iframe src="{RUNS}/{widget}.html" title="{escape(alt)}" loading="lazy"></iframe>'
    opened = f"<details><summary>{OPEN}</summary>{frame}</details>"
    caption = f"<figcaption><code>{escape(code)}</code></figcaption>"
    return f'<figure class="run">{"".join(shown)}{slider}{caption}{opened}</figure>'
