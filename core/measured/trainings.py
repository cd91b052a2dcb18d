"""Compares a network with other trainings by its recipe, which differ in the seed only.

Their weights stay outside this repository: ``python -m core.training NAME --seed 1`` makes them again, as
``NAME-seed-1`` among the user's checkpoints. What they answer is kept next to the network: their accuracies in
metrics.json, what their badges come from in evidence.json, and their runs of the example texts in trainings/. Of
networks of toys, trainings/SEED.built_in.npz has the poses of the built-in toys, if they were measured.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numpy import ndarray

from core import manifest
from core.datasets import corpus_of, folder_of, smallnorb
from core.files import write
from core.json_files import read_json
from core.manifest import METRICS, Manifest, name_with_seed
from core.measured import store
from core.measured.evidence.badge import BASELINES
from core.measured.evidence.record import EVIDENCE_FILE, Evidence
from core.trace import Trace

FOLDER = "trainings"
RENDERED_BY = "rendered by"  # in the phrase for the data of a network that learned from rendered toys
POSES = "built_in"  # the quantity that is kept of networks of toys


def find_trainings(name: str) -> dict[int, str]:
    """The user's checkpoints that are other trainings of a network: their names by seed."""
    beginning = name_with_seed(name, "")
    seeds = {other.removeprefix(beginning): other for other in manifest.folders() if other.startswith(beginning)}
    return {int(seed): seeds[seed] for seed in sorted(filter(str.isdecimal, seeds), key=int)}


def read_runs(name: str) -> dict[int, list[Trace]]:
    """The kept runs of the example texts by other trainings of a network, by seed. Damaged files are left out."""
    runs: dict[int, list[Trace]] = {}
    for path in sorted((manifest.folder_of(name) / FOLDER).glob("*-*.npz")):
        seed = path.stem.partition("-")[0]
        try:
            trace = Trace.from_npz(path.read_bytes())
        except (OSError, ValueError):
            continue
        if seed.isdigit() and trace.model == name_with_seed(name, seed):
            runs.setdefault(int(seed), []).append(trace)
    return runs


def read_poses(name: str) -> dict[int, dict[str, ndarray]]:
    """The kept arrays "built_in" of other trainings of a network, by seed. Damaged and foreign files are left out."""
    about, folder = manifest.describe(name), manifest.folder_of(name) / FOLDER
    try:
        trainings = Evidence.read(_evidence(about)).trainings
    except (OSError, ValueError):
        return {}
    kept = {one.seed: store.read_in(folder, POSES, one.weights, f"{one.seed}.") for one in trainings}
    return {seed: arrays for seed, arrays in kept.items() if arrays is not None}


def keep_trainings(name: str, data: Path | None = None) -> list[Path]:
    """Keep what a network's other trainings answer, and return the paths of the written files.

    Args:
        name: name of the network.
        data: folder of the dataset, of which the card says whether it was rendered; the corpus's own folder if None.

    Raises:
        ValueError: the network has no evidence, there is no other training, one has no evidence, or the network learned
            from rendered toys, which are not in the folder.
    """
    about, folder = manifest.describe(name), manifest.folder_of(name)
    others = {seed: manifest.describe(other) for seed, other in find_trainings(name).items()}
    if not others:
        command = f"python -m core.training {name} --seed 1"
        raise ValueError(f"there is no other training of {name}: make one by `{command}`")
    folder_of_data = data or folder_of(about.corpus)
    _check_card(about, folder_of_data)
    own = _evidence(about)
    entries = [_entry(seed, other) for seed, other in others.items()]
    corpus = corpus_of(about.corpus)
    runs = list(_runs(others, list(corpus.examples_for(about.kind).values()) if corpus else []))
    metrics = read_json(folder / METRICS)
    accuracies = [metrics["test"]["accuracy"], *(entry["test"] for entry in entries)]
    write(folder / METRICS, json.dumps(metrics | {"seeds": accuracies}, indent=1).encode())
    write(folder / EVIDENCE_FILE, json.dumps(own | {"trainings": entries}, indent=1).encode())
    (folder / FOLDER).mkdir(exist_ok=True)
    for path in (folder / FOLDER).glob("*.npz"):
        path.unlink()
    for file, trace in runs:
        write(folder / FOLDER / file, trace.to_npz())
    poses = list(_keep_poses(folder / FOLDER, others))
    if card := _card(name, folder_of_data):
        write(folder / "README.md", card.encode())
    files = METRICS, EVIDENCE_FILE, *(f"{FOLDER}/{file}" for file, _ in runs)
    return [*(folder / file for file in files), *poses]


def _evidence(about: Manifest) -> dict[str, Any]:
    """The contents of a checkpoint's evidence.json; ValueError if there is none for its weights."""
    path = manifest.folder_of(about.name) / EVIDENCE_FILE
    stored = read_json(path) if path.is_file() else {}
    if stored.get("weights") != about.sha256:
        raise ValueError(f"{about.name} has no evidence: measure it by `python -m core evidence {about.name}`")
    return stored


def _entry(seed: int, other: Manifest) -> dict[str, Any]:
    """The entry of evidence.json on another training: its accuracies, and all that its badge comes from."""
    stored = _evidence(other)
    names = {Evidence.read(stored).main_ranking(), *BASELINES}
    rankings = {
        way: {name: {"over_random": ranking["over_random"]} for name, ranking in of_way.items() if name in names}
        for way, of_way in stored["rankings"].items()
    }
    accuracies = {"dev": other.metrics.dev.accuracy, "test": other.metrics.test.accuracy}
    return {"seed": seed, "weights": other.sha256, **accuracies, "rankings": rankings}


def _runs(others: dict[int, Manifest], texts: list[str]) -> Iterator[tuple[str, Trace]]:
    """Yield the name of a file and the run of a text, for each training and each text."""
    from core import explain, zoo

    for seed, other in others.items():
        checkpoint = zoo.load(other.name, "cpu")
        for number, text in enumerate(texts):
            yield f"{seed}-{number}.npz", explain(checkpoint, text)


def _keep_poses(folder: Path, others: dict[int, Manifest]) -> Iterator[Path]:
    """Keep the poses of the built-in toys in each training of which they were measured."""
    for seed, other in others.items():
        if arrays := store.read(POSES, other.name):
            yield store.save_in(folder, POSES, arrays, other.sha256, f"{seed}.")


def _check_card(about: Manifest, data: Path) -> None:
    """Raise ValueError if a network's card says that it learned from rendered toys, which are not in a folder."""
    from core.training.recipes import RECIPES

    is_rendered = RENDERED_BY in about.metrics.training.get("data", "")
    if about.name in RECIPES and is_rendered and not smallnorb.rendered_by(data):
        raise ValueError(f"the card of {about.name} says that it learned from rendered toys: --data names their folder")


def _card(name: str, data: Path) -> str:
    """The card of a network, with what the other trainings reached; "" if no recipe has its text.

    Args:
        name: name of the network.
        data: folder of its dataset.
    """
    from core.training.card import model_card
    from core.training.recipes import RECIPES, Form

    if name not in RECIPES:
        return ""
    about = manifest.describe(name)
    form = Form(short=about.metrics.training["form"] == "short")
    card = RECIPES[name].card(data, form)
    return model_card(name, card.text, about)
