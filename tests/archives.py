"""Zip archives of checkpoints, and changes to their files. ``files`` are bytes by name."""

import hashlib
import io
import json
import zipfile

import safetensors.torch

FILES = ("config.json", "weights.safetensors", "vocab.txt")


def zipped(files, method=zipfile.ZIP_DEFLATED):
    """A zip archive with these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def change_config(files, **entries):
    """Return the files with these entries in config.json."""
    return files | {"config.json": json.dumps(json.loads(files["config.json"]) | entries).encode()}


def change_sizes(files, **sizes):
    """Return the files with these sizes of the model in config.json."""
    return change_config(files, model=json.loads(files["config.json"])["model"] | sizes)


def change_tensors(files, change):
    """Return the files after ``change`` has edited the tensors by name; config.json has the new checksum."""
    tensors = safetensors.torch.load(files["weights.safetensors"])
    change(tensors)
    weights = safetensors.torch.save(tensors)
    return change_config(files, sha256=hashlib.sha256(weights).hexdigest()) | {"weights.safetensors": weights}
