"""Zip archives of checkpoints, sound and changed."""

import hashlib
import io
import json
import zipfile

import safetensors.torch

FILES = ("config.json", "weights.safetensors", "vocab.txt")


def zipped(files, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def change_config(files, **entries):
    return files | {"config.json": json.dumps(json.loads(files["config.json"]) | entries).encode()}


def change_sizes(files, **sizes):
    return change_config(files, model=json.loads(files["config.json"])["model"] | sizes)


def change_tensors(files, change):
    tensors = safetensors.torch.load(files["weights.safetensors"])
    change(tensors)
    weights = safetensors.torch.save(tensors)
    return change_config(files, sha256=hashlib.sha256(weights).hexdigest()) | {"weights.safetensors": weights}
