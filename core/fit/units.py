"""Measures what the units of a network take and do on the held-out texts of the file that it learned from."""

from pathlib import Path

import numpy as np

from core import zoo
from core.fit.own_file import OwnFile, own_file
from core.manifest import folders
from core.measured import own_units, store, units
from core.measured.evidence.measure import engine_of, evenly
from core.measured.own_units import MIN_TEXTS, OwnTexts, amount


def measure_units(name: str, path: Path, limit: int, device: str = "auto", workers: int = 1) -> None:
    """Measure the units of a trained network, and keep "units", "shown" and "reading" next to its weights.

    A network with fewer than ``MIN_TEXTS`` held-out texts gets none of them.

    Args:
        name: name of the checkpoint.
        path: file that it learned from.
        limit: number of held-out texts.
        device, workers: as in ``core.fit.run.measure_evidence``.

    Raises:
        ValueError: as in ``OwnFile.read``, or the checkpoint did not learn from a file.
    """
    file, folder = own_file(name), folders()[name]
    if file is None:
        raise ValueError(f"{name} did not learn from a file of texts")
    own = held_out_texts(file, path, limit)
    if len(own.texts) < MIN_TEXTS:
        return
    checkpoint = zoo.load(name, device)
    engine = engine_of("local", workers, None, device)
    measured = own_units.measure(checkpoint, own, device, engine)
    arrays, data = units.measure_reading(checkpoint, path)
    for quantity, kept in (measured | {"reading": arrays | {"data": np.array(data)}}).items():
        store.save_in(folder, quantity, kept, checkpoint.sha256)


def held_out_texts(file: OwnFile, path: Path, limit: int) -> OwnTexts:
    """Evenly spaced held-out texts of a file, as people would type them, and their numbers in the held-out part."""
    test = file.read(path).test
    numbers = evenly(range(len(test)), limit)
    texts = [units.as_text(test.words[k]) for k in numbers]
    return OwnTexts(texts, numbers, f"{amount(len(texts), len(test))} held-out texts of {file.name}")
