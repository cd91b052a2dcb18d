"""A self-contained web page: figures, and the parts of a page that follow its slider.

It fetches nothing, and no text on it is markup.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from dashboard.figures.figure import Figure
from dashboard.figures.sheet import Heading, sheet
from dashboard.theme import css_variables

# The menu of each figure, without the entry that opens a web site.
NO_NETWORK = {"actions": {"export": True, "source": False, "compiled": False, "editor": False}}
IN_PAGE = "'unsafe-inline' 'unsafe-eval'"
NOTHING_FETCHED = f"default-src 'none'; script-src {IN_PAGE}; style-src {IN_PAGE}; img-src data:"
DRIVEN = "form.vega-bindings { display: none; }"  # hides the figures' own sliders if the page has one
STYLE = (Path(__file__).parent / "standalone.css").read_text(encoding="utf-8")


class ComponentFiles(NamedTuple):
    """The files of a component that runs only in the browser."""

    html: str
    css: str
    js: str


class DrawnComponent(NamedTuple):
    """A component that a page drew: its files, and its data."""

    source: ComponentFiles
    data: dict[str, Any]


def stand_alone(
    heading: Heading,
    titled: Mapping[str, Figure],
    sliders: Sequence[DrawnComponent] = (),
    runs: Sequence[Sequence[DrawnComponent]] = (),
    chosen: Mapping[str, int] | None = None,
    above: Sequence[DrawnComponent] = (),
) -> str:
    """Make the HTML of the page.

    Args:
        heading: heading of the page.
        titled: figures by title.
        sliders: sliders that drive figures and parts; without them the figures have their own.
        runs: parts of each run; the runs are side by side.
        chosen: as in ``sheet``.
        above: parts directly below the heading.
    """
    parts = [*sliders, *above, *(part for run in runs for part in run)]
    sources = dict.fromkeys(part.source for part in parts)
    style = "\n".join([*(source.css for source in sources), css_variables(), STYLE, DRIVEN if sliders else ""])
    places = {id(part): f"part-{k}" for k, part in enumerate(parts)}

    def place(part: DrawnComponent) -> str:
        return f'<div id="{places[id(part)]}">{part.source.html}</div>'

    sections = ("<section>" + "".join(map(place, run)) + "</section>" for run in runs)
    scripts = (_script(source, {places[id(p)]: p.data for p in parts if p.source == source}) for source in sources)
    lines = "".join(f"<p>{escape(line)}</p>" for line in heading.lines)
    spec = sheet(titled, chosen=chosen) if titled else None
    draw = f'vegaEmbed("#figures", {to_json(spec)}, {to_json(NO_NETWORK)});' if spec else ""
    return f"""{begin_page(heading.title, style)}
<script>{library()}</script>
</head>
<body>
<h1>{escape(heading.title)}</h1>
{lines}
{"".join(map(place, [*above, *sliders]))}
<div class="runs">{"".join(sections)}</div>
<div id="figures"></div>
{"".join(scripts)}
<script>{draw}</script>
</body>
</html>
"""


def begin_page(title: str, style: str) -> str:
    """The beginning of a page that fetches nothing, up to its style."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{NOTHING_FETCHED}">
<title>{escape(title)}</title>
<style>{style}</style>"""


def _script(source: ComponentFiles, data: Mapping[str, dict[str, Any]]) -> str:
    """The script of a component, and its call at each of its places, as in the dashboard."""
    js = source.js.replace("export default ", "const component = ", 1)
    call = "component({ parentElement: document.getElementById(id), data, setTriggerValue() {}, setStateValue() {} })"
    return f'<script type="module">{js};\nfor (const [id, data] of Object.entries({to_json(data)})) {call};</script>\n'


def to_json(value: Any) -> str:
    """JSON for use in a script: a text that contains </script> does not end the script."""
    return json.dumps(value).replace("<", "\\u003c")


@cache
def library() -> str:
    """The script that draws Vega-Lite in a browser. It defines only ``vegaEmbed``."""
    import vl_convert

    return f"(() => {{ {vl_convert.javascript_bundle()} }})();"
