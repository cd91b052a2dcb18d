"""A walk over every page, with random actions and hostile inputs: nothing fails, and the server's log stays empty.

Most actions go through Streamlit's API for programs, which lists the actions that a page offers. Clicks on cells,
uploads and edits of tables are not in that list, and go through the browser. Seeds are fixed.
"""

import json
import os
import random
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser import server
from tests.hostile_texts import EDITS, FETCHES, FILES, HOSTILE, IN_ADDRESS

LENGTHS = [(54, 6), pytest.param((850, 150), marks=pytest.mark.walk)]  # actions through the API and in the browser
UPLOAD, TABLE = "[data-testid=stFileUploader] input[type=file]", "[data-testid=stDataFrame] canvas"
ADDRESSES = [
    *("", "routing", "kmeans", "sentiment_capsules", "agt", "drnn", "smallnorb", "evidence", "ledger", "lab", "units"),
    *("smallnorb?source=Your+pictures", "corpus?texts=Your+file", "models", "compare"),
]


@pytest.fixture
def address(tmp_path):
    """The address of a dashboard that serves programs too, and has none of the user's checkpoints."""
    own = {"ROUTESCOPE_MODELS": str(tmp_path), "STREAMLIT_SERVER_ENABLE_AGENT_API": "true"}
    own |= {"STREAMLIT_SERVER_AGENT_WAIT_TIMEOUT": "300", "STREAMLIT_SERVER_ADDRESS": "localhost"}
    with server.dashboard(env=os.environ | own, is_quiet=True) as running:
        yield running.url


def act(address: str, **request: object) -> dict:
    """Send an action to Streamlit's API, and return the screen that follows."""
    body = json.dumps(request).encode()
    interaction = urllib.request.Request(
        f"{address}/_stcore/agent/interact", body, {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(interaction) as answer:
            screen = json.load(answer)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{request}: {error.read().decode()}") from None
    problems = [node for node in elements(screen["tree"]) if node["type"] == "exception"]
    assert screen["status"] == "ready", f"{request}: {problems}"
    return screen


def elements(tree: object) -> Iterator[dict]:
    """Every element of a screen."""
    parts = tree if isinstance(tree, list) else ()
    if isinstance(tree, dict):
        if "type" in tree:
            yield tree
        parts = tree.values()
    for part in parts:
        yield from elements(part)


def value_for(element: dict, draw: random.Random) -> object:
    """A value that a user could give the element."""
    props, kind = element["props"], element["value_schema"]["type"]
    options = props.get("options") or props.get("tabs") or []
    if props.get("accept_new_options") and draw.random() < 0.5:
        options = [*HOSTILE[2:], *EDITS]  # without the two blank texts
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
    """A random change of page and address, press of a button, or value of an input, as the API takes them."""
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
    """Click on cells, upload files, and type into tables, ``n`` times at random."""
    failures = []
    page.on("pageerror", lambda error: failures.append(error))
    for k in range(n):
        if k % 4 == 0:
            page.goto(f"{address}/{draw.choice(ADDRESSES)}")
            server.wait_until_rested(page)
        found = {selector: page.locator(selector).all() for selector in (server.CELLS, UPLOAD, TABLE)}
        selector = draw.choice([selector for selector in found if found[selector]] or [None])
        if selector == UPLOAD:
            name, content = draw.choice(list(FILES.items()))
            found[selector][0].set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
        elif selector == TABLE:
            found[selector][0].click(position={"x": 60, "y": 45}, force=True)
            page.keyboard.type("<b>\n")
        elif selector:
            draw.choice(found[selector]).click(force=True)
        server.wait_until_rested(page)
        assert not failures
        assert not page.locator("[data-testid=stException]").count()
