"""A visitor who gives hostile values to the inputs on the screen, one after another, at random."""

import random
from typing import Any
from urllib.parse import quote

from streamlit.proto.Common_pb2 import DoubleArray, StringArray
from streamlit.proto.Delta_pb2 import Delta

from tests.benchmarks.visitor import Input, Visitor
from tests.hostile_texts import EDITS, FETCHES, FILES, HOSTILE, IN_ADDRESS

ROWS = ('{"selection": {"rows": [0], "columns": [], "cells": []}}', '{"selection": {"rows": []}}')
# Probabilities of another page, of a fragment that runs again by its clock, and of an option that no menu has.
PAGE, REPEAT, UNKNOWN = 0.12, 0.1, 0.1


class Wanderer(Visitor):
    """A visitor who acts at random.

    Attributes:
        done: actions so far, in words.
    """

    def __init__(self, url: str, seed: int):
        super().__init__(url, "", "")
        self.done: list[str] = []
        self._draw = random.Random(seed)
        self._tabs: list[str] = []

    async def act(self) -> None:
        """Do one thing at random, and wait for the screen that follows. Errors are those of ``Visitor``."""
        draw = self._draw
        offered = [(id, shown) for id, shown in self.inputs.items() if _is_offered(shown)]
        if not offered or draw.random() < PAGE:
            await self._leave()
        elif self.repeats and draw.random() < REPEAT:
            self.done.append("wait")
            await self.repeat(draw.choice(self.repeats))
        else:
            id, shown = draw.choice(offered)
            await self._change(id, shown)

    async def _leave(self) -> None:
        """Open another page, sometimes with hostile values in its address."""
        draw = self._draw
        names = draw.sample(IN_ADDRESS, 4) if draw.random() < 0.3 else ()
        query = "&".join(f"{name}={quote(draw.choice([*HOSTILE, *EDITS])[:500])}" for name in names)
        page = draw.choice(self.pages or [""])
        self.done.append(f"open {page}?{query}")
        await self.go_to(page, query)

    async def _change(self, id: str, shown: Input) -> None:
        """Upload a file to an input, or give it a value."""
        if shown.kind == "file_uploader":
            name, content = self._draw.choice(list(FILES.items()))
            self.done.append(f"upload {name}")
            await self.upload(id, (name, content), fragment=shown.fragment)
            return
        value = VALUES[shown.kind](self, shown.proto)
        self.done.append(f"{getattr(shown.proto, 'label', '') or shown.kind}: {str(value)[:200]}")
        await self.set(id, shown.fragment, **value)

    def _take(self, delta: Delta) -> None:
        """Record a change of the screen, with the names of its tabs."""
        super()._take(delta)
        if delta.WhichOneof("type") == "add_block" and delta.add_block.WhichOneof("type") == "tab":
            self._tabs.append(delta.add_block.tab.label)

    # Each of these functions draws a value for an input, as a field of ``WidgetState``.

    def text(self, proto: Any) -> dict[str, Any]:
        return {"string_value": self._draw.choice(HOSTILE)}

    def option(self, proto: Any) -> dict[str, Any]:
        return {"string_value": self._draw.choice(self._options(proto))}

    def options(self, proto: Any) -> dict[str, Any]:
        options = self._options(proto)
        return {"string_array_value": StringArray(data=self._draw.sample(options, min(2, len(options))))}

    def group_option(self, proto: Any) -> dict[str, Any]:
        names = [option.content for option in proto.options] + [""]
        chosen = self._draw.choice(names)
        return {"string_array_value": StringArray(data=[chosen] if chosen else [])}

    def position(self, proto: Any) -> dict[str, Any]:
        if proto.options:
            return {"string_array_value": StringArray(data=[self._draw.choice(proto.options)])}
        return {"double_array_value": DoubleArray(data=[self._number(proto.min, proto.max, proto.step)])}

    def number(self, proto: Any) -> dict[str, Any]:
        low = proto.min if proto.has_min else -1e6
        return {"double_value": self._number(low, proto.max if proto.has_max else 1e6, proto.step)}

    def tick(self, proto: Any) -> dict[str, Any]:
        return {"bool_value": self._draw.random() < 0.5}

    def press(self, proto: Any) -> dict[str, Any]:
        return {"trigger_value": True}

    def tab(self, proto: Any) -> dict[str, Any]:
        return {"string_value": self._draw.choice(self._tabs)}

    def row(self, proto: Any) -> dict[str, Any]:
        return {"string_value": self._draw.choice(ROWS)}

    def _options(self, proto: Any) -> list[str]:
        """The options of a menu, with hostile ones if it takes new options, and sometimes if it does not."""
        options = list(proto.options)
        if not options or getattr(proto, "accept_new_options", False) or self._draw.random() < UNKNOWN:
            options = [*options, *HOSTILE, *EDITS]
        return options

    def _number(self, low: float, high: float, step: float) -> float:
        """A number between two limits, often one of them; a whole number if the step is whole."""
        value = self._draw.choice([low, high, self._draw.uniform(low, high)])
        return float(round(value)) if step == round(step) else value


VALUES = {  # functions that draw a value, by the kind of Streamlit input
    "text_area": Wanderer.text,
    "text_input": Wanderer.text,
    "selectbox": Wanderer.option,
    "radio": Wanderer.option,
    "multiselect": Wanderer.options,
    "button_group": Wanderer.group_option,
    "slider": Wanderer.position,
    "number_input": Wanderer.number,
    "checkbox": Wanderer.tick,
    "popover": Wanderer.tick,
    "button": Wanderer.press,
    "download_button": Wanderer.press,
    "tab_container": Wanderer.tab,
    "dataframe": Wanderer.row,
}


def _is_offered(shown: Input) -> bool:
    """Whether a user can change the input, and the change fetches nothing from the network."""
    if getattr(shown.proto, "disabled", False) or getattr(shown.proto, "label", "").startswith(FETCHES):
        return False
    if shown.kind == "dataframe":
        return bool(shown.proto.selection_mode)
    return shown.kind == "file_uploader" or shown.kind in VALUES
