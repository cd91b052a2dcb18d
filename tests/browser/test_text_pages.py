"""Checks of every page that reads a text."""

import pytest
from playwright.sync_api import expect

from core.measured import store
from tests.browser.acts import check_accessible, check_downloads, check_never_markup, check_phone_width, type_text
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser
COMPARED = {  # how the downloads of the shipped tables begin
    f"CSV, {title}": "corpus,aggregation"
    for title, sweep in {"table 3": "aggregation", "figure 2": "iterations"}.items()
    if (store.SWEEPS / f"{sweep}.parquet").is_file()
}
FILES = {  # how downloads begin that every page has
    "SVG": "<svg",
    "PDF": "%PDF",
    "PNG, 300 dpi": "",
    "HTML": "<!DOCTYPE html>",
    "JSON": '{"model": "',
    "npz": "PK",
    "Notebook": '{\n "cells": [',
}
PAGES = {  # how the downloads of a page begin, by address
    "/routing?tab=Measured": {"CSV, cells": "iteration,position,word", "CSV, iterations": "iteration,P(very negative)"}
    | COMPARED,
    "/routing?checkpoint=dragg-imdb": {
        "CSV, cells": "iteration,sentence,text",
        "CSV, sentences": "sentence,text,log-odds",
        "CSV, words": "iteration,position,word",
    },
    "/kmeans?tab=Measured": {
        "CSV, cells": "iteration,feature,feature name,class",
        "CSV, iterations": "iteration,|v| of World",
        "CSV, contributions": "word,feature 1",
        "CSV, tables 4 to 6": "corpus,embedding,routing,loss,seed",
    },
    "/sentiment_capsules": {"CSV, credit": "iteration,position,word,class"},
    "/agt?tab=Measured": {
        "CSV, attention": "layer,layer name,position,word",
        "CSV, gates": "layer,layer name,component,T",
        "CSV, ablation": "attending,seed,dev,tested_on,test,paper",
    },
    "/drnn": {
        "CSV, windows": "window,P(World),P(Sports)",
        "CSV, positions": "window,position,word,components won",
    },
}
# Pages of slow tests: their charts are also on other pages, or in a test of their own.
SLOW = ("/routing?checkpoint=dragg-imdb", "/kmeans?tab=Measured", "/sentiment_capsules", "/drnn", "/agt?tab=Measured")


@pytest.mark.parametrize("path", [pytest.param(path, marks=pytest.mark.slow if path in SLOW else ()) for path in PAGES])
def test_a_page_is_downloaded_and_used_by_everybody(open_page, path, tmp_path):
    page = open_page(path)
    check_downloads(page, tmp_path, PAGES[path] | FILES)
    check_never_markup(page)
    type_text(page, "Shares. " * 30)  # so long that a chart scrolls
    expect(page.locator(".stVegaLiteChart svg text", has_text="Shares").first).to_be_attached()
    wait_until_rested(page)
    check_accessible(page)
    check_phone_width(page)
