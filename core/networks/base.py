"""One class per kind of network, with all that the program knows of it: the rest is written once against it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.edits import DropInput, Edit, ReplaceWord, SetCoupling
from core.inputs.readers import Reader
from core.inputs.text import Word
from core.networks.cost import WORDS, Cost, check_cost
from core.networks.probe import Probe, Sample, batched, kept
from core.networks.reading import cut_words
from core.networks.summary import Summary, summarize_trace
from core.trace import Trace

NETWORKS: dict[str, "Network"] = {}  # by kind
Inputs = dict[str, Tensor | None]  # of a batch


@dataclass(frozen=True)
class Reading:
    """A text as a network reads it.

    Args:
        content: its words, sentences or word pieces; or its summary, if the text is run as it is read.
        length: number of positions in the network.
        notices: sentences such as that the text was cut.
    """

    content: Any
    length: int
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reruns:
    """A sample that was read once, to be run many times in one batch, each copy with its own edit.

    Args:
        sizes: of each routing in which single couplings can be cut, its number of inputs and of outputs.
        numbers: in the largest tensor of one copy.
        probabilities: (copies n, edits, iterations or None) -> after each step the class probabilities [n, k], in
            float64, in which one near 1 can still be told from 1.
    """

    sizes: Mapping[int, tuple[int, int]]
    numbers: int
    probabilities: Callable[[int, Sequence[Edit], int | None], Iterator[Tensor]]


@dataclass(frozen=True, eq=False)
class Step:
    """One iteration of a batch.

    Args:
        scores: of the classes.
        coupling: c_ij of the routing that edits name by default.
        real: which of its inputs are no padding.
        activation: |v_j|, or f(a_j) of EM routing.
        capsules: v_j.
    """

    scores: Float[Tensor, "b k"]
    coupling: Float[Tensor, "b i j"]
    real: Bool[Tensor, "b i"]
    activation: Float[Tensor, "b j"]
    capsules: Float[Tensor, "b j h"]


@dataclass(frozen=True, eq=False)
class Differentiable:
    """A network's class scores as a function of what it reads.

    Args:
        x: of one sample [1, ...].
        score: scores [b, k] of many such x.
        by_part: sums what x was attributed over the parts that are ranked.
    """

    x: Float[Tensor, "1 ..."]
    score: Callable[[Tensor], Float[Tensor, "b k"]]
    by_part: Callable[[ndarray], Float[ndarray, " n"]]


@dataclass(frozen=True, eq=False)
class Votes:
    """The votes of a text in the routing that the Lab runs.

    Args:
        votes: u_ij.
        unit: what an input is.
        inputs, outputs: their names.
    """

    votes: Float[Tensor, "1 i j h"]
    unit: str
    inputs: list[str]
    outputs: list[str]


class Network:
    """All that the program knows of one kind of network.

    Only ``trace`` must be written, or ``traces`` where many samples run faster together. The other methods have a slow
    or an empty answer for any kind.

    Attributes:
        record: the class of its traces, which has the facts that need no PyTorch.
        model: the network's class; its constructor takes a ``config``.
        config: the frozen dataclass of its hyper-parameters.
        reader: converts samples to the arguments of ``model.forward``.
        edits: those that runs can have.
        n_routings: that edits can name.
        shared_inputs: the routings in which input i means the same thing in every sample, such as part i.
        runs_by_part: whether dropping each part once takes a run over all others, so that long texts are cut first.
        capsules_are_classes: whether each output capsule is a class, so that none can be removed.
    """

    record: ClassVar[type[Trace]]
    model: ClassVar[type[torch.nn.Module]]
    config: ClassVar[type[Any]]
    reader: ClassVar[type[Reader]]
    edits: ClassVar[tuple[type[Edit], ...]] = ()
    n_routings: ClassVar[int] = 1
    shared_inputs: ClassVar[tuple[int, ...]] = ()
    runs_by_part: ClassVar[bool] = True
    capsules_are_classes: ClassVar[bool] = False

    def __init_subclass__(cls, record: type[Trace] | None = None) -> None:
        if record is not None:
            if cls.trace is Network.trace and cls.traces is Network.traces:
                raise TypeError(f"{cls.__name__} has neither trace nor traces, wanted one of them")
            cls.record = record
            NETWORKS[record.kind] = cls()

    def trace(
        self,
        checkpoint: Checkpoint,
        sample: str | ndarray,
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> Trace:
        """Run the network on a text or a pair of pictures and record every step. Errors as in ``core.explain``."""
        (trace,) = self.traces(checkpoint, [sample], n_iters, edits)
        return trace

    def traces(
        self,
        checkpoint: Checkpoint,
        samples: Sequence[Any],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> list[Trace]:
        """``trace`` of many samples of similar length; one by one unless a kind runs them together, which is faster.

        Args:
            edits: none of which names an input of one sample, unless there is one sample.
        """
        return [self.trace(checkpoint, sample, n_iters, edits) for sample in samples]

    def words(self, checkpoint: Checkpoint, text: str) -> list[list[Word]]:
        """The words of each sentence of a text, as a trace has them; one sentence unless the network reads several.

        Raises:
            ValueError: the text has no word.
        """
        return [cut_words(text)[0]]

    def read(self, checkpoint: Checkpoint, text: str) -> Reading:
        """A text as ``summaries`` takes it. Errors as in ``words``."""
        trace = self.trace(checkpoint, text)
        return Reading(summarize_trace(trace), 1, tuple(trace.notices))

    def summaries(self, checkpoint: Checkpoint, contents: list[Any]) -> list[Summary]:
        """Run many texts at once, as many iterations as in training.

        Args:
            contents: of readings, none empty.
        """
        return contents

    def reruns(self, checkpoint: Checkpoint, sample: Any, edits: Sequence[Edit]) -> Reruns:
        """The network after it has read a sample.

        Args:
            edits: of the text.

        Raises:
            ValueError: no edit of this network has a dose.
        """
        raise ValueError(f"{checkpoint.name} has neither couplings to cut nor an edit with a dose.")

    def is_routed(self, model: Any) -> bool:
        """Whether a network of this kind routes: ``steps`` works."""
        return False

    def steps(self, model: Any, inputs: Inputs, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
        """Each iteration of a batch; ValueError for a kind that routes nothing."""
        raise ValueError(f"networks of kind {self.record.kind} have no routing")

    def typed_parts(self, checkpoint: Checkpoint, text: str) -> Any:
        """A text as ``probe`` takes it: its words, or its sentences of words."""
        return [word.text for word in self.words(checkpoint, text)[0]]

    def probe(self, checkpoint: Checkpoint, sample: Sample) -> Probe:
        """A sample with the network's rankings of its parts, and its answers without some of them."""
        words = list(sample)

        def without(mask: Tensor) -> Tensor:
            texts = (" ".join(left) for left in kept(words, mask))
            return torch.stack([torch.from_numpy(self.trace(checkpoint, text).class_probabilities) for text in texts])

        whole = self.trace(checkpoint, " ".join(words))
        answer = batched(checkpoint, without)
        return Probe(words, whole.class_probabilities, {}, answer, answer)

    def differentiable(self, checkpoint: Checkpoint, sample: Sample) -> Differentiable | None:
        """The class scores as a function of what the network reads; None if they have no gradient."""
        return None

    def cost(self, config: Any) -> Cost:
        """What a run of 1,000 words takes, or of a pair of large pictures, by a network's configuration.

        Raises:
            ValueError: the kind does not say, so that no page takes its checkpoints from visitors.
        """
        raise ValueError(f"the cost of a run is not known for networks of kind {self.record.kind}")

    def check_for_pages(self, config: Any) -> None:
        """Raise ValueError for a network that pages cannot run or draw."""
        of = "two pictures" if self.record.reads == "pictures" else f"{WORDS:,} words"
        check_cost(self.cost(config), of)

    def votes(self, checkpoint: Checkpoint, text: str) -> Votes:
        """The votes of a text.

        Raises:
            ValueError: the network routes no votes of a text.
        """
        able = ", ".join(kind for kind, network in NETWORKS.items() if type(network).votes is not Network.votes)
        raise ValueError(f"{checkpoint.name} has no votes to route; wanted a network of kind {able}")

    def names_an_input_of_one_sample(self, edit: Edit) -> bool:
        """Whether an edit names a word, or another input that each sample has for itself."""
        if not isinstance(edit, DropInput | SetCoupling):
            return isinstance(edit, ReplaceWord)
        return (0 if self.n_routings == 1 else edit.routing) not in self.shared_inputs


def network_of(checkpoint: Checkpoint) -> Network:
    """What the program knows of a checkpoint's kind of network."""
    return NETWORKS[checkpoint.kind]
