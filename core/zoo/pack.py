"""Packs a checkpoint into the zip archive that ``core.zoo.unpack`` takes."""

import io
import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from core.inputs.transformers import title_of
from core.manifest import read_json
from core.zoo.unpack import MAX_BYTES


def pack(folder: Path) -> bytes:
    """The archive of a checkpoint. It contains the name of a transformer, but not its folder on this machine.

    Raises:
        OSError: a file cannot be read.
    """
    config = read_json(folder / "config.json")
    if "backbone" in config:
        config["backbone"] = title_of(config["backbone"])
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("config.json", json.dumps(config, indent=1))
        for name in MAX_BYTES.keys() - {"config.json"}:
            if (folder / name).is_file():
                archive.write(folder / name, name)
    return file.getvalue()
