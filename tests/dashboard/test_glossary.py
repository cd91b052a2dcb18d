"""The words of routing are explained where they stand, in a few plain words each."""

import pytest

from dashboard.screen.glossary import GLOSSARY, ON_PAGES
from dashboard.screen.links import PAGES


@pytest.mark.parametrize("name", GLOSSARY)
def test_every_explanation_is_short_and_ends(name):
    assert len(GLOSSARY[name].says.split()) <= 30
    assert GLOSSARY[name].says.endswith(".")


def test_the_words_of_every_page_are_explained():
    assert {name for names in ON_PAGES.values() for name in names} <= GLOSSARY.keys()
    assert all((PAGES / folder / "page.py").is_file() for folder in ON_PAGES)
