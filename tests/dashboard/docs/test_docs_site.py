"""The site: one command builds it whole, and its pages load nothing and hold no script."""

import json
import re
from html.parser import HTMLParser
from posixpath import join, normpath
from urllib.parse import unquote

import pytest

from core import explain, zoo
from dashboard.docs.__main__ import main
from dashboard.docs.build import SCRIPT
from dashboard.docs.contents import OF_SCREEN, PAGES
from dashboard.runs.deciding import deciding_capsule


class Links(HTMLParser):
    """The ids of a page, the addresses that it links to, and those that it loads."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids.add(values.get("id"))
        if tag == "a":
            self.links.append(values.get("href") or "")
        elif tag in ("img", "script", "link") and values.get("rel") != "alternate":
            self.loads.append(values.get("src") or values.get("href") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    assert main(["--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def pages(site):
    """The links of every page, by the name of its file."""
    return {
        path.name: Links(path.read_text(encoding="utf-8")) for path in site.glob("*.html") if path.name != "404.html"
    }


def test_the_site_has_every_page(pages):
    assert set(pages) == {f"{address}.html" for address in PAGES}


def test_links_of_the_site_lead_to_pages_and_headings(site, pages):
    broken = []
    for name, page in pages.items():
        for link in filter(None, page.links):
            path, _, heading = link.partition("#")
            if "://" in link:
                continue
            target = normpath(join(".", path)) if path not in ("", ".") else name if not path else "index.html"
            if target not in pages or (heading and unquote(heading) not in pages[target].ids):
                broken.append(f"{name}: {link}")
    assert not broken


def test_the_links_of_the_screens_lead_to_headings(pages):
    for target in OF_SCREEN.values():
        address, _, heading = target.partition("#")
        assert not heading or heading in pages[f"{address}.html"].ids, target


def test_pages_load_only_files_of_the_site(site, pages):
    for name, page in pages.items():
        for address in page.loads:
            assert "://" not in address, name
            assert not address or (site / address.partition("?")[0]).exists(), f"{name}: {address}"
    for path in site.glob("*.html"):
        assert not SCRIPT.search(path.read_text(encoding="utf-8"))
    for path in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:|@import", path.read_text(encoding="utf-8"))


def test_commands_and_pictures_are_in_their_pages(site):
    tried = (site / "tried.html").read_text(encoding="utf-8")
    assert "do not hold" in tried
    assert "A gate bias of 1 encourages composition" in tried
    dynamic = (site / "dynamic.html").read_text(encoding="utf-8")
    assert dynamic.count('<figure class="run">') == 2
    assert len(list((site / "runs").glob("dynamic-1-*.svg"))) == 3  # a picture for each iteration
    assert "superb" in (site / "runs/dynamic-1-3.svg").read_text(encoding="utf-8")
    assert '<iframe src="runs/dynamic-1.html"' in dynamic
    assert "superb" in (site / "runs/dynamic-1.html").read_text(encoding="utf-8")


def test_a_run_opens_on_the_deciding_capsule(site):
    run = (site / "runs/dynamic-1.html").read_text(encoding="utf-8")
    view = json.loads(re.search('<script id="view" type="application/json">(.*?)</script>', run)[1])
    sample = "The acting is superb, but the plot never earns its two long hours."
    trace = explain(zoo.load("dragg-reversed-sst5"), sample)
    assert view["cells"]["first"][1] == deciding_capsule(trace, "cpu", sample)


def test_a_folder_with_something_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["--out", str(tmp_path)]) == 2
    assert "holds something else than a site" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").read_text() == "mine"
