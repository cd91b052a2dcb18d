"""A report on several runs, as a self-contained web page or as a notebook. No text in it is markup."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from dashboard.figures.export import PLACE
from dashboard.figures.standalone import STYLE, begin_page
from dashboard.theme import css_variables

LOOK = "h2 { margin: 2rem 0 .5rem; font-size: var(--rs-text-2); } img { max-width: 100%; } p { white-space: pre-line; }"

# In a notebook, neither Markdown nor formulas are read in such an element.
AS_TYPED = '<pre style="white-space: pre-wrap; font-family: inherit">{}</pre>'


class Entry(NamedTuple):
    """A run in a report.

    Attributes:
        title: title of the run.
        paragraphs: sentences about it, in plain text.
        picture: its picture as SVG; empty if there is none.
        code: Python that repeats it, whose last line draws the picture; "" if there is none.
    """

    title: str
    paragraphs: Sequence[str]
    picture: bytes = b""
    code: str = ""


def to_page(title: str, entries: Sequence[Entry]) -> bytes:
    """The report as a web page, which fetches nothing."""
    sections = "\n".join(map(_section, entries))
    style = f"{css_variables()}\n{STYLE}\n{LOOK}"
    return f"""{begin_page(title, style)}
</head>
<body>
<h1>{escape(title)}</h1>
{sections}
</body>
</html>
""".encode()


def _section(entry: Entry) -> str:
    lines = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in entry.paragraphs)
    source = f"data:image/svg+xml;base64,{b64encode(entry.picture).decode()}"
    picture = f'<img src="{source}" alt="{escape(entry.title)}">' if entry.picture else ""
    return f"<section><h2>{escape(entry.title)}</h2>{lines}{picture}</section>"


def to_notebook(title: str, entries: Sequence[Entry]) -> bytes:
    """The report as a notebook that repeats every run."""
    from nbformat import v4, writes

    cells = [
        v4.new_markdown_cell(f"# {title}\n\nRun this notebook {PLACE}."),
        v4.new_code_cell("from core import explain, zoo"),
    ]
    for number, entry in enumerate(entries, 1):
        plain = "\n\n".join(AS_TYPED.format(escape(text)) for text in (entry.title, *entry.paragraphs))
        cells.append(v4.new_markdown_cell(f"## Run {number}\n\n{plain}"))
        if entry.code:
            cells.append(v4.new_code_cell(entry.code))
    for k, cell in enumerate(cells):
        cell.id = f"cell-{k}"  # not random, so that the same runs give the same file
    return writes(v4.new_notebook(cells=cells)).encode()
