"""The pages of the documentation: their code runs, their numbers are read, and each screen has one."""

import argparse
import doctest
import re
import shlex

import pytest

from core import __version__
from dashboard.docs.contents import OF_SCREEN, PAGES, REFERENCE, ROOT, link_of
from dashboard.docs.fill import fact, fill, to_mathml
from dashboard.docs.links import rewrite_links
from dashboard.docs.plain import slug
from dashboard.docs.reference import as_markdown, reference
from dashboard.docs.runs import main_of

WRITTEN = {address: page for address, page in PAGES.items() if page.source.startswith("dashboard/docs/")}
TEXTS = {address: page.path.read_text(encoding="utf-8") for address, page in PAGES.items() if page.source}
WITH_PYTHON = [address for address in WRITTEN if "```python" in TEXTS[address]]
LANGUAGES = {"python", "sh", "console", "picture"}  # of blocks, each of which is run or parsed here or by the site
PROGRAMS = {"pip", "streamlit", "apt-get", "python", "python3", ".", "curl", "pyright"}  # others, which are not run


class Parsed(Exception):
    """A command has accepted its arguments."""


def blocks(address, language):
    """The blocks of code in a language, on a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXTS[address], re.MULTILINE | re.DOTALL)


def test_every_page_is_in_the_list():
    files = {path.name for path in (ROOT / "dashboard/docs").glob("*.md")}
    assert files == {f"{address}.md" for address in WRITTEN}
    assert not {"core", "dashboard"} & set(PAGES)  # a wheel would rename them
    assert all(page == REFERENCE or page.path.is_file() for page in PAGES.values())


@pytest.mark.parametrize("address", WITH_PYTHON)
def test_the_python_of_a_page_returns_what_it_shows(address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # an example saves files
    example = "\n".join(blocks(address, "python"))
    test = doctest.DocTestParser().get_doctest(example, {}, address, address, 0)
    assert len(test.examples) > 2
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("address", TEXTS)
def test_the_commands_of_a_page_take_their_options(address, monkeypatch):
    def stop(parser, arguments=None, namespace=None):
        parse(parser, arguments, namespace)
        raise Parsed

    parse = argparse.ArgumentParser.parse_args
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)
    for words in commands(address):
        if words[0] == "python" and words[2].startswith(("core", "dashboard", "tests")):
            with pytest.raises(Parsed):
                main_of(words[2])(words[3:])
        else:
            assert words[0] in PROGRAMS, words


def commands(address):
    """The words of each command on a page, without comments and settings of the environment."""
    shown = [line[2:] for block in blocks(address, "console") for line in block.splitlines() if line.startswith("$ ")]
    lines = "".join(blocks(address, "sh")).replace("\\\n", " ").splitlines() + shown
    for command in (command for line in lines for command in line.split(" && ")):
        words = [word for word in shlex.split(command, comments=True) if not re.match(r"[A-Z_]+=", word)]
        yield from [words] if words else []


def test_every_block_is_run_or_parsed():
    for address in WRITTEN:
        assert set(re.findall(r"^```(\w+)$", TEXTS[address], re.MULTILINE)) <= LANGUAGES


@pytest.mark.parametrize("address", WRITTEN)
def test_numbers_and_equations_of_a_page_are_filled_in(address):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", fill(TEXTS[address]), flags=re.DOTALL)
    assert "$" not in text
    assert not re.search(r"\{\w+ of ", text)


def test_a_number_is_read_from_the_files_next_to_the_weights():
    assert re.fullmatch(r"\d\d\.\d%", fact("accuracy", "dragg-sst5"))
    assert re.fullmatch(r"\d\d\.\d% to \d\d\.\d%", fact("interval", "dragg-sst5"))
    assert fact("photographs", "em-smallnorb").endswith(" of 20")
    assert "words that matter" in fact("badge", "dragg-reversed-sst5")
    with pytest.raises(ValueError, match="paper of dragg-imdb is not known"):
        fact("paper", "dragg-imdb")


def test_an_equation_is_mathml_and_code_stays():
    assert to_mathml("c_{ij}").startswith("<math")
    assert fill("`$PATH` costs $x$").startswith("`$PATH` costs <math")


def test_links_lead_to_pages_and_names_of_files():
    text = "[a](../core/README.md#edits), [b.py](../core/lab.py), [c](https://c.org), ![d](pictures/d.png)"
    rewritten = rewrite_links(text, PAGES["app"], lambda page: f"{page.address}.html")
    assert (
        rewritten
        == "[a](python.html#edits), `core/lab.py`, [c](https://c.org), ![d](pictures/dashboard-pictures-d.png)"
    )


def test_each_screen_has_a_page_and_its_heading():
    screens = {path.parent.name for path in (ROOT / "dashboard/pages").glob("*/page.py")}
    assert set(OF_SCREEN) == screens
    for target in OF_SCREEN.values():
        address, _, heading = target.partition("#")
        headings = re.findall(r"^#+ (.*)$", TEXTS[address], re.MULTILINE)
        assert not heading or heading in map(slug, headings), target
    assert link_of("an added page") == "docs/index.html"


def test_the_reference_has_signatures_and_arguments():
    text = reference()
    for name in ("explain", "explain_many", "cuts", "Client", "RoutingClassifier", "dynamic_routing", "EMRouting"):
        assert f"### {name}\n" in text
    assert "normalize: Literal['output', 'input'] = 'output'" in text
    assert "- `votes`: u\\_ij \\[b, i, j, h]" in text
    assert "\nanswer: str\n" in text  # a property
    assert "- `agreement`: v\\_j . u\\_ij, which" in text  # a field of a step
    assert "ClassVar" not in text


def test_the_changes_begin_with_this_version():
    assert re.findall(r"^## (\S+)[,\n]", TEXTS["changelog"], re.MULTILINE)[0] == __version__


def test_a_docstring_becomes_lists():
    docstring = "Add ``a``.\n\nArgs:\n    a, b: two numbers,\n        small.\n\nRaises:\n    ValueError: never.\n"
    expected = "Add `a`.\n\n\n**Args**\n\n- `a, b`: two numbers,\n    small.\n\n**Raises**\n\n- `ValueError`: never."
    assert as_markdown(docstring) == expected
