"""Large Movie Review Dataset (Maas et al. 2011): film reviews, with ratings in their file names."""

import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from core.datasets.corpus import Corpus, File
from core.datasets.split import Split, check_request
from core.inputs.text import replace_breaks, sentences, tokenize
from core.traces.drnn import DRNNTrace

CLASSES = ("negative", "positive")
RATINGS = ("1", "2", "3", "4", "7", "8", "9", "10")  # stars of ten; reviews with 5 or 6 were left out of the dataset
FOLDERS = {"neg": 0, "pos": 1}
ARCHIVES = ("aclImdb_v1.tar.gz", "aclImdb_v1.labelled.tar.gz")
FILES = {
    "aclImdb_v1.tar.gz": File(84_125_825, "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe"),
}
NAME = re.compile(r"\d+_(\d+)\.txt")  # number and rating of a review
SPLITS = ("train", "test")
MAX_SIZE = 1 << 20  # bytes; the longest review has 14,000 characters


def reviews(folder: Path, split: str, n_classes: int = 2, by_sentence: bool = False) -> Split:
    """Read reviews with their class, negative ones first, sorted by file name.

    Args:
        folder: folder with the official archive, or with its unpacked aclImdb/{train,test}/{pos,neg}/.
        split: train or test.
        n_classes: 2, or 8 for the ratings.
        by_sentence: whether to return each review as a list of sentences, which are lists of words, instead of one list
            of words.

    Raises:
        ValueError: there is no such split or number of classes, or the folder's copy is missing or damaged.
    """
    classes = RATINGS if n_classes == len(RATINGS) else CLASSES
    check_request(split, n_classes, classes)
    files = _read(folder, split)
    labels = [_rating(name) if classes is RATINGS else label for label, name, _ in files]
    return Split([(_sentences if by_sentence else _words)(text) for _, _, text in files], labels, classes)


def read_raw(folder: Path, split: str) -> tuple[list[str], list[int]]:
    """Read the reviews as raw text, and which of the two classes they have. Arguments and errors as in ``reviews``."""
    files = _read(folder, split)
    return [text for _, _, text in files], [label for label, _, _ in files]


def _read(folder: Path, split: str) -> list[tuple[int, str, str]]:
    """Label, file name and text of each review, sorted by label and name."""
    files = sorted(_unpacked(folder / "aclImdb", split) if (folder / "aclImdb").is_dir() else _packed(folder, split))
    if not files:
        raise ValueError(f"{folder} holds no reviews of the {split} split")
    return files


def _rating(name: str) -> int:
    """The rating in the name of a review's file, as an index into ``RATINGS``."""
    if not (match := NAME.fullmatch(name)) or match[1] not in RATINGS:
        raise ValueError(f"{name} names no rating from 1 to 4 or from 7 to 10")
    return RATINGS.index(match[1])


def _words(text: str) -> list[str]:
    """The words of a review."""
    return [word.text for word in tokenize(replace_breaks(text))]


def _sentences(text: str) -> list[list[str]]:
    """The words of each sentence in a review."""
    return [[word.text for word in words] for words in sentences(text)]


def _unpacked(root: Path, split: str) -> Iterator[tuple[int, str, str]]:
    """Yield label, file name and text of each review in an unpacked folder."""
    for name, label in FOLDERS.items():
        for path in (root / split / name).glob("*.txt"):
            yield label, path.name, path.read_text(encoding="utf-8")


def _packed(folder: Path, split: str) -> Iterator[tuple[int, str, str]]:
    """Yield label, file name and text of each review in the archive."""
    path = next((folder / name for name in ARCHIVES if (folder / name).is_file()), None)
    if path is None:
        raise ValueError(f"{folder} holds neither {' nor '.join(ARCHIVES)} nor aclImdb")
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                path_parts = PurePosixPath(member.name).parts
                if (
                    len(path_parts) == 4
                    and path_parts[1] == split
                    and path_parts[2] in FOLDERS
                    and (file := archive.extractfile(member))
                ):
                    content = file.read(MAX_SIZE)
                    yield FOLDERS[path_parts[2]], path_parts[3], content.decode()
            while archive.fileobj.read(MAX_SIZE):  # verify the checksum: tarfile treats a damaged entry as the end
                pass
    except (tarfile.TarError, OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


EXAMPLES = {
    "Waste": "The trailer promised a thriller. What we got is two hours of people whispering in corridors. "
    "The camera work is fine and the score has its moments. But the script makes no sense, nobody behaves like a "
    "person, and the twist can be guessed from the poster. I checked my watch four times. Avoid.",
    "Turn": "I went in with low hopes. The first half hour is slow, the jokes are stale and two of the leads seem to "
    "be reading from cards. Then the old man comes home, and the film wakes up. What follows is tender, funny and "
    "beautifully played, and it earns every tear. The ending is not what you expect. See it.",
    "Mixed": "Is it a great film? No. Is it a good one? Almost. The cast is strong, above all the daughter, and Mr. "
    "Hale's town looks lived in. The plot, though, runs out of road after an hour and the last scenes are a mess. I "
    "did not hate it.",
}
OF_DRNN = {  # from the paper's table 6
    "Table 6, negative": "I love Hampton Inn but this location is in serious need of remodeling and some deep "
    "cleaning. Musty smell everywhere.",
    "Table 6, positive": "Pretty good service, but really busy and noisy!! It gets a little overwhelming because "
    "the sales people are very knowledgeable and bombard you with useless techy information to I guess impress "
    "you?? Anyways I bought the Ipad 3 and it is freaking awesome and makes up for the store. I would give the "
    "Ipad 3 a gazillion stars if I could. I left it at home today and got really sad when I was driving away. "
    "Boo Hoo!!",
}
READINGS = {"Waste": "negative", "Turn": "positive"}

CORPUS = Corpus(
    name="imdb",
    title="IMDB",
    subject="sentiment",
    classes=(CLASSES, RATINGS),
    usual=len(CLASSES),
    read=reviews,
    files=FILES,
    url="https://ai.stanford.edu/~amaas/data/sentiment/",
    examples=EXAMPLES,
    by_kind={DRNNTrace.kind: EXAMPLES | OF_DRNN},
    readings=READINGS,
    is_ordered=True,
    one="review",
    samples="film reviews",
    hub="stanfordnlp/imdb",
    terms="names no licence: cite its paper",
)
