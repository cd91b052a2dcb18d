"""Writes a checkpoint into a folder that the Hugging Face Hub takes as it is."""

import json
from pathlib import Path
from typing import Any

from core.files import write
from core.inputs.transformers import title_of
from core.json_files import read_json
from core.manifest import METRICS, STATED_EVIDENCE, WEIGHTS, Manifest, describe_folder, folder_of
from core.sentences.words import capital
from core.stored import BY_KIND
from core.zoo.front_matter import front_matter, without

CONFIG, CARD, MARKS = "config.json", "README.md", ".gitattributes"
OF_TEXTS = ("shown.npz",)  # arrays with texts of the user's file
COPIED = (WEIGHTS, "vocab.txt", METRICS, "evidence.json", STATED_EVIDENCE, "example*.json", "*.npz", "trainings/*.npz")
MADE = (MARKS, CONFIG, CARD)
# The Hub keeps large binary files apart from its Git repository. The first line marks a folder as written here.
ATTRIBUTES = """# {name}, written by routescope push
*.safetensors filter=lfs diff=lfs merge=lfs -text
*.npz filter=lfs diff=lfs merge=lfs -text
"""
USE = """
## Use it

`hf download YOU/{name} --local-dir {name}` fetches this folder, and Routescope runs it:

```python
from pathlib import Path
from routescope import explain, zoo

trace = explain(zoo.load(Path("{name}")), {sample})
```
"""
SAMPLES = {"text": '"Type a text here."', "pictures": "pair_of_pictures"}


def push(name: str, to: Path) -> list[str]:
    """Write a checkpoint into a folder, and return the names of the files.

    They are the configuration, weights and vocabulary, all that was measured, a card with front matter, and what Git
    needs for large files. The texts that a network keeps of its user's file are left out, and of a transformer's folder
    only its name is written.

    Args:
        name: name of the checkpoint.
        to: a new or empty folder, an empty clone of a repository, or the folder of an earlier push of this checkpoint.

    Raises:
        ValueError: there is no such checkpoint, or the folder has other files.
        OSError: a file cannot be read or written.
    """
    folder = folder_of(name)
    about = describe_folder(folder)
    marks = ATTRIBUTES.format(name=name).encode()
    earlier = _check_target(to, marks)
    copied = {file: folder / file for file in _copied(folder) if file not in OF_TEXTS}
    to.mkdir(parents=True, exist_ok=True)
    write(to / MARKS, marks)  # first: a push that is interrupted can be repeated
    for file in earlier - copied.keys():  # of an earlier training
        (to / file).unlink()
    for file, path in copied.items():
        (to / file).parent.mkdir(exist_ok=True)
        write(to / file, path.read_bytes())
    write(to / CARD, _card(folder, about).encode())
    write(to / CONFIG, json.dumps(_config(folder), indent=1).encode())
    return [*MADE, *copied]


def _check_target(to: Path, marks: bytes) -> set[str]:
    """The copied files in a folder of an earlier push; ValueError if the folder has files of any other origin."""
    if to.exists() and not to.is_dir():
        raise ValueError(f"{to} is a file, wanted a folder")
    names = {path.name for path in to.iterdir()} if to.is_dir() else set()
    if not names - {".git", MARKS}:
        return set()
    copied = _copied(to)
    known = {*MADE, ".git", *(file.partition("/")[0] for file in copied)}
    is_marked = (to / MARKS).is_file() and (to / MARKS).read_bytes() == marks
    if not is_marked or names - known:
        raise ValueError(
            f"{to} has other files: name a new or empty folder, or that of an earlier push of this network"
        )
    return set(copied)


def _copied(folder: Path) -> list[str]:
    """The files of a checkpoint that are copied as they are, by their paths in its folder."""
    return [path.relative_to(folder).as_posix() for pattern in COPIED for path in sorted(folder.glob(pattern))]


def _config(folder: Path) -> dict[str, Any]:
    """The contents of config.json, with only the name of a transformer's folder."""
    config = read_json(folder / CONFIG)
    return config | ({"backbone": title_of(config["backbone"])} if "backbone" in config else {})


def _card(folder: Path, about: Manifest) -> str:
    """The card: front matter of today's numbers, the checkpoint's own text, and how to use it."""
    path = folder / CARD
    text = without(path.read_text(encoding="utf-8", errors="replace")) if path.is_file() else ""
    text = text or f"# {about.name}\n\n{capital(about.task)}: {', '.join(about.classes)}.\n"
    use = USE.format(name=about.name, sample=SAMPLES[BY_KIND[about.kind].reads])
    return f"{front_matter(about.name, about)}\n{text.partition(use)[0]}{use}"
