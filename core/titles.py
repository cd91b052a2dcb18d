"""The names of networks in plain words: how a network routes, what it read, and how many classes it has."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.datasets import corpus_of
from core.stored import BY_KIND
from core.trace import Trace

if TYPE_CHECKING:
    from core.manifest import Manifest

MAX_PART = 40  # characters of a corpus or a setting in a title
DIFFERENCES = {  # settings that tell networks with one title apart, in words
    "backbone": "over {}",
    "n_capsules": "{} capsules",
    "n_parts": "{} parts",
    "n_layers": "{} layers",
    "window": "{} words at a time",
    "n_iters": "{} iterations",
}


def title_of(kind: str, settings: Mapping[str, Any], corpus: str, task: str, n_classes: int) -> str:
    """A network in plain words, such as "Reversed dynamic routing · film sentences, 5 classes".

    Args:
        kind, corpus, task: as in ``Manifest``.
        settings: hyper-parameters of the network.
        n_classes: number of its classes.
    """
    record, known = BY_KIND.get(kind, Trace), corpus_of(corpus)
    samples = (known.samples or known.title) if known else corpus[:MAX_PART].replace("_", " ")
    classes = known.called if known else "classes"
    return f"{record.title_of(settings, task)} · {samples}, {n_classes} {classes}"


def titles_of(described: Mapping[str, "Manifest"]) -> dict[str, str]:
    """The titles of networks by name. Where several would have the same one, what differs is added."""
    titles = {name: about.title for name, about in described.items()}
    for phrase in DIFFERENCES:
        titles |= _add_where_equal(titles, {name: _setting(about, phrase) for name, about in described.items()})
    taken: set[str] = set()
    for name, title in titles.items():  # the shipped networks come first, and keep their titles
        titles[name] = f"{title}, folder {name}" if title in taken else title
        taken.add(title)
    return titles


def _add_where_equal(titles: Mapping[str, str], additions: Mapping[str, str]) -> dict[str, str]:
    """The titles that several networks have, with additions by which at least two of these networks differ."""
    changed = {}
    for title, n in Counter(titles.values()).items():
        equal = [name for name in titles if titles[name] == title]
        if n > 1 and len({additions[name] for name in equal}) > 1:
            changed |= {name: f"{title}, {additions[name]}" if additions[name] else title for name in equal}
    return changed


def _setting(about: "Manifest", key: str) -> str:
    """A setting of a network in words; "" if the network has none of this name."""
    value = {**about.reader, **about.model}.get(key)
    return "" if value is None else DIFFERENCES[key].format(str(value)[:MAX_PART])
