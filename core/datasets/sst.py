"""Stanford Sentiment Treebank (Socher et al. 2013): sentences in which every phrase has a sentiment label."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from core.datasets.corpus import Corpus, File
from core.datasets.split import Split
from core.inputs.text import normalize
from core.traces.agt import AGTTrace
from core.traces.em import EMTextTrace

FILES = {
    "trees/train.txt": File(2_160_058, "e2f3f41b0b1e6d4dddc0effe3bfc2d27ed8928079aa9a03d652311614fc5feb7"),
    "trees/dev.txt": File(280_825, "0e9336aed6e4730e19f58d00a77b3f0297efdb755f7b5e598c98a05e3f97ea40"),
    "trees/test.txt": File(559_614, "6e54806dee95cf80cd918e7dfb3f6770f6df24bf826f289a4d1f709e1c8f6761"),
}
CLASSES = {
    5: ("very negative", "negative", "neutral", "positive", "very positive"),
    2: ("negative", "positive"),
}
SPLITS = ("train", "dev", "test")
LABELS = frozenset("01234")
NEUTRAL = 2

Phrase = tuple[tuple[str, ...], int]  # words and label


def sentences(folder: Path, split: str, n_classes: int = 5) -> Split:
    """Read whole sentences with their labels: the official evaluation.

    Args:
        folder: folder with trees/{train,dev,test}.txt, or with these files themselves.
        split: train, dev or test.
        n_classes: 5, or 2 ("very" merged with plain labels, neutral sentences left out).

    Raises:
        ValueError: there is no such split, number of classes or folder, or a line is not a tree.
    """
    return _as_split((phrases[-1] for phrases in _trees(folder, split)), n_classes)


def phrases(folder: Path, split: str, n_classes: int = 5) -> Split:
    """Read every labelled phrase, whole sentences included; phrases that differ only in case count once.

    Arguments and errors as in ``sentences``.
    """
    distinct: dict[Phrase, Phrase] = {}
    for tree in _trees(folder, split):
        for words, label in tree:
            distinct.setdefault((tuple(map(normalize, words)), label), (words, label))
    return _as_split(distinct.values(), n_classes)


def _as_split(labelled: Iterable[Phrase], n_classes: int) -> Split:
    """A split of phrases, with two classes instead of five if asked for."""
    if n_classes not in CLASSES:
        raise ValueError(f"n_classes is {n_classes}, wanted 5 or 2")
    if n_classes == 2:
        labelled = ((words, int(label > NEUTRAL)) for words, label in labelled if label != NEUTRAL)
    samples = list(labelled)
    return Split([list(words) for words, _ in samples], [label for _, label in samples], CLASSES[n_classes])


def _trees(folder: Path, split: str) -> Iterator[list[Phrase]]:
    """Yield the phrases of each tree in a split, as ``parse`` returns them."""
    if split not in SPLITS:
        raise ValueError(f"split is {split!r}, wanted one of {', '.join(SPLITS)}")
    path = next((p for p in (folder / "trees" / f"{split}.txt", folder / f"{split}.txt") if p.is_file()), None)
    if path is None:
        raise ValueError(f"{folder} holds no trees/{split}.txt of the Stanford Sentiment Treebank")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield parse(line)
                except ValueError as error:
                    raise ValueError(f"{path}, line {number}: {error}") from None


def sentiment_words(folder: Path, split: str, n_classes: int = 5) -> list[list[bool]]:
    """For each sentence of ``sentences``, in order, whether each word is in a phrase that carries sentiment.

    Such a phrase has a label that is not neutral, and all smaller phrases inside it are neutral. Phrase labels are not
    rationales: nobody was asked for reasons.
    """
    trees = (_spans(tree) for tree in _trees(folder, split))
    return [
        [any(start <= i < end for start, end, _ in _smallest_with_sentiment(spans)) for i in range(spans[-1][1])]
        for spans in trees
        if n_classes != 2 or spans[-1][2] != NEUTRAL
    ]


def constituents(folder: Path, split: str, n_classes: int = 5) -> list[frozenset[tuple[int, int]]]:
    """For each sentence of ``sentences``, in order, the first word and end of every phrase in its tree."""
    trees = (_spans(tree) for tree in _trees(folder, split))
    return [
        frozenset((start, end) for start, end, _ in spans)
        for spans in trees
        if n_classes != 2 or spans[-1][2] != NEUTRAL
    ]


def _spans(tree: list[Phrase]) -> list[tuple[int, int, int]]:
    """First word, end and label of each phrase in a tree, single words included."""
    spans, n_read = [], 0
    for words, label in tree:
        n_read += len(words) == 1  # a single word comes before the phrases that contain it
        spans.append((n_read - len(words), n_read, label))
    return spans


def _smallest_with_sentiment(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The phrases that are not neutral and contain no other phrase that is not neutral."""
    charged = [span for span in spans if span[2] != NEUTRAL]
    return [
        outer
        for outer in charged
        if not any(outer[0] <= inner[0] and inner[1] <= outer[1] for inner in charged if inner is not outer)
    ]


def parse(line: str) -> list[Phrase]:
    """Parse the labelled phrases from a tree in Penn Treebank brackets: children before parents, the sentence last.

    Raises:
        ValueError: the line is not one such tree.
    """
    phrases: list[Phrase] = []
    words: list[str] = []
    open_labels: list[tuple[int, int]] = []  # label, or -1 before it is read; first word
    for token in line.replace("(", " ( ").replace(")", " ) ").split():
        if token == ")":
            if not open_labels:
                raise ValueError("a closing bracket has no opening one")
            label, first = open_labels.pop()
            if label < 0 or first == len(words):
                raise ValueError("a bracket lacks its label or its word")
            phrases.append((tuple(words[first:]), label))
        elif token == "(":
            open_labels.append((-1, len(words)))
        elif open_labels and open_labels[-1][0] < 0:
            if token not in LABELS:
                raise ValueError(f"label {token!r}, wanted 0 to 4")
            open_labels[-1] = (int(token), len(words))
        else:
            words.append(token.replace("\\/", "/").replace("\\*", "*"))
    if open_labels or not phrases or len(phrases[-1][0]) != len(words):
        raise ValueError("not one bracketed tree")
    return phrases


EXAMPLES = {
    "But": "The acting is superb, but the plot never earns its two long hours.",
    "Wholesome": "so relentlessly wholesome it made me want to swipe something .",
    "Not bad": "It's not a bad film at all; it isn't a great one either.",
    "Plain": "A warm, funny and deeply moving film.",
    "Lifeless": "A dull, lifeless thriller that never comes close to being scary.",
    "Lazy": "There is not one honest moment in this lazy, predictable sequel.",
}
OF_AGT = {
    "Lazy": EXAMPLES["Lazy"],  # the network is right about it, and its picture says why
    "Though": "Though the plot is predictable, the movie never feels formulaic, because the attention is on the "
    "nuances of the emotional development of the delicate characters.",
    "Not only": "Bad company leaves a bad taste, not only because of its bad luck timing, but also the staleness of "
    "its script.",
    "Not so much": "Not so much a movie as a picture book for the big screen.",
    "But": EXAMPLES["But"],
}
OF_EM = {
    "Lifeless": EXAMPLES["Lifeless"],  # the network is right about it, and its picture says why
    "But": EXAMPLES["But"],
    "Unlike": "Unlike the first film, which was unwatchably dull, this one is a delight.",
    "Not bad": EXAMPLES["Not bad"],
    "Plain": EXAMPLES["Plain"],
}
READINGS = {"But": "negative", "Plain": "very positive", "Lifeless": "very negative", "Lazy": "very negative"}

CORPUS = Corpus(
    name="sst",
    title="SST",
    subject="sentiment",
    classes=tuple(CLASSES.values()),
    read=sentences,
    files=FILES,
    url="https://nlp.stanford.edu/sentiment/trainDevTestTrees_PTB.zip",
    examples=EXAMPLES,
    by_kind={AGTTrace.kind: OF_AGT, EMTextTrace.kind: OF_EM},
    readings=READINGS,
    is_ordered=True,
    samples="film sentences",
    hub="stanfordnlp/sst",
    terms="names no licence: cite its paper",
)
