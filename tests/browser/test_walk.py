"""A walk over every page: actions drawn at random with hostile inputs. Nothing fails, and the server's log stays empty.

Most actions go through Streamlit's API for programs, which lists what a page lets its user do. Clicks on cells, uploads
and tables that can be edited are not among that, and go through the browser. Seeds are fixed.
"""

import json
import os
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict

import pytest
from playwright.sync_api import Page

from dashboard.shared.pins import FORMAT, Pin
from tests.browser import server

LENGTHS = [(54, 6), pytest.param((850, 150), marks=pytest.mark.walk)]  # actions through each of the two doors
HOSTILE = [
    "",
    " \t\n",
    "a\0b",
    "never good " * 150,  # 300 words
    "x" * 20_000,
    "שלום مرحبا \u202e abc",
    "ሀለሐ 𐎠𐎡 ꦲꦏ 💥👩‍👩‍👧",
    "<b>b</b> <script>alert(1)</script> **x** [a](javascript:alert(1)) $x^2$ :red[x] {unit} %s",
    "1e309",
    "A warm, funny and deeply moving film.",
    "embed=true&EMBED_OPTIONS=x",
]
EDITS = ["drop:0", "capsule:1", "couple:3,1=0.5", "replace:2=<b>", "couplings:uniform", "sharpness:1e9", "drop:99999"]
IN_ADDRESS = (
    "open",
    "checkpoint",
    "text",
    "iterations",
    "t",
    "edit",
    "tab",
    "word",
    "capsule",
    "part",
    "scene",
    "parts",
    "toy",
)
FETCHES = ("Fetch", "Download")  # how buttons begin that need the network
PIN = Pin("<b>", "", "routing", "dragg-sst5", "", HOSTILE[7], {"t": ["2"], "edit": EDITS})
FILES = {
    "empty.csv": b"",
    "<b>.csv": b'text,label\n"unclosed,<script>\n',
    "rows.csv": b"text,label\n<b>good</b>,positive\n\0,x\n",
    "noise.png": random.Random(0).randbytes(500),
    "no.zip": b"PK\x03\x04" + bytes(40),
    "wrong.json": b'[{"name": "<b>", "page": 3}]',
    "pins.json": json.dumps({"format": FORMAT, "runs": [asdict(PIN)]}).encode(),
}
UPLOAD, TABLE = "[data-testid=stFileUploader] input[type=file]", "[data-testid=stDataFrame] canvas"
ADDRESSES = [
    *("", "kmeans", "sentiment_capsules", "agt", "drnn", "smallnorb", "evidence", "ledger", "lab"),
    *("smallnorb?source=Your+pictures", "corpus?texts=Your+file", "models", "compare"),
]


@pytest.fixture
def address(tmp_path):
    """A dashboard of this test's own, which serves programs too and has none of the user's checkpoints."""
    own = {"ROUTESCOPE_MODELS": str(tmp_path), "STREAMLIT_SERVER_ENABLE_AGENT_API": "true"}
    own |= {"STREAMLIT_SERVER_AGENT_WAIT_TIMEOUT": "300", "STREAMLIT_SERVER_ADDRESS": "localhost"}
    with server.dashboard(env=os.environ | own, is_quiet=True) as running:
        yield running.url


def act(address: str, **request: object) -> dict:
    """Do something, and return the screen that follows."""
    body = json.dumps(request).encode()
    there = urllib.request.Request(f"{address}/_stcore/agent/interact", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(there) as answer:
            screen = json.load(answer)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{request}: {error.read().decode()}") from None
    problems = [node for node in elements(screen["tree"]) if node["type"] == "exception"]
    assert screen["status"] == "ready", f"{request}: {problems}"
    return screen


def elements(tree: object) -> Iterator[dict]:
    """Every element of a screen."""
    if isinstance(tree, dict):
        yield from [tree] if "type" in tree else []
    for part in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from elements(part)


def value_for(element: dict, draw: random.Random) -> object:
    """A value that a user could give the element."""
    props, kind = element["props"], element["value_schema"]["type"]
    options = props.get("options") or props.get("tabs") or []
    if props.get("accept_new_options") and draw.random() < 0.5:
        options = [*HOSTILE[2:], *EDITS]
    if kind == "array":
        return draw.sample(options, min(2, len(options)))
    if kind == "boolean":
        return draw.random() < 0.5
    if kind in ("number", "integer"):
        low, high = (props.get(end, sign * 1e6) for end, sign in (("min_value", -1), ("max_value", 1)))
        value = draw.choice([low, high, draw.uniform(low, high)])
        return int(value) if kind == "integer" else value
    return draw.choice(options or HOSTILE)


def random_action(screen: dict, pages: list[str], draw: random.Random) -> dict:
    """Another page, an address, a press of a button or a value of an input, as the API takes them."""
    actions = [one for one in screen["actions"] if not one.get("label", "").startswith(FETCHES)]
    if not actions or draw.random() < 0.12:
        names = draw.sample(IN_ADDRESS, 4) if draw.random() < 0.3 else ()
        return {"page": draw.choice(pages), "query_params": {name: [draw.choice(HOSTILE)[:500]] for name in names}}
    action = draw.choice(actions)
    if action["kind"] == "trigger":
        return {"trigger": {"key": action["key"]}}
    element = next(one for one in elements(screen["tree"]) if one.get("key") == action["key"])
    return {"widget_state": {action["key"]: value_for(element, draw)}}


@pytest.mark.parametrize("length", LENGTHS)
def test_nothing_fails_on_a_walk(address, chromium, length):
    by_program, by_hand = length
    draw = random.Random(by_program)
    screen = act(address)
    pages, session = [page["url_path"] for page in screen["pages"]], screen["session_id"]
    for _ in range(by_program):
        screen = act(address, session_id=session, **random_action(screen, pages, draw))
    walk_by_hand(chromium.new_page(), address, by_hand, draw)


def walk_by_hand(page: Page, address: str, n: int, draw: random.Random) -> None:
    """Clicks on cells, uploads, and words typed into tables."""
    failures = []
    page.on("pageerror", lambda error: failures.append(error))
    for k in range(n):
        if k % 4 == 0:
            page.goto(f"{address}/{draw.choice(ADDRESSES)}")
            server.rested(page)
        found = {what: page.locator(what).all() for what in (server.CELLS, UPLOAD, TABLE)}
        what = draw.choice([what for what in found if found[what]] or [None])
        if what == UPLOAD:
            name, content = draw.choice(list(FILES.items()))
            found[what][0].set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
        elif what == TABLE:
            found[what][0].click(position={"x": 60, "y": 45}, force=True)
            page.keyboard.type("<b>\n")
        elif what:
            draw.choice(found[what]).click(force=True)
        server.rested(page)
        assert not failures
        assert not page.locator("[data-testid=stException]").count()
