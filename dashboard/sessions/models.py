"""Checkpoints that a user uploads or trains: only this session has them, unless they are saved on purpose."""

import re
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BufferedIOBase
from pathlib import Path

from core import manifest
from core.manifest import Manifest
from dashboard.public import is_public
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.owned import one_a_session, session_id
from dashboard.sessions.uploads import open_upload

MAX_UPLOADS = 10  # checkpoints that a session holds
MAX_BYTES = 256 << 20  # bytes of their files; a session that has more cannot upload another one
MAX_NAME = 60  # characters of a name
when_removed: list[Callable[[Manifest], None]] = []  # called with every checkpoint that is removed
FORBIDDEN = re.compile(r"[^\w.-]+", re.ASCII)  # characters that no name has
BUILT_IN = "all-MiniLM-L6-v2"
_CHECKS = ThreadPoolExecutor(1, "checks")  # one thread, so that archives are checked one after another


class SessionModels:
    """The checkpoints of one session: uploaded ones, which were checked, and those that the session trained.

    Attributes:
        root: folder with one folder per checkpoint.
        described: descriptions of the checkpoints by name.
    """

    def __init__(self) -> None:
        self.root = make_folder(self)
        self.described: dict[str, Manifest] = {}

    def add(self, file: BufferedIOBase, file_name: str) -> str:
        """Unpack and check an archive, and return the name of its checkpoint: the file's name, if it is free.

        Raises:
            ValueError: one sentence that names the first problem.
        """
        self.check_room()
        name = self.free_name(Path(file_name).stem)
        self.described[name] = unpack_in_turn(file, file_name, self.root / name, transformers_for_uploads())
        return name

    def check_room(self, n: int = 1) -> None:
        """Raise ValueError if this session has no room for n more checkpoints."""
        if (held := len(self.described)) + n > MAX_UPLOADS:
            remove = "one" if (n_more := held + n - MAX_UPLOADS) == 1 else str(n_more)
            raise ValueError(f"This session holds {held} models already: remove {remove}.")
        if (size := sum(path.stat().st_size for path in self.root.glob("*/*"))) > MAX_BYTES:
            raise ValueError(f"This session holds {size >> 20} MB of models already: remove one.")

    def adopt(self, folder: Path) -> str:
        """Move the folder of a checkpoint that was trained here to this session, and return its name."""
        name = self.free_name(folder.name)
        shutil.move(folder, self.root / name)
        self.described[name] = manifest.describe_folder(self.root / name)
        return name

    def free_name(self, wanted: str) -> str:
        """A similar name that no checkpoint has."""
        stem = FORBIDDEN.sub("-", wanted).strip("-.") or "model"
        taken = manifest.folders().keys() | self.described.keys()
        names = (stem[:MAX_NAME] + (f"-{k}" if k > 1 else "") for k in range(1, len(taken) + 2))
        return next(name for name in names if name not in taken)

    def describe_again(self, name: str) -> None:
        """Read the description of a checkpoint whose files have changed."""
        self.described[name] = manifest.describe_folder(self.root / name)

    def remove(self, name: str) -> None:
        """Delete a checkpoint and all its files; do nothing if it does not exist."""
        about = self.described.pop(name, None)
        if about is None:
            return
        for forget in when_removed:
            forget(about)
        delete_folder(self.root / name)

    def close(self) -> None:
        """Delete all files."""
        for name in list(self.described):
            self.remove(name)
        delete_folder(self.root)


def unpack_in_turn(file: BufferedIOBase, name: str, folder: Path, backbones: Mapping[str, str]) -> Manifest:
    """Call ``core.zoo.archive.unpack`` after all earlier archives, as each takes a second and some memory."""
    from core.zoo.archive import unpack  # imports PyTorch

    return _CHECKS.submit(unpack, file, name, folder, backbones).result()


def transformers() -> dict[str, str]:
    """The transformers for training a head: the built-in one, and those of the server's owner, by name."""
    return {BUILT_IN: BUILT_IN} | {name: str(f.absolute()) for name, f in manifest.transformers().items()}


def transformers_for_uploads() -> dict[str, str]:
    """The transformers for an uploaded head, by name. On a private server, Hugging Face's cache is included."""
    if is_public():
        return transformers()
    from core.inputs.transformers import fetched

    return {name: name for name in fetched()} | transformers()


@one_a_session
def _session_models() -> SessionModels:
    return SessionModels()


def session_models() -> SessionModels | None:
    """The checkpoints of this session; None outside of a session, as in a thread of the server."""
    return _session_models() if session_id() else None


def uploaded() -> list[str]:
    """The names of the checkpoints that this session uploaded or trained."""
    return list(_session_models().described)


def add_upload(file: BufferedIOBase, file_name: str) -> str:
    """Add the checkpoint in an uploaded archive, and return its name. Errors as in ``SessionModels.add``."""
    with open_upload(file) as content:
        return _session_models().add(content, file_name)
