"""A client of a running dashboard: its answers are those of ``core.explain`` and ``core.cuts``, without PyTorch."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from http.client import HTTPException, HTTPResponse
from typing import Any, Literal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.edits import Edit
from core.trace import Origin, Trace

MAX_TEXTS, MAX_CHARACTERS = 500, 80_000  # texts that are sent in one request, and their length together
BUSY = (429, 503)  # statuses of a server that wants to be asked later
PAUSE = 1.0  # seconds until the next try if the server does not say how many


class Client:
    """A server's networks.

    Args:
        url: address of the dashboard, such as "http://localhost:8501".
        patience: seconds to wait for each answer, and for a server that is busy.

    Raises:
        ValueError: the address does not begin with http:// or https://.
    """

    def __init__(self, url: str, patience: float = 60.0):
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"url is {url!r}, wanted http:// or https://, such as http://localhost:8501")
        self.url, self.patience = url.rstrip("/"), patience

    def models(self) -> list[dict[str, Any]]:
        """The name, task, classes, accuracy, hash of the weights, badge and control of each of the server's networks.

        Raises:
            RuntimeError: as in ``explain``.
        """
        return self._read("models", "models")

    def explain(self, network: str, text: str, n_iters: int | None = None, edits: Sequence[Edit | str] = ()) -> Trace:
        """The trace of a text, as ``core.explain`` returns it.

        Args:
            network: name of the network.
            text, n_iters, edits: as in ``core.explain``.

        Raises:
            ValueError: the server refuses the request; its sentence says why.
            RuntimeError: there is no such server, or it does not answer as it should.
        """
        trace = Trace.from_stored(self._read("trace", "explain", _request(network, n_iters, edits, text=text)))
        return trace.with_origin(Origin(text, lambda: partial(self.explain, network, text, n_iters)))

    def explain_many(
        self, network: str, texts: Iterable[str], n_iters: int | None = None, edits: Sequence[Edit | str] = ()
    ) -> Iterator[Trace | ValueError]:
        """Yield the trace of each text, in order, or the error of its run, as ``core.explain_many`` does.

        Args:
            network, n_iters, edits: as in ``explain``.
            texts: texts.

        Raises:
            TypeError: texts is one text.
            ValueError, RuntimeError: as in ``explain``.
        """
        if isinstance(texts, str):
            raise TypeError("explain_many takes a list of texts, wanted explain for one")
        for some in _in_requests(texts):
            with self._ask("batch", _request(network, n_iters, edits, texts=some, traces=True)) as lines:
                for _ in range(1 + len(some)):
                    result = _parse(lines.readline, self.url)
                    if "about" not in result:  # which the first line has
                        yield ValueError(result["error"]) if "error" in result else Trace.from_stored(result["trace"])

    def cuts(
        self,
        network: str,
        text: str,
        n_iters: int | None = None,
        edits: Sequence[Edit | str] = (),
        *,
        by: Literal["cell", "input", "capsule"] = "cell",
        routing: int | None = None,
    ) -> Float[ndarray, "i j k"]:
        """The fall of each class's log-odds without each coupling, as ``core.cuts`` returns it.

        Args:
            network, text, n_iters, edits: as in ``explain``.
            by, routing: as in ``core.cuts``.

        Raises:
            ValueError, RuntimeError: as in ``explain``.
        """
        request = _request(network, n_iters, edits, text=text, by=by, routing=routing)
        return np.asarray(self._read("cuts", "cuts", request), np.float32)

    def _read(self, entry: str, route: str, request: dict[str, Any] | None = None) -> Any:
        """An entry of the server's answer."""
        with self._ask(route, request) as answer:
            return _parse(answer.read, self.url).get(entry)

    def _ask(self, route: str, request: dict[str, Any] | None = None) -> HTTPResponse:
        """The server's answer. While the server is busy, ask again when it says."""
        content = None if request is None else json.dumps(request).encode()
        asked = Request(f"{self.url}/api/{route}", content, {"Content-Type": "application/json"})
        end = time.monotonic() + self.patience
        while True:
            try:
                return urlopen(asked, timeout=self.patience)
            except HTTPError as error:
                pause = _seconds(error.headers.get("Retry-After"))
                if error.code not in BUSY or time.monotonic() + pause > end:
                    raise _refusal(error) from None
            except (OSError, HTTPException) as error:
                raise RuntimeError(f"There is no answer from {self.url}: {error}") from None
            time.sleep(pause)


def _in_requests(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield the texts of one request at a time."""
    some: list[str] = []
    length = 0
    for text in texts:
        if some and (len(some) == MAX_TEXTS or length + len(text) > MAX_CHARACTERS):
            yield some
            some, length = [], 0
        some.append(text)
        length += len(text)
    if some:
        yield some


def _parse(read: Callable[[], bytes], url: str) -> dict[str, Any]:
    """The JSON object that ``read`` reads; RuntimeError if there is none."""
    try:
        parsed = json.loads(read())
    except (OSError, HTTPException, ValueError) as error:
        raise RuntimeError(f"{url} does not answer as a dashboard: {error}") from None
    if not isinstance(parsed, dict):
        raise RuntimeError(f"{url} does not answer as a dashboard.")
    return parsed


def _request(network: str, n_iters: int | None, edits: Sequence[Edit | str], **others: Any) -> dict[str, Any]:
    asked = {"network": network, "iterations": n_iters, "edits": list(map(str, edits)), **others}
    return {name: value for name, value in asked.items() if value is not None}


def _seconds(stated: str | None) -> float:
    """The seconds that a header states."""
    return float(stated) if stated and stated.isdecimal() else PAUSE


def _refusal(error: HTTPError) -> ValueError | RuntimeError:
    """The error to raise for a refused request: ValueError only if the request is at fault."""
    try:
        sentence = str(json.load(error)["error"])
    except (ValueError, KeyError, TypeError):
        return RuntimeError(f"The server answered with status {error.code}.")
    return (RuntimeError if error.code >= 500 or error.code in BUSY else ValueError)(sentence)
