"""Texts of the page Start."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from core.measured.evidence.badge import badge_of
from core.measured.evidence.record import Evidence
from core.sentences.words import listed, quote


class Door(NamedTuple):
    """A way on from the page: its name, its sentence, its icon, its page, and whether that opens on this network."""

    name: str
    says: str
    icon: str
    page: str
    shows_network: bool = False


PURPOSE = "See how a network decides which words belong together, and whether to believe what you see."
CAPSULE = """**What is a capsule?** A group of {size} numbers that stands for something in the text. Nobody told this
network what that is: in training, it learned what each of its {n} capsules collects. Click a capsule to see what we
measured. The prediction depends only on what the capsules hold."""
COUPLING = """**What is coupling?** The share of a capsule that comes from a word, drawn as a thread. Each word proposes
what each capsule should hold. In every iteration, a capsule takes more from the words whose proposals agree with what
it holds so far, and less from the other words. That is routing."""
DOUBT = """**Why doubt it?** A thick thread looks like a reason. But the network might answer the same without that
word, and then the picture would explain nothing. So we take away the words that the threads point to, and see whether
the answer changes."""
NETWORK = """The network is {title} ({name}). It is right for {accuracy:.1%} of the test sentences. *Reversed* means
that the shares of each capsule sum to 100%. In standard routing, the shares of each word sum to 100%. The button *Cut*
masks a word: no capsule takes from it, but its neighbours have already read it."""
LEFT_OUT = """The picture has {n} of the {all} words, those with the largest shares. No capsule takes more than
{most:.1%} from any of the other words."""
VERDICT = """**Can you believe this picture?** In {sample}, we deleted the words with the thickest threads to the
capsule that decides: the one without which the answer loses most. Then we deleted the words that a direct test of the
network picks. Beyond what random words cost, the words of the threads cost the answer **{share:.0%}** of what the words
of the direct test cost: the picture **{finds}**. For the standard network, this share is only **{other:.0%}**."""
NOT_TESTED = "Whether the words with the thickest threads are those that matter has not been measured for this network."
EQUAL = """Routing begins with equal shares: each of the {n} capsules takes {share:.1%} from every word and every
punctuation mark. In the next iteration, the shares follow the text."""
ONE_WORD = "The text has one word, so every capsule takes everything from it."
NO_WORD = "Without its only word, the text gives the capsules nothing: the network answers “{answer}” ({p:.0%})."
AGREEMENT = (
    "Each capsule now takes more from the words that agree with what it holds, and less from the other words. Its "
    "shares still add up to 100%."
)
TRAIN = "Train on my data"  # the tab of the page Models
A_LITTLE, MUCH = 0.05, 0.15  # changes of a probability that count as little, and as more
SETTLED = "After {t} iterations, as many as in training, {fills}: the network answers “{answer}” ({p:.0%})."

DOORS = (
    Door(
        "Explore",
        "See every word, capsule and iteration of your text, and change any of them.",
        ":material/hub:",
        "routing",
        True,
    ),
    Door(
        "Can I trust it?",
        "See which pictures tell the truth. We tested every network.",
        ":material/fact_check:",
        "evidence",
    ),
    Door(
        "My own data",
        "Run a file of your own texts through any network, or train one on your own labels.",
        ":material/table_rows:",
        "corpus",
    ),
)


def captions(shares: ndarray, tokens: Sequence[str], probabilities: ndarray, classes: Sequence[str]) -> list[str]:
    """A sentence for each iteration of reversed routing, in which the shares of a capsule sum to 1.

    Args:
        shares: share that capsule j takes from word i, [t, i, j].
        tokens: words.
        probabilities: class probabilities, [t, k].
        classes: names of the classes.
    """
    n_steps, _, n = shares.shape
    n_words = int((shares[0] > 0).any(1).sum())  # without a word that is cut
    best = int(probabilities[-1].argmax())
    answer = {"answer": classes[best], "p": probabilities[-1, best]}
    if not n_words:
        return [NO_WORD.format(**answer)] * n_steps
    equal = EQUAL.format(n=n, share=1 / n_words) if n_words > 1 else ONE_WORD
    between = AGREEMENT if n_words > 1 else ONE_WORD
    settled = SETTLED.format(t=n_steps, fills=_fills(shares[-1], tokens), **answer)
    return [equal, *[between] * (n_steps - 2), settled][-n_steps:]


def _fills(shares: ndarray, tokens: Sequence[str]) -> str:
    """A clause on the words that the capsules come from."""
    largest, most = shares.argmax(0), shares.max(0)
    clauses = []
    for i in dict.fromkeys(largest[np.argsort(-most, kind="stable")].tolist()):
        if full := [str(j + 1) for j in np.flatnonzero((largest == i) & (most > 0.5))]:
            capsules = f"capsule{'s' * (len(full) > 1)} {listed(full)}" if len(full) < len(most) else "every capsule"
            clauses.append(f"{quote(tokens[i])} makes up most of {capsules}")
    mixed = [str(j + 1) for j in np.flatnonzero(most <= 0.5)]
    if not clauses:
        return "no word makes up most of any capsule"
    rest = f", and no word makes up most of capsule{'s' * (len(mixed) > 1)} {listed(mixed)}" if mixed else ""
    return (", ".join(clauses) if rest else listed(clauses)) + rest


def cut_result(word: str, before: ndarray, after: ndarray, classes: Sequence[str]) -> str:
    """A sentence on how the class probabilities change without a word.

    Args:
        word: the word.
        before, after: class probabilities, [k].
        classes: names of the classes.
    """
    was, now = int(before.argmax()), int(after.argmax())
    if was != now:
        return f"Yes: without {quote(word)} the prediction is {classes[now]} ({after[now]:.0%}), not {classes[was]}."
    change = f"from {before[was]:.0%} to {after[was]:.0%}"
    moved = abs(after[was] - before[was])
    if moved >= A_LITTLE:
        moves = "falls" if after[was] < before[was] else "rises"
        return f"{'Yes' if moved >= MUCH else 'Yes, a little'}: without {quote(word)}, {classes[was]} {moves} {change}."
    if f"{before[was]:.0%}" == f"{after[was]:.0%}":
        return f"No: without {quote(word)} the network answers the same, and no other word matters more."
    return f"Hardly: without {quote(word)}, {classes[was]} goes {change}, and no other word matters more."


def verdict(this: Evidence | None, standard: Evidence | None) -> str:
    """Say whether the picture of this network can be believed, and that of the standard network.

    Args:
        this, standard: evidence of both networks; None if there is none.
    """
    badges = badge_of(this), badge_of(standard)
    if None in (badges[0].share, badges[1].share):
        return NOT_TESTED
    verdicts = {"finds": badges[0].verdict, "share": badges[0].share, "other": badges[1].share}
    return VERDICT.format(sample=this.sample, **verdicts)
