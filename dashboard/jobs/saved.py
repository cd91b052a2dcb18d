"""Saves an uploaded checkpoint to the folder of the server's owner, and deletes one from there.

A public server does neither, whatever a browser sends.
"""

import shutil
from pathlib import Path

from core import manifest
from dashboard.public import check_owner, is_public
from dashboard.runs.checkpoints import survey
from dashboard.sessions.models import session_models, when_removed

MAX_SAVED = 100  # checkpoints in the owner's folder
MAX_BYTES = 10 * 10**9  # bytes of their files


def may_save() -> bool:
    """Whether the user may change the folder of the server's owner."""
    return not is_public()


def folder() -> Path:
    """The folder of the saved checkpoints."""
    return manifest.user_folder()


def save_upload(name: str) -> Path:
    """Move a checkpoint of this session to the owner's folder, and return its new folder.

    Raises:
        ValueError: the server is public, the name is taken, or there are too many checkpoints.
        OSError: the folder cannot be written.
    """
    check_owner()
    session = session_models()
    if name not in session.described:
        raise ValueError(f"This session has no model named {name}.")
    target = manifest.user_folder() / name
    if target.exists():
        raise ValueError(f"{target} exists already.")
    _check_room(session.root / name)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{name}.part")
    try:
        shutil.copytree(session.root / name, part, dirs_exist_ok=True)
        part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    session.remove(name)
    survey.clear()
    return target


def folder_of_saved(name: str) -> Path | None:
    """The folder of a checkpoint that the owner saved; None for a shipped one, and for one of this session."""
    folder = manifest.folders().get(name)
    session = session_models()
    is_own = folder is not None and folder.parent != manifest.PRETRAINED
    return folder if is_own and not (session and name in session.described) else None


def remove_saved(name: str) -> None:
    """Delete a checkpoint and all its files from the owner's folder. If it is a link, only the link is deleted.

    Raises:
        ValueError: the server is public, or there is no such checkpoint.
        OSError: a file cannot be deleted.
    """
    check_owner()
    folder, about = folder_of_saved(name), survey().described.get(name)
    if folder is None or about is None:
        raise ValueError(f"There is no saved model named {name}.")
    try:
        folder.unlink() if folder.is_symlink() else shutil.rmtree(folder)
    finally:
        survey.clear()
        for forget in when_removed:
            forget(about)


def _check_room(new: Path) -> None:
    """Raise ValueError if the owner's folder has no room for another checkpoint."""
    saved = [folder for folder in manifest.folders().values() if folder.parent != manifest.PRETRAINED]
    if len(saved) >= MAX_SAVED:
        raise ValueError(f"{MAX_SAVED} models are saved already: remove one.")
    if sum(map(size_of_folder, [*saved, new])) > MAX_BYTES:
        raise ValueError(f"The saved models would have more than {MAX_BYTES / 1e9:.0f} GB: remove one.")


def size_of_folder(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
