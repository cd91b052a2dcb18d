"""A page of the documentation without the site: plain, but with its equations, tables and links."""

import re
from functools import cache
from html import escape
from itertools import pairwise

from dashboard.docs.contents import PAGES, REFERENCE, SECTIONS
from dashboard.docs.fill import fill
from dashboard.docs.links import rewrite_links
from dashboard.docs.reference import reference
from dashboard.docs.runs import PICTURE, python_of
from dashboard.theme import css_variables

STYLE = """:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { margin: auto; max-width: 52rem; padding: 1rem; color: var(--rs-ink); background: var(--rs-page) }
a { color: var(--rs-accent) } pre, table { overflow: auto } pre, code { background: var(--rs-panel) }
pre { padding: .5rem } table { display: block; border-collapse: collapse }
td, th { padding: .2rem .6rem; text-align: left; vertical-align: top; border: 1px solid var(--rs-line) }
nav p { margin: .2rem 0 } math[display=block] { margin: 1rem 0 }"""
NOT_BUILT = (
    "This is the plain text of the page. In a checkout, <code>pip install zensical==0.0.73</code> and then "
    "<code>python -m dashboard.docs</code> build the documentation with pictures, outputs and search, and this server "
    "then shows that."
)
ELSEWHERE = "This page is in a checkout of Routescope: `{source}`."
IMAGE = re.compile(r"!\[([^]]*)\]\([^)]*\)")


@cache
def page(address: str) -> str:
    """The HTML of a page.

    Args:
        address: key of ``PAGES``.
    """
    title = escape(PAGES[address].title)
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{title} · Routescope</title><style>{css_variables()}{STYLE}</style></head><body>"
        f"<nav aria-label='Documentation'>{_contents(address)}</nav><p><em>{NOT_BUILT}</em></p>"
        f"<main>{to_html(_markdown(address))}</main></body></html>"
    )


def _contents(address: str) -> str:
    """Links to all pages, a paragraph for each section."""
    lines = []
    for section, pages in SECTIONS.items():
        links = (
            f"<b>{escape(page.title)}</b>"
            if page.address == address
            else f"<a href='{page.address}.html'>{escape(page.title)}</a>"
            for page in pages
        )
        lines.append(f"<p>{escape(section)}{': ' * bool(section)}{' · '.join(links)}</p>")
    return "".join(lines)


def _markdown(address: str) -> str:
    """The Markdown of a page, with numbers and equations, and Python in the place of pictures."""
    page = PAGES[address]
    if page == REFERENCE:
        text = reference()
    elif page.path.is_file():
        text = page.path.read_text(encoding="utf-8")
    else:
        return f"# {page.title}\n\n{ELSEWHERE.format(source=page.source)}"
    text = PICTURE.sub(lambda found: f"```python\n{python_of(*found.groups())}\n```", text)
    return rewrite_links(fill(IMAGE.sub(r"\1", text)), page, lambda other: f"{other.address}.html")


def to_html(text: str) -> str:
    """Markdown of ours as HTML, with an id for each heading."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(text)
    for heading, words in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", slug(words.content))
    return parser.renderer.render(tokens, parser.options, {})


def slug(heading: str) -> str:
    """The id of a heading, as the site and GitHub make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
