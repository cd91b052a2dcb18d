"""A checkpoint as the bytes of its files, which a pickle can hold in place of a network."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from core import zoo
from core.checkpoint import Checkpoint
from core.device import pick_device
from core.files import write


def to_files(checkpoint: Checkpoint) -> dict[str, bytes]:
    """The content of each file of a checkpoint, by its name."""
    with TemporaryDirectory(prefix="routescope-") as folder:
        zoo.save(checkpoint, Path(folder))
        return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


def from_files(files: Mapping[str, bytes], name: str, device: str) -> Checkpoint:
    """The checkpoint with these files.

    Args:
        files: as ``to_files`` returns them.
        name: name of the checkpoint.
        device: as in ``core.device.pick_device``; "auto" takes its place where there is no such device.

    Raises:
        ValueError: a file is missing or damaged.
    """
    try:
        target = pick_device(device)
    except ValueError:  # the files come from a machine with more devices
        target = pick_device()
    with TemporaryDirectory(prefix="routescope-") as folder:
        for file, content in files.items():
            write(Path(folder, file), content)
        return dataclasses.replace(zoo.load_folder(Path(folder), target), name=name)
