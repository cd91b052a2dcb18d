"""What holds of every page that reads a text."""

import pytest
from playwright.sync_api import expect

from core.measured import store
from tests.browser.acts import check_accessible, check_downloads, check_never_markup, check_phone_width, type_text
from tests.browser.server import rested

pytestmark = pytest.mark.browser
COMPARED = {
    f"CSV, {title}": "corpus,aggregation"
    for title, sweep in {"table 3": "aggregation", "figure 2": "iterations"}.items()
    if (store.SWEEPS / f"{sweep}.parquet").is_file()
}
FILES = {
    "SVG": "<svg",
    "PDF": "%PDF",
    "PNG, 300 dpi": "",
    "HTML": "<!DOCTYPE html>",
    "JSON": '{"model": "',
    "npz": "PK",
    "Notebook": '{\n "cells": [',
}
PAGES = {  # address: how each download begins
    "/?tab=Measured": {"CSV, cells": "iteration,position,word", "CSV, iterations": "iteration,P(very negative)"}
    | COMPARED,
    "/?checkpoint=dragg-imdb": {
        "CSV, cells": "iteration,sentence,text",
        "CSV, sentences": "sentence,text,log-odds",
        "CSV, words": "iteration,position,word",
    },
    "/kmeans?tab=Measured": {
        "CSV, cells": "iteration,feature,class",
        "CSV, iterations": "iteration,|v| of World",
        "CSV, contributions": "word,feature 1",
        "CSV, tables 4 to 6": "corpus,embedding,routing,loss,seed",
    },
    "/sentiment_capsules": {"CSV, credit": "iteration,position,word,class"},
    "/agt?tab=Measured": {
        "CSV, attention": "layer,position,word,attention",
        "CSV, gates": "layer,component,T",
        "CSV, ablation": "attending,seed,dev,tested_on,test,paper",
    },
    "/drnn": {
        "CSV, windows": "window,P(World),P(Sports)",
        "CSV, positions": "window,position,word,components won",
    },
}


@pytest.fixture(params=PAGES)
def path(request):
    return request.param


def test_typed_text_is_never_markup(open_page, path):
    check_never_markup(open_page(path))


def open_long(open_page, path):
    """The page with a text so long that a chart scrolls, drawn."""
    page = open_page(path)
    type_text(page, "Shares. " * 30)
    expect(page.locator(".stVegaLiteChart svg text", has_text="Shares").first).to_be_attached()
    rested(page)
    return page


def test_downloads(open_page, path, tmp_path):
    beginnings = PAGES[path] | FILES
    check_downloads(open_page(path), tmp_path, beginnings)


def test_everybody_can_use_it_and_on_a_phone_the_charts_scroll_and_not_the_page(open_page, path):
    page = open_long(open_page, path)
    check_accessible(page)
    check_phone_width(page)
