"""The networks that can be trained on a person's own texts: which routing goes with which encoder, and their sizes."""

from collections.abc import Callable
from dataclasses import dataclass

from core.inputs.minilm import MINILM
from core.models import AGT, DRNN, AGTConfig, CCCaps, CCCapsConfig, DRAgg, DRAggConfig, DRNNConfig
from core.models.words import ReadsWords
from core.traces.agt import AGTTrace
from core.traces.cccaps import CCCapsTrace
from core.traces.dragg import DRAggTrace
from core.traces.drnn import DRNNTrace
from core.traces.em import EMTextTrace

MINILM_NAME = "minilm"  # the short name of the transformer of every installation
BILSTM, WORDS = "bilstm", "words"  # encoders that are trained with the network
D_STATE = 128  # components of a word's state


@dataclass(frozen=True)
class Sizes:
    """The sizes that data and encoder give a network.

    Args:
        n_words: size of the vocabulary.
        n_classes: number of classes.
        d_word: components of a word's vector.
        d_piece: components of the vectors of unknown words, or of a transformer's states.
        over_transformer: whether the words' vectors come from a transformer.
    """

    n_words: int
    n_classes: int
    d_word: int
    d_piece: int
    over_transformer: bool


@dataclass(frozen=True)
class Route:
    """A routing as a choice for own texts.

    Args:
        kind: kind of the network.
        title: name of the routing in a sentence.
        clause: the routing in a plain clause.
        own_encoder: encoder that is trained with the network, ``BILSTM`` or ``WORDS``; "" if there is none.
        reads_transformers: whether the network can read a transformer's states.
        make: function that makes the untrained network; None for EM routing, which reads every piece and layer.
        lengths: whether its scores are lengths of capsules, with the margin and focal losses.
    """

    kind: str
    title: str
    clause: str
    own_encoder: str
    reads_transformers: bool
    make: Callable[[Sizes], ReadsWords] | None = None
    lengths: bool = False


def _dragg(s: Sizes, normalize: str) -> DRAgg:
    config = DRAggConfig(
        n_words=s.n_words,
        n_classes=s.n_classes,
        normalize="input" if normalize == "input" else "output",
        d_capsule=64,
        d_word=s.d_word,
        d_hidden=D_STATE,
        d_mlp=D_STATE,
        d_piece=s.d_piece,
        dropout_word=0.3,
        dropout_encoding=0.3,
        encoder="none" if s.over_transformer else "bilstm",
    )
    return DRAgg(config)


def _cccaps(s: Sizes) -> CCCaps:
    config = CCCapsConfig(
        n_words=s.n_words,
        n_classes=s.n_classes,
        embedding="plain",
        d_word=D_STATE if s.over_transformer else s.d_word,
        d_hidden=D_STATE,
        d_piece=s.d_piece,
        dropout=0.3,
        encoder="none" if s.over_transformer else "bigru",
    )
    return CCCaps(config)


def _agt(s: Sizes) -> AGT:
    config = AGTConfig(
        n_words=s.n_words,
        n_classes=s.n_classes,
        n_layers=5,
        n_attending=5,
        d_word=s.d_word,
        d_hidden=D_STATE,
        d_mlp=D_STATE,
        d_piece=s.d_piece,
        dropout=0.3,
    )
    return AGT(config)


def _drnn(s: Sizes) -> DRNN:
    config = DRNNConfig(
        n_words=s.n_words,
        n_classes=s.n_classes,
        window=5,
        d_word=s.d_word,
        d_hidden=D_STATE,
        d_mlp=D_STATE,
        d_piece=s.d_piece,
    )
    return DRNN(config)


ROUTES = {
    "reversed": Route(
        DRAggTrace.kind,
        "reversed dynamic routing",
        "each capsule divides its attention among the words",
        BILSTM,
        True,
        lambda s: _dragg(s, "input"),
    ),
    "standard": Route(
        DRAggTrace.kind,
        "dynamic routing",
        "each word divides its vote among the capsules",
        BILSTM,
        True,
        lambda s: _dragg(s, "output"),
    ),
    "kmeans": Route(
        CCCapsTrace.kind,
        "k-means routing",
        "each class moves towards the words that are most similar to it",
        BILSTM,
        True,
        _cccaps,
        lengths=True,
    ),
    "em": Route(
        EMTextTrace.kind,
        "EM routing",
        "the classes compete for the votes of all words in several layers of a transformer",
        "",
        True,
    ),
    "attention": Route(
        AGTTrace.kind,
        "attention with gates",
        "without routing, five layers look at the words, and gates decide what each layer adds",
        WORDS,
        True,
        _agt,
    ),
    "windows": Route(
        DRNNTrace.kind,
        "windows of words",
        "without routing, the network reads every five neighbouring words by themselves",
        WORDS,
        False,
        _drnn,
    ),
}


def encoder_of(routing: str, encoder: str | None) -> str:
    """The encoder of a routing: ``BILSTM``, ``WORDS``, or the name or folder of a transformer.

    Args:
        routing: a key of ``ROUTES``.
        encoder: "minilm", another transformer, "bilstm" or "words"; None for MiniLM if the routing reads transformers,
            otherwise for its own encoder.

    Raises:
        ValueError: there is no such routing, or it cannot read this encoder.
    """
    if routing not in ROUTES:
        raise ValueError(f"routing is {routing!r}, wanted one of {', '.join(ROUTES)}")
    route = ROUTES[routing]
    if encoder is None:
        return MINILM if route.reads_transformers else route.own_encoder
    if encoder in (BILSTM, WORDS):
        if encoder == route.own_encoder:
            return encoder
        if not route.own_encoder:
            raise ValueError(f"{routing} reads the layers of a transformer, which {encoder} is not: choose minilm")
        reads = f", as its encoder is {route.own_encoder}"
        raise ValueError(
            f"{routing} does not read {encoder}{reads}: choose minilm or {route.own_encoder}"
            if route.reads_transformers
            else f"{routing} does not read {encoder}: choose words"
        )
    if not route.reads_transformers:
        raise ValueError(
            f"{routing} reads word vectors only: with {encoder}, each word has read the whole text, and a window of a "
            "few words would mean nothing"
        )
    return MINILM if encoder == MINILM_NAME else encoder
