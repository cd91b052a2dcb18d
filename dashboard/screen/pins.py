"""Runs that a user keeps: named and noted, in the session and in a file, opened again in their pages."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from core.sentences.words import quote
from dashboard.runs import checkpoints
from dashboard.screen.address import OFF
from dashboard.screen.inputs import MAX_LINK, MAX_PASTE
from dashboard.theme import make_unique, shorten

FORMAT = "routescope pins 1"
MAX_PINS = 200  # pinned runs of a session
MAX_VALUES, MAX_VALUE = 100, 2000  # of an address; characters of one value
MAX_DIGITS = 4  # digits
MAX_NAME, MAX_NOTE = 120, 2000  # characters
MAX_FILE = 5 << 20  # bytes
TOO_MANY = f"{MAX_PINS} runs are pinned already. Remove some on the page Compare first."
LINK = "pin"  # in an address: the number of the pinned run that it opens
ROW_LINK = "opened"  # in an address that opens the text of a row of the Corpus page
STEPS = ("t", "layer", "window")  # what the scrubbers are called in addresses
NAMED = 28  # characters of the text in a name


@dataclass(frozen=True)
class Pin:
    """A run that a user keeps.

    Attributes:
        name, note: the user's.
        page: its folder.
        model: name of the checkpoint.
        weights: sha256 of the checkpoint's weights when it was pinned.
        text: that was read; empty on a page of pictures.
        address: every setting of the page, as its address has them.
    """

    name: str
    note: str
    page: str
    model: str
    weights: str
    text: str
    address: Mapping[str, list[str]]

    @property
    def edits(self) -> tuple[str, ...]:
        """The edits that are switched on, as its address has them."""
        return tuple(form for form in self.address.get("edit", ()) if not form.startswith(OFF))

    @property
    def step(self) -> int | None:
        """The iteration, layer or window that was shown; None if the last one was."""
        return step_of(self.address)

    @property
    def state(self) -> str:
        """Whether its checkpoint is here, with the same weights, in words."""
        if self.model not in checkpoints.known():
            return "not here"
        return "same" if checkpoints.about(self.model).sha256 == self.weights else "changed"


def step_of(address: Mapping[str, list[str]]) -> int | None:
    """The iteration, layer or window in an address; None if there is none."""
    values = (value for key in STEPS for value in address.get(key, ()))
    return next((int(v) for v in values if v.isascii() and v.isdecimal() and len(v) <= MAX_DIGITS), None)


def pins() -> list[Pin]:
    """The runs that this session has pinned; to be changed through ``keep``."""
    return st.session_state.get("pins", [])


def keep(changed: list[Pin]) -> None:
    """Make these the pinned runs, each under a name of its own."""
    names = make_unique(pin.name for pin in changed)
    st.session_state["pins"] = [replace(pin, name=name) for pin, name in zip(changed, names, strict=True)]


def pin_run(page: str, model: str, text: str, address: str) -> None:
    """Pin the run on screen.

    Args:
        page: its folder.
        model: name of the checkpoint.
        text: that is read; empty for pictures.
        address: the query of the page's address.
    """
    settings = parse_qs(address.removeprefix("?")[:MAX_LINK], keep_blank_values=True)
    settings.pop("text", None)
    if len(pins()) >= MAX_PINS:
        st.toast(TOO_MANY, icon=":material/warning:")
        return
    name = f"{model}: {quote(text, NAMED)}" if text else model
    weights = checkpoints.about(model).sha256
    keep([*pins(), Pin(name, "", page, model, weights, text, settings | {"checkpoint": [model]})])
    n = len(pins())
    st.toast(f"Pinned. The page Compare lists {f'{n} runs' if n > 1 else 'it'}.", icon=":material/push_pin:")


def address_of(number: int) -> dict[str, list[str]]:
    """The address that opens a pinned run, from 0, again in its page."""
    return dict(pins()[number].address) | {LINK: [str(number)]}


def follow_link() -> None:
    """Bring the text, which the address cannot hold, if it is that of a pinned run or of a row of the Corpus page."""
    if st.query_params.get(ROW_LINK) and (text := st.session_state.get("opened row")):
        del st.query_params[ROW_LINK]
        st.session_state.typed, st.session_state.typed_by_user = text, True
    if LINK not in st.query_params:
        return
    number, state = st.query_params[LINK], st.session_state
    del st.query_params[LINK]
    if number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS and int(number) < len(pins()):
        if text := pins()[int(number)].text:
            state.typed, state.typed_by_user = text, True
        state.pop("edits", None)


def to_json(kept: list[Pin]) -> str:
    """The runs as a file."""
    return json.dumps({"format": FORMAT, "runs": [asdict(pin) for pin in kept]}, indent=1, ensure_ascii=False)


def from_json(content: bytes) -> list[Pin]:
    """The runs in a file that ``to_json`` wrote.

    Raises:
        ValueError: one sentence; the file is another one, or one of its entries is none of a run.
    """
    if len(content) > MAX_FILE:
        raise ValueError(f"The file has {len(content):,} bytes, wanted at most {MAX_FILE:,}.")
    try:
        stored = json.loads(content)
        json.dumps(stored, ensure_ascii=False).encode()  # half of a UTF-16 pair is no text that a screen takes
    except (ValueError, RecursionError):
        raise ValueError("The file is not JSON.") from None
    if not isinstance(stored, dict) or stored.get("format") != FORMAT or not isinstance(stored.get("runs"), list):
        raise ValueError("The file holds no pinned runs. Choose one that this page saved.")
    if len(stored["runs"]) > MAX_PINS:
        raise ValueError(f"The file holds {len(stored['runs']):,} runs, wanted at most {MAX_PINS}.")
    return [_read(entry, f"Run {k} in the file") for k, entry in enumerate(stored["runs"], 1)]


def _read(entry: Any, where: str) -> Pin:
    names = [f.name for f in fields(Pin)]
    if not isinstance(entry, dict) or set(entry) != set(names):
        raise ValueError(f"{where} has other entries than {', '.join(names)}.")
    texts = {name: entry[name] for name in names if name != "address"}
    if wrong := next((name for name, value in texts.items() if not isinstance(value, str)), None):
        raise ValueError(f"{where}: {wrong} is not text.")
    if entry["page"] not in checkpoints.pages_of_runs():
        raise ValueError(f"{where}: there is no page {shorten(entry['page'], 40)!r}.")
    address = entry["address"]
    if not isinstance(address, dict) or not all(_are_values(values) for values in address.values()):
        raise ValueError(f"{where}: address holds something other than lists of texts.")
    if sum(map(len, address.values())) > MAX_VALUES or len(entry["text"]) > MAX_PASTE:
        raise ValueError(f"{where} is longer than a run can be.")
    pin = Pin(**texts, address=address)
    return replace(pin, name=pin.name[:MAX_NAME], note=pin.note[:MAX_NOTE])


def _are_values(values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(v, str) and len(v) <= MAX_VALUE for v in values)
