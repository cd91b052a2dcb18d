"""An estimate of how long trainings on own texts take, from rates that were measured once.

The rates are seconds on two cores without other work, for sentences of about 20 words. A training may end before its
last epoch, so an estimate is rather too long than too short.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.fit.data import DEV, TEST
from core.fit.progress import MAX_TEXTS
from core.fit.routes import BILSTM, WORDS, encoder_of
from core.inputs.minilm import MINILM

START = 10.0  # seconds in which a process imports PyTorch and reads the file
READ = 0.4  # seconds in which MiniLM reads 1,000 words
EPOCHS = 12  # epochs of most trainings
TRAINED = {  # seconds in which a training uses 1,000 words once
    ("reversed", BILSTM): 0.08,
    ("standard", BILSTM): 0.08,
    ("kmeans", BILSTM): 0.09,
    ("attention", WORDS): 0.04,
    ("windows", WORDS): 0.08,
}
TRAINED_OVER_MINILM = 0.02  # the same for routings over stored states
USUAL = 20  # words of the texts on which the tests of pictures were measured
TESTED = {  # seconds in which the picture of such a text is tested by one process
    MINILM: 0.8,
    BILSTM: 0.08,
    WORDS: 0.06,
}
DESCRIBED = 0.2  # seconds in which units take 1,000 words that are read, and are named
SENTENCES = 7_500  # words of the sentences of the program
GROWTH = 1.6  # power of the number of words with which MiniLM's time grows, as it reads the text for each deleted word
TESTED_BY_ATTENTION = 0.04  # the same for attention over any encoder, which reads a text once


@dataclass(frozen=True)
class TextAmount:
    """The texts of a file.

    Args:
        n_texts, n_words: number of texts, and of their words.
    """

    n_texts: int
    n_words: int

    @property
    def mean(self) -> float:
        """The mean number of words of a text."""
        return self.n_words / max(1, self.n_texts)


def estimate(
    amount: TextAmount, routings: Sequence[str], encoder: str | None, evidence: int, workers: int = 1, units: int = 0
) -> float | None:
    """Seconds in which routings are trained one after the other, and measured; None if no rate is known.

    Args:
        amount: texts of the file.
        routings: keys of ``core.fit.routes.ROUTES``.
        encoder: as in ``encoder_of``.
        evidence: number of test texts on which the evidence is measured.
        workers: processes that measure it.
        units: number of test texts on which units are measured.

    Raises:
        ValueError: as in ``encoder_of``.
    """
    seconds, n_read = START, 0.0  # texts are read once for all routings, word by word
    for routing in routings:
        read_by = encoder_of(routing, encoder)
        if read_by not in TESTED:
            return None
        seconds += _training(amount, routing, read_by) + _testing(amount, routing, read_by, evidence) / workers
        seconds += _describing(amount, read_by, units)
        seconds += START * (evidence > 0 and workers > 1)  # until the other processes have started
        n_read = max(n_read, amount.n_words * (read_by == MINILM))
    return seconds + READ * n_read / 1000


def _training(amount: TextAmount, routing: str, encoder: str) -> float:
    """Seconds of a training, and of the measurement of its accuracies, without the first reading of the texts."""
    n_train = amount.n_words * (1 - 1 / TEST - 1 / DEV)
    if encoder != MINILM:
        return TRAINED[routing, encoder] * EPOCHS * n_train / 1000
    measured = amount.n_words * (2 / TEST + 1 / DEV)  # test texts are read twice, for answers and for certainties
    watched = EPOCHS * amount.mean * min(MAX_TEXTS, amount.n_texts / DEV)
    pieces = amount.n_words * (routing == "em")  # EM routing reads them besides words, which its linear probe needs
    return (READ * (measured + watched + pieces) + TRAINED_OVER_MINILM * EPOCHS * n_train) / 1000


def _describing(amount: TextAmount, encoder: str, units: int) -> float:
    """Seconds in which units are measured, on test texts and on the sentences of the program."""
    n_words = amount.mean * min(units, amount.n_texts / TEST) + SENTENCES * (units > 0)
    return (READ * (encoder == MINILM) + DESCRIBED) * n_words / 1000


def _testing(amount: TextAmount, routing: str, encoder: str, evidence: int) -> float:
    """Seconds in which one process measures the evidence."""
    reads_once = routing == "attention"
    text = TESTED_BY_ATTENTION if reads_once else TESTED[encoder]
    growth = GROWTH if encoder == MINILM and not reads_once else 1.0
    return text * min(evidence, amount.n_texts / TEST) * (amount.mean / USUAL) ** growth


def in_words(seconds: float) -> str:
    """A time without false precision, such as "about 2 minutes"."""
    minutes = seconds / 60
    if minutes < 0.75:
        return "less than a minute"
    if minutes < 1.5:
        return "about a minute"
    if minutes < 10:
        return f"about {round(minutes)} minutes"
    if minutes < 52:
        return f"about {5 * round(minutes / 5)} minutes"
    hours = max(1, round(minutes / 60))
    return "about an hour" if hours == 1 else f"about {hours} hours"
