"""Networks have names in plain words, and two networks never share one."""

from dataclasses import replace

from core import manifest
from core.titles import titles_of
from core.trace import Trace

TITLES = {
    "agt-sst5": "Attention by layer (AGT) · film sentences, 5 classes",
    "agt-taught-sst5": "Attention by layer (AGT), usual start · film sentences, 5 classes",
    "cccaps-ag": "k-means routing · news, 4 topics",
    "cccaps-dynamic-ag": "Dynamic routing in the k-means network · news, 4 topics",
    "cccaps-dynamic-imdb": "Dynamic routing in the k-means network · film reviews, 2 classes",
    "cccaps-imdb": "k-means routing · film reviews, 2 classes",
    "dragg-flat-imdb": "Standard dynamic routing · film reviews, 2 classes",
    "dragg-imdb": "Standard dynamic routing in two levels · film reviews, 2 classes",
    "dragg-reversed-sst5": "Reversed dynamic routing · film sentences, 5 classes",
    "dragg-sst2": "Standard dynamic routing · film sentences, 2 classes",
    "dragg-sst5": "Standard dynamic routing · film sentences, 5 classes",
    "dragg-three-sst5": "Standard dynamic routing to 3 capsules · film sentences, 5 classes",
    "drnn-ag": "Windows (DRNN) · news, 4 topics",
    "drnn-imdb": "Windows (DRNN) · film reviews, 2 classes",
    "em-lm-sst2": "EM routing over SmolLM2 · film sentences, 2 classes",
    "em-lm-sst5": "EM routing over SmolLM2 · film sentences, 5 classes",
    "em-smallnorb": "EM routing · pictures of toys, 5 kinds",
    "em-smallnorb-views": "EM routing, poses that turn with the toy · pictures of toys, 5 kinds",
    "em-sst2": "EM routing · film sentences, 2 classes",
    "em-sst5": "EM routing · film sentences, 5 classes",
}


def shipped():
    return {name: about for name, about in manifest.survey()[0].items() if (manifest.PRETRAINED / name).exists()}


def test_every_shipped_network_has_a_title_in_plain_words():
    assert {name: about.title for name, about in shipped().items()} == TITLES
    assert titles_of(shipped()) == TITLES


def test_networks_with_one_title_are_told_apart():
    about = shipped()
    heads = {
        "mine": replace(about["em-sst5"], name="mine", reader={"backbone": "gpt2"}),
        "copy": replace(about["em-sst5"], name="copy"),
        "wide": replace(about["dragg-sst5"], name="wide", model={**about["dragg-sst5"].model, "n_iters": 5}),
        "windows": replace(about["drnn-ag"], name="windows", model={**about["drnn-ag"].model, "window": 3}),
    }
    titles = titles_of(about | heads)
    assert titles["mine"] == "EM routing · film sentences, 5 classes, over gpt2"
    assert titles["em-sst5"] == "EM routing · film sentences, 5 classes, over all-MiniLM-L6-v2"
    assert titles["copy"] == f"{titles['em-sst5']}, folder copy"
    assert titles["wide"] == "Standard dynamic routing · film sentences, 5 classes, 5 iterations"
    assert titles["windows"] == "Windows (DRNN) · news, 4 topics, 3 words at a time"
    assert titles["cccaps-ag"] == TITLES["cccaps-ag"]
    assert len(set(titles.values())) == len(titles)


class OwnTrace(Trace):
    kind = "my-own"


def test_what_nothing_describes_has_a_title_too():
    assert OwnTrace.title_of({}, "") == "My own"
    about = replace(shipped()["dragg-sst5"], corpus="my_own_texts" + "x" * 99)
    assert about.title == f"Standard dynamic routing · my own texts{'x' * 28}, 5 classes"
