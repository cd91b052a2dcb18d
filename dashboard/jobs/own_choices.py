"""The choices for a network on a user's own texts: routings, encoders, and the command that trains what is chosen."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.sentences.words import capital
from dashboard.jobs.measuring import FEW
from dashboard.public import is_public
from dashboard.sessions.models import BUILT_IN, transformers

TRAINED_TOO = {"bilstm": "BiLSTM, trained on your texts", "words": "word vectors, trained on your texts"}
CLAUSES = {  # encoders in plain clauses
    "bilstm": "it reads each text forwards and backwards, and knows only your texts",
    "words": "each word has one vector, whatever its neighbours, which is learned from your texts",
}
FROZEN = "a transformer that has read many other texts; it stays as it is, and only the routing learns"
MAX_WORKERS = 4  # processes that test a picture
UNITS = 1000  # test texts on which units are measured


def routings() -> dict[str, str]:
    """The titles of all routings, by key."""
    from core.fit.routes import ROUTES  # imports PyTorch

    return {key: capital(route.title) for key, route in ROUTES.items()}


def clauses() -> dict[str, str]:
    """All routings in plain clauses, by their titles."""
    from core.fit.routes import ROUTES

    return {capital(route.title): route.clause for route in ROUTES.values()}


def clauses_of_encoders() -> dict[str, str]:
    """All encoders in plain clauses, by their titles."""
    return {title_of_encoder(name): CLAUSES.get(name, FROZEN) for name in [*transformers(), *TRAINED_TOO]}


def workers() -> int:
    """The number of processes that test a picture: one on a public server, whose cores others wait for."""
    return 1 if is_public() else min(MAX_WORKERS, os.cpu_count() or 1)


def duration(n_texts: int, n_words: int, routings: Sequence[str], encoder: str) -> str:
    """A phrase for how long these routings take if this machine stays as busy as it is; "" if no rate is known.

    Args:
        n_texts, n_words: number of texts, and of their words.
        routings, encoder: as in ``FitOrder``.
    """
    from core.fit.duration import TextAmount, estimate, in_words

    read_by = None if encoder == BUILT_IN else encoder
    seconds = estimate(TextAmount(n_texts, n_words), routings, read_by, FEW, workers(), UNITS)
    return "" if seconds is None else in_words(seconds * busy())


def busy() -> float:
    """The factor by which work takes longer here now than without other work: processes that want a core, per core."""
    load = os.getloadavg()[1] if hasattr(os, "getloadavg") else 0.0
    return max(1.0, (load + 1) / (os.cpu_count() or 1))


def encoders_of(routing: str) -> list[str]:
    """The encoders that a routing reads, the usual one first: names of transformers, "bilstm" or "words"."""
    return [name for name in [*transformers(), *TRAINED_TOO] if _reads(routing, name)]


def title_of_encoder(name: str) -> str:
    """An encoder in plain words."""
    return TRAINED_TOO.get(name, f"{name}, frozen")


def comparable(encoder: str) -> list[str]:
    """The routings that can be compared over an encoder. Next to the built-in transformer, windows read words."""
    return [key for key in routings() if encoder == BUILT_IN or _reads(key, encoder)]


def _reads(routing: str, encoder: str) -> bool:
    from core.fit.routes import encoder_of

    try:
        return bool(encoder_of(routing, encoder))
    except ValueError:
        return False


@dataclass(frozen=True)
class FitOrder:
    """The settings of a training.

    Args:
        text, label: columns of the file.
        routings: keys of the routings; if there are several, they are compared.
        encoder: name of the encoder, as in ``encoders_of``.
        name: wanted name of the checkpoint, or the beginning of the names of several.
    """

    text: str
    label: str
    routings: tuple[str, ...]
    encoder: str
    name: str

    @property
    def names(self) -> list[str]:
        """The names of the checkpoints, in the order of the routings."""
        return [f"{self.name}-{key}" for key in self.routings] if len(self.routings) > 1 else [self.name]

    def options(self, device: str, compared: Path) -> list[str]:
        """The options of the command. compared: file for the table of several routings."""
        one = [f"--text={self.text}", f"--label={self.label}", "--routing", self.routings[0], "--out", self.name]
        several = ["--compare", ",".join(self.routings), "--json", str(compared)] if len(self.routings) > 1 else []
        encoder = [] if self.encoder == BUILT_IN else ["--encoder", transformers().get(self.encoder, self.encoder)]
        evidence = ["--units", str(UNITS), "--evidence", str(FEW), "--workers", str(workers())]
        return [*one, *several, *encoder, *evidence, "--device", device]
