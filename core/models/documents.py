"""Hierarchical DR-AGG: words are routed to a sentence, sentences to the document (Gong et al. 2018, section 4)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from core.edits import DropInput, Edit, RoutingEdit, SetCoupling, edits_of_routing
from core.layers.initial import xavier
from core.models.dragg import DRAgg, DRAggConfig
from core.routing import DynamicStep
from core.types import Mask, check_mask

SENTENCES = 1  # the routing that edits change if they name none
BATCH_SIZE = 64  # sentences routed together; they have similar lengths, so there is little padding


class DocumentDRAgg(DRAgg):
    """Maps sentences of word ids to a document's class logits. Both levels have the same sizes.

    A sentence's vector is the concatenation of its capsules. A second BiLSTM reads these vectors, and its states are
    routed to the document.
    """

    def __init__(self, config: DRAggConfig):
        c = config
        super().__init__(c)
        self.dropout_sentence = nn.Dropout(c.dropout_encoding)
        d_sentence = c.n_capsules * c.d_capsule
        self.document_encoder = nn.LSTM(d_sentence, c.d_hidden, batch_first=True, bidirectional=True)
        self.document_vote = nn.Linear(2 * c.d_hidden, d_sentence)
        xavier(self)

    def forward(
        self,
        words: Int[Tensor, "s i"],
        mask: Bool[Tensor, "s i"] | None = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
        *,
        counts: Int[Tensor, " b"],
    ) -> Float[Tensor, "b classes"]:
        """Class logits.

        Args:
            words: word ids, first the sentences of the first document, then of the second; id n_words + u is unknown
                word u.
            mask: [s, i], True for real words, with padding at the end of each row; None if all are real.
            unknown: word-piece vectors of the unknown words.
            edits: changes inside the routings: 0 from words to sentences, where input i is word i of all sentences in
                order, and 1 from sentences to documents, where input i is sentence i of each document.
            counts: number of sentences in each document, at least 1.

        Raises:
            ValueError: a shape does not fit, counts do not sum to s, an id has no vector, padding is not at the end, or
                an edit is out of range.
        """
        *_, last = self.document_steps(self.sentences(words, mask, unknown, edits), counts, edits=edits)
        return self.classify(last.capsules)

    def sentences(
        self,
        words: Int[Tensor, "s i"],
        mask: Bool[Tensor, "s i"] | None = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Float[Tensor, "s sentence"]:
        """The vector of each sentence. Arguments and errors as in ``forward``."""
        groups = list(self.sentence_steps(words, mask, unknown, edits=edits))
        vectors = torch.cat([steps[-1].capsules.flatten(1) for _, steps in groups])
        return vectors[torch.cat([rows for rows, _ in groups]).argsort()]

    def sentence_steps(
        self,
        words: Int[Tensor, "s i"],
        mask: Bool[Tensor, "s i"] | None = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> Iterator[tuple[Int[Tensor, " g"], list[DynamicStep]]]:
        """Route words to sentences, in groups of similar length, shortest first. Arguments and errors as in ``steps``.

        Yields:
            The rows of ``words`` in a group, and the steps of their routing, padded to the group's longest sentence.
        """
        if mask is None:
            mask = torch.ones_like(words, dtype=torch.bool)
        check_mask(mask, words.shape, nonempty=False)
        lengths = mask.sum(1)
        word_edits = edits_of_routing(edits, 0, default=SENTENCES)
        for rows in lengths.argsort(stable=True).split(BATCH_SIZE):
            width = max(1, int(lengths[rows].max()))
            in_group = [_renumbered(edit, rows, lengths) for edit in word_edits]
            yield rows, list(self.steps(words[rows, :width], mask[rows, :width], unknown, n_iters, in_group))

    def document_steps(
        self,
        sentences: Float[Tensor, "s sentence"],
        counts: Int[Tensor, " b"],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> Iterator[DynamicStep]:
        """The steps of routing sentences to their document; ``n_iters`` is ``config.n_iters`` if None.

        Raises:
            ValueError: counts are not [b], at least 1 each, or do not sum to s.
        """
        return self.route(
            *self.document_votes(sentences, counts), n_iters, edits_of_routing(edits, 1, default=SENTENCES)
        )

    def document_votes(
        self, sentences: Float[Tensor, "s sentence"], counts: Int[Tensor, " b"]
    ) -> tuple[Float[Tensor, "b i j h"], Mask]:
        """The votes of sentences for their document's capsules, and the mask of real sentences."""
        if counts.ndim != 1 or int(counts.sum()) != len(sentences) or not (counts > 0).all():
            raise ValueError(f"counts is {counts.tolist()}, wanted numbers from 1 that sum to {len(sentences)}")
        rows = self.dropout_sentence(sentences).split(counts.tolist())
        mask = torch.arange(int(counts.max()), device=counts.device) < counts[:, None]
        return self.votes(self.document_encoder, self.document_vote, pad_sequence(rows, batch_first=True), mask), mask


def _renumbered(edit: RoutingEdit, rows: Int[Tensor, " g"], lengths: Int[Tensor, " s"]) -> RoutingEdit:
    """An edit for a group of sentences, with the index of its word counted within each sentence, not through all.

    The index is -1, which means no word (see ``core.edits``), in sentences without the word.
    """
    if not isinstance(edit, DropInput | SetCoupling):
        return edit
    edit.check(i=int(lengths.sum()))
    index = edit.i - (lengths.cumsum(0) - lengths)[rows]
    return replace(edit, i=index.where((index >= 0) & (index < lengths[rows]), -1))
