"""Links between Markdown files of the checkout, as links between pages of the documentation."""

import re
from collections.abc import Callable
from pathlib import Path
from posixpath import join, normpath

from dashboard.docs.contents import PAGES, ROOT, DocPage

LINK = re.compile(r"(!?)\[([^]\n]*(?:\n[^]\n]+)?)\]\(([^)\s]+)\)")
PICTURES = "pictures"  # folder of the site with the pictures that pages show
OF_SOURCE = {page.source: page for page in PAGES.values()} | {"README.md": PAGES["index"]}


def rewrite_links(text: str, page: DocPage, address_of: Callable[[DocPage], str]) -> str:
    """Rewrite the links of a page. A link to a file that is no page becomes the name of the file.

    Args:
        text: Markdown of the page.
        page: page with the links.
        address_of: function that returns the address of another page.
    """
    folder = page.source.rpartition("/")[0]

    def rewrite(found: re.Match[str]) -> str:
        is_picture, words, target = found.groups()
        path, hash_mark, heading = target.partition("#")
        if not path or "://" in path:
            return found[0]
        source = normpath(join(folder, path))
        if is_picture:
            return f"![{words}]({PICTURES}/{name_of_picture(source)})"
        other = OF_SOURCE.get(source)
        if other is None:
            return f"{words} (`{source}`)" if words.strip("`") not in source else f"`{source}`"
        return f"[{words}]({address_of(other)}{hash_mark}{heading})"

    return outside_code(text, lambda part: LINK.sub(rewrite, part))


def pictures_of(page: DocPage) -> dict[str, Path]:
    """The files that a page shows, by their name in the site."""
    folder, text = page.source.rpartition("/")[0], page.path.read_text(encoding="utf-8")
    sources = [normpath(join(folder, path)) for mark, _, path in LINK.findall(text) if mark]
    return {name_of_picture(source): ROOT / source for source in sources}


def name_of_picture(source: str) -> str:
    """The name in the site of a picture at a path of the checkout."""
    return source.replace("/", "-")


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change the Markdown between blocks of code."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if k % 2 else change(part) for k, part in enumerate(parts))
