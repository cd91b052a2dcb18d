"""Packs a checkpoint into a zip archive, and unpacks one that somebody sends: it is checked before it is used."""

import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from io import BufferedIOBase
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from core import zoo
from core.archives import open_archive, quoted, read_blocks
from core.files import write
from core.inputs.minilm import MINILM
from core.inputs.transformers import title_of
from core.json_files import read_json
from core.manifest import DEPTHS, METRICS, STATED_EVIDENCE, Manifest, describe_folder
from core.measured import carried, store
from core.measured.carried import CARRIED
from core.networks import NETWORKS
from core.scores import as_stated
from core.stored import BY_KIND
from core.zoo.plan import Plan

MAX_ENTRIES = 100
MAX_WEIGHTS = 128 << 20  # bytes; they take up to four times this in memory
MAX_BYTES = {  # the files of a checkpoint, and how many bytes each may have; other files are not read
    "config.json": 1 << 16,
    "weights.safetensors": MAX_WEIGHTS,
    "vocab.txt": 32 << 20,
    "metrics.json": 1 << 20,
    "evidence.json": 1 << 20,
    "README.md": 1 << 18,
    **{f"{quantity}.npz": 16 << 20 for quantity in CARRIED},
}
RENAMED = {  # names for evidence and units that were not measured here
    "evidence.json": STATED_EVIDENCE,
    **{f"{quantity}.npz": f"{quantity}{store.STATED}.npz" for quantity in CARRIED},
}
NEEDED = ("config.json", "weights.safetensors")
ONLY_MINILM = {MINILM: MINILM}  # the transformer of every installation
MAX_REASON = 300  # characters of an error message
MAX_STEPS = 50  # steps of a run: its iterations, layers, or words of a window


def pack(folder: Path) -> bytes:
    """The archive of a checkpoint. It contains the name of a transformer, but not its folder on this machine.

    Measured units are left out if they are about other weights, or would be refused where the archive is unpacked.

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
            if (folder / name).is_file() and (Path(name).stem not in CARRIED or _may_carry(folder, Path(name).stem)):
                archive.write(folder / name, name)
    return file.getvalue()


def unpack(file: BufferedIOBase, name: str, folder: Path, backbones: Mapping[str, str] = ONLY_MINILM) -> Manifest:
    """Unpack a checkpoint from a zip archive, check all of it, and return its description.

    Args:
        file: the archive, seekable.
        name: name of the archive, for messages.
        folder: new folder of the checkpoint, in an existing one. It is made only after all checks.
        backbones: as in ``check``.

    Raises:
        ValueError: one sentence that names the first problem, such as the first wrong tensor.
    """
    archive, entries = open_archive(file, name, MAX_ENTRIES)
    chosen = _choose(entries, name)
    folder.mkdir()
    try:
        for entry in chosen:
            base = PurePosixPath(entry.filename).name
            _write(archive, entry, folder / RENAMED.get(base, base))
        return check(folder, backbones)
    except BaseException:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        raise


def check(folder: Path, backbones: Mapping[str, str] = ONLY_MINILM) -> Manifest:
    """Check a checkpoint that comes from elsewhere, and return its description, in which its scores are only stated.

    Args:
        folder: folder of the checkpoint.
        backbones: transformers that the checkpoint may use: the argument for ``core.inputs.transformers.backbone``, by
            the name in config.json.

    Raises:
        ValueError: as in ``unpack``; messages use only the names of files.
    """
    try:
        about = describe_folder(folder)
        if (steps := about.model[DEPTHS[BY_KIND[about.kind].along]]) > MAX_STEPS:
            raise ValueError(f"config.json: a run takes {steps:,} steps, wanted at most {MAX_STEPS}")
        backbone = _find_backbone(about.reader, backbones)
        plan = Plan.read(folder)
        _check_sizes(plan)
        zoo.check_folder(folder, plan)
        theirs = read_json(folder / METRICS) if (folder / METRICS).exists() else {}
        _write_json(folder / METRICS, as_stated(theirs, plan.n_parameters))
        for quantity in CARRIED:
            _check_units(folder, quantity, about)
        complete = {"model": asdict(plan.sizes)} | backbone  # includes settings that the archive left out
        _write_json(folder / "config.json", plan.config | complete)
        return describe_folder(folder)
    except (ValueError, RuntimeError, OSError) as error:
        sentence = str(error).replace(f"{folder}/", "").replace(f"{folder}: ", "")
        raise ValueError(" ".join(sentence.split())[:MAX_REASON]) from None


def _check_sizes(plan: Plan) -> None:
    """Raise ValueError for a network that pages cannot run or draw."""
    try:
        NETWORKS[plan.about["kind"]].check_for_pages(plan.sizes)
    except ValueError as error:
        raise ValueError(f"config.json: {error}") from None


def _check_units(folder: Path, quantity: str, about: Manifest) -> None:
    """Check what an archive states about units, and write it again; ValueError names the first problem."""
    file, stated = folder / f"{quantity}{store.STATED}.npz", f"{quantity}{store.STATED}"
    if file.is_file():
        store.save_in(folder, stated, carried.read(file, quantity, about.sha256, len(about.classes)), about.sha256)


def _may_carry(folder: Path, quantity: str) -> bool:
    """Whether the folder has units that belong to its weights, and that ``unpack`` takes."""
    file, about = folder / f"{quantity}.npz", describe_folder(folder)
    if not file.is_file() or file.stat().st_size > MAX_BYTES[file.name]:
        return False
    try:
        carried.read(file, quantity, about.sha256, len(about.classes))
    except ValueError:
        return False
    return True


def _write_json(path: Path, value: dict[str, Any]) -> None:
    write(path, json.dumps(value, indent=1).encode())


def _find_backbone(reader: Mapping[str, Any], backbones: Mapping[str, str]) -> dict[str, str]:
    """The entry of config.json that says where the transformer is; ValueError if it is not in ``backbones``."""
    if "backbone" not in reader:
        return {}
    name = reader["backbone"]
    if not isinstance(name, str) or name not in backbones:
        backbone = quoted(str(name))
        raise ValueError(
            f"config.json: backbone is {backbone}, wanted {MINILM} or another transformer that is installed here"
        )
    return {"backbone": backbones[name]}


def _choose(entries: list[ZipInfo], name: str) -> list[ZipInfo]:
    """The entries that are files of the checkpoint."""
    chosen = [entry for entry in entries if PurePosixPath(entry.filename).name in MAX_BYTES]
    names = [PurePosixPath(entry.filename).name for entry in chosen]
    for needed in NEEDED:
        if needed not in names:
            others = ", ".join(quoted(entry.filename) for entry in entries[:3]) or "nothing"
            raise ValueError(f"{quoted(name)} has no {needed}; it holds {others}.")
    if len(set(names)) < len(names) or len({PurePosixPath(entry.filename).parent for entry in chosen}) > 1:
        raise ValueError(f"{quoted(name)} holds more than one checkpoint: give one.")
    for entry, base in zip(chosen, names, strict=True):
        if entry.file_size > MAX_BYTES[base]:
            raise ValueError(f"{base} has {entry.file_size:,} bytes, wanted at most {MAX_BYTES[base]:,}.")
    return chosen


def _write(archive: ZipFile, entry: ZipInfo, path: Path) -> None:
    with path.open("wb") as file:
        for block in read_blocks(archive, entry):
            file.write(block)
