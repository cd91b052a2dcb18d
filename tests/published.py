"""A file like those that the author of EM routing published, with random weights, on a local server."""

import dataclasses
import hashlib
import io
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import torch

from core import manifest
from core.datasets.corpus import File
from core.zoo import heinsen


class _Silent(SimpleHTTPRequestHandler):
    """A handler of requests that serves files and logs nothing."""

    def log_message(self, *arguments):
        pass


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve the files of a folder, and yield its address."""
    server = ThreadingHTTPServer(("localhost", 0), partial(_Silent, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def publish(folder: Path, monkeypatch: pytest.MonkeyPatch, key: str = "smallnorb") -> Path:
    """Write random weights with the author's names, register them as published, and return the path of the file."""
    published = heinsen.PUBLISHED[key]
    torch.manual_seed(0)
    their_prefixes = {ours: theirs for theirs, ours in heinsen.OURS.items()}

    def rename(name: str) -> str:
        """The author's name of a tensor."""
        prefix = next((prefix for prefix in their_prefixes if name.startswith(prefix)), "")
        return their_prefixes.get(prefix, "") + name[len(prefix) :]

    content = io.BytesIO()
    torch.save({rename(name): tensor for name, tensor in published.model().state_dict().items()}, content)
    file = File(len(content.getvalue()), hashlib.sha256(content.getvalue()).hexdigest())
    fake = dataclasses.replace(published, file=file)
    monkeypatch.setitem(heinsen.PUBLISHED, key, fake)
    monkeypatch.setitem(heinsen.BY_SHA256, file.sha256, fake)
    folder.mkdir(exist_ok=True)
    (folder / published.name).write_bytes(content.getvalue())
    # The hash of the weights is known only after they have been imported once.
    with tempfile.TemporaryDirectory() as scratch:
        heinsen.import_heinsen(folder / published.name, Path(scratch) / "x")
        weights = manifest.describe_folder(Path(scratch) / "x").sha256
    fake = dataclasses.replace(fake, weights=weights)
    monkeypatch.setitem(heinsen.PUBLISHED, key, fake)
    monkeypatch.setitem(heinsen.BY_SHA256, file.sha256, fake)
    return folder / published.name
