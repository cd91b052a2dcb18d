"""Builds the site: the pages with everything filled in, as Markdown in a folder, which Zensical turns into HTML.

The site loads nothing from elsewhere, and has no script in its pages, so that the dashboard's policy allows it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

from core import __version__
from dashboard.docs.contents import PAGES, REFERENCE, SECTIONS, DocPage
from dashboard.docs.fill import fill
from dashboard.docs.links import PICTURES, pictures_of, rewrite_links
from dashboard.docs.reference import reference
from dashboard.docs.runs import RUNS, draw_pictures, run_commands
from dashboard.theme import css_variables

MISSING = "Zensical is not installed: pip install zensical==0.0.73"
NO_CHECKOUT = "the site is built in a checkout of Routescope, which has {source}"
FILES = Path(__file__).parent
ASSETS = ("site.css", "site.js")
SCRIPT = re.compile(r"<script>(.+?)</script>", re.DOTALL)
EXTENSIONS: dict[str, dict[str, Any]] = {
    "tables": {},
    "attr_list": {},
    "toc": {
        "permalink": True,
        "toc_depth": 3,
        "slugify": {"object": "pymdownx.slugs.slugify", "kwds": {"case": "lower"}},
    },
    "pymdownx.highlight": {"use_pygments": True},
    "pymdownx.superfences": {},
}
SCHEMES = {"light": "default", "dark": "slate"}


def build(out: Path, say: Callable[[str], None] = lambda line: None) -> None:
    """Build the site.

    Args:
        out: folder of the site. What an earlier build left there is replaced.
        say: function that gets one line on each step.

    Raises:
        RuntimeError: Zensical is not installed or finds a fault, or a command in a page fails.
        ValueError: the folder holds something else than a site, or this is not a checkout.
    """
    for page in PAGES.values():
        if not page.path.exists():
            raise ValueError(NO_CHECKOUT.format(source=page.source))
    if find_spec("zensical") is None:
        raise RuntimeError(MISSING)
    if out.exists() and any(out.iterdir()) and not (out / "search.json").exists():
        raise ValueError(f"{out} holds something else than a site: name another folder")
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, ROUTESCOPE_MODELS=f"{folder}/models"):
        work = Path(folder)  # it has no networks of the user, which the documentation would list
        for page in PAGES.values():
            say(f"writing {page.title}")
            stage(page, work / "docs")
        say("building the site")
        _write_configuration(work)
        _run_zensical(work)
        for path in (work / "site").rglob("*.html"):
            if path.parent.name != RUNS:  # widgets are alone in a frame, where their scripts may run
                _move_scripts_to_files(path, work / "site")
        if out.exists():
            shutil.rmtree(out)
        shutil.copytree(work / "site", out)


def stage(page: DocPage, folder: Path) -> None:
    """Write the Markdown of a page with everything filled in, and the pictures that it shows."""
    for name in (PICTURES, RUNS):
        (folder / name).mkdir(parents=True, exist_ok=True)
    if page == REFERENCE:
        text = reference()
    else:
        for name, path in pictures_of(page).items():
            shutil.copyfile(path, folder / PICTURES / name)
        text = fill(draw_pictures(run_commands(page.path.read_text(encoding="utf-8")), page.address, folder / RUNS))
    text = rewrite_links(text, page, lambda other: f"{other.address}.md")
    (folder / f"{page.address}.md").write_text(text, encoding="utf-8")


def configuration() -> dict[str, Any]:
    """The configuration of Zensical."""
    pages = {section: [{page.title: f"{page.address}.md"} for page in pages] for section, pages in SECTIONS.items()}
    first = pages.pop("")
    palette = [
        {"media": f"(prefers-color-scheme: {name})", "scheme": scheme, "primary": "custom", "accent": "custom"}
        for name, scheme in SCHEMES.items()
    ]
    return {
        "site_name": "Routescope",
        "site_description": f"Documentation of Routescope {__version__}",
        "copyright": f"Routescope {__version__}, under the MIT licence",
        "use_directory_urls": False,
        "nav": [*first, *({section: listed} for section, listed in pages.items())],
        "extra_css": ["site.css"],
        "extra_javascript": ["site.js"],
        "theme": {
            "font": False,  # no font is fetched
            "language": "en",
            "features": ["navigation.sections", "navigation.footer", "content.code.copy", "toc.follow"],
            "palette": palette,
            "logo": "icon.svg",
            "favicon": "icon.svg",
        },
        "markdown_extensions": EXTENSIONS,
    }


def _write_configuration(work: Path) -> None:
    # A configuration in JSON is YAML, too, which Zensical reads from a file of this name.
    settings = configuration() | {"docs_dir": "docs", "site_dir": "site"}
    (work / "mkdocs.yml").write_text(json.dumps(settings), encoding="utf-8")
    for name in ASSETS:
        shutil.copyfile(FILES / name, work / "docs" / name)
    style = (FILES / "site.css").read_text(encoding="utf-8")
    (work / "docs/site.css").write_text(f"{css_variables()}\n{style}", encoding="utf-8")
    shutil.copyfile(FILES.parent / "icon.svg", work / "docs/icon.svg")


def _run_zensical(work: Path) -> None:
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"Zensical finds a fault:\n{done.stdout}{done.stderr}")


def _move_scripts_to_files(path: Path, site: Path) -> None:
    """Move each script in a page to a file of its own, because the dashboard runs only files."""

    def move(found: re.Match[str]) -> str:
        name = f"inline-{sha256(found[1].encode()).hexdigest()[:12]}.js"
        (site / "assets" / name).write_text(found[1], encoding="utf-8")
        return f'<script src="{"../" * depth}assets/{name}"></script>'

    depth = len(path.relative_to(site).parts) - 1
    path.write_text(SCRIPT.sub(move, path.read_text(encoding="utf-8")), encoding="utf-8")
