"""Pinned runs, with names and notes: kept in the session, saved to a file, and reopened in their pages."""

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
MAX_PINS = 200  # pinned runs per session
MAX_VALUES, MAX_VALUE = 100, MAX_LINK  # values of an address, and characters of one value
MAX_DIGITS = 4  # digits of a step in an address
MAX_NAME, MAX_NOTE = 120, 2000  # characters
MAX_FILE = 5 << 20  # bytes
TOO_MANY = f"{MAX_PINS} runs are pinned already. Remove some in Compare first."
TOO_LARGE = f"Pinned runs hold at most {MAX_FILE >> 20} MB with their texts. Remove some in Compare first."
LINK = "pin"  # entry of an address: number of the pinned run to open
NEW = "pinned since"  # key, in the session state: whether a text was pinned since Compare was last opened
ROW_LINK = "opened"  # entry of an address that opens a row of the page My texts
STEPS = ("t", "layer", "window")  # names of the scrubbers in addresses
NAMED = 28  # characters of the text in the name of a run


@dataclass(frozen=True)
class Pin:
    """A pinned run.

    Attributes:
        name, note: name and note by the user.
        page: folder of the page.
        model: name of the checkpoint.
        weights: sha256 of the checkpoint's weights when the run was pinned.
        text: text of the run; "" on a page of pictures.
        address: settings of the page, as in its address.
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
        """The edits that are switched on, in their form in the address."""
        return tuple(form for form in self.address.get("edit", ()) if not form.startswith(OFF))

    @property
    def step(self) -> int | None:
        """The iteration, layer or window that was shown; None if the last one was."""
        return step_of(self.address)

    @property
    def state(self) -> str:
        """The state of its checkpoint: "not here", "same" or "changed" (weights)."""
        if self.model not in checkpoints.known():
            return "not here"
        return "same" if checkpoints.about(self.model).sha256 == self.weights else "changed"


def step_of(address: Mapping[str, list[str]]) -> int | None:
    """The iteration, layer or window in an address; None if there is none."""
    values = (value for key in STEPS for value in address.get(key, ()))
    return next((int(v) for v in values if v.isascii() and v.isdecimal() and len(v) <= MAX_DIGITS), None)


def pins() -> list[Pin]:
    """The pinned runs of this session. Call ``keep`` to change them."""
    return st.session_state.get("pins", [])


def keep(changed: list[Pin]) -> None:
    """Replace the pinned runs by these, with unique names."""
    names = make_unique(pin.name for pin in changed)
    st.session_state["pins"] = [replace(pin, name=name) for pin, name in zip(changed, names, strict=True)]


def pin_run(page: str, model: str, text: str, address: str) -> None:
    """Pin the run on screen.

    Args:
        page: folder of the page.
        model: name of the checkpoint.
        text: text of the run; "" for pictures.
        address: query of the page's address.
    """
    settings = parse_qs(address.removeprefix("?")[:MAX_LINK], keep_blank_values=True)
    settings.pop("text", None)
    title = checkpoints.title(model)
    name = f"{quote(text, NAMED)} · {title.partition(' · ')[0]}" if text else title
    weights = checkpoints.about(model).sha256
    pin = Pin(name, "", page, model, weights, text, settings | {"checkpoint": [model]})
    n_edits = len(pin.edits)
    edited = f" · {n_edits} edit{'s' * (n_edits > 1)}" if n_edits else ""
    together = [*pins(), replace(pin, name=f"{name}{edited}")]
    if len(together) > MAX_PINS or len(to_json(together).encode()) > MAX_FILE:
        st.toast(TOO_MANY if len(together) > MAX_PINS else TOO_LARGE, icon=":material/warning:")
        return
    keep(together)
    st.session_state[NEW] = bool(text)
    then = "Open it in Compare." if text else "Compare lists it, and compares only texts."
    st.toast(f"Pinned ({len(pins())}). {then}", icon=":material/push_pin:")


def address_of(number: int) -> dict[str, list[str]]:
    """The address that reopens a pinned run in its page. number: index of the run."""
    return dict(pins()[number].address) | {LINK: [str(number)]}


def follow_link() -> None:
    """Restore the text of a pinned run or of a row of the page My texts, which the address cannot hold."""
    if st.query_params.get(ROW_LINK) and (text := st.session_state.get("opened row")):
        del st.query_params[ROW_LINK]
        st.session_state.typed, st.session_state.typed_by_user = text, True
        for key in ("edits", "word of"):  # edits of the text before, and that a word was chosen in it
            st.session_state.pop(key, None)
    if LINK not in st.query_params:
        return
    number, state = st.query_params[LINK], st.session_state
    del st.query_params[LINK]
    if number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS and int(number) < len(pins()):
        if text := pins()[int(number)].text:
            state.typed, state.typed_by_user = text, True
        state.pop("edits", None)


def to_json(kept: list[Pin]) -> str:
    """The content of a file with these runs."""
    return json.dumps({"format": FORMAT, "runs": [asdict(pin) for pin in kept]}, indent=1, ensure_ascii=False)


def from_json(content: bytes) -> list[Pin]:
    """Read the runs in a file that ``to_json`` wrote.

    Raises:
        ValueError: the file is not such a file, or one of its entries is not a run. The message is one sentence.
    """
    if len(content) > MAX_FILE:
        raise ValueError(f"The file has {len(content):,} bytes, wanted at most {MAX_FILE:,}.")
    try:
        stored = json.loads(content)
        json.dumps(stored, ensure_ascii=False).encode()  # fails for half a UTF-16 pair, which no screen can show
    except (ValueError, RecursionError):
        raise ValueError("The file is not JSON.") from None
    if not isinstance(stored, dict) or stored.get("format") != FORMAT or not isinstance(stored.get("runs"), list):
        raise ValueError("The file holds no pinned runs. Choose one that this page saved.")
    if len(stored["runs"]) > MAX_PINS:
        raise ValueError(f"The file holds {len(stored['runs']):,} runs, wanted at most {MAX_PINS}.")
    return [_read(entry, f"Run {k} in the file") for k, entry in enumerate(stored["runs"], 1)]


def _read(entry: Any, where: str) -> Pin:
    """Read a run in a file. where: start of the error message, which names the entry."""
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
    """Whether something from a file can be the values of an entry in an address."""
    return isinstance(values, list) and bool(values) and all(isinstance(v, str) and len(v) <= MAX_VALUE for v in values)
