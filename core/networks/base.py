"""The base class of all kinds of networks. The rest of the program runs every kind through this class."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import torch
from jaxtyping import Bool, Float, Int
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

Model = TypeVar("Model", bound=torch.nn.Module)
Reads = TypeVar("Reads", bound=Reader)
Record = TypeVar("Record", bound=Trace)
NETWORKS: dict[str, "Network"] = {}  # networks by kind
Inputs = dict[str, Any]  # arguments of ``model.forward`` for a batch


class Rerun(NamedTuple):
    """One step of many runs of a sample.

    Args:
        probabilities: class probabilities, in float64, which can resolve values near 1.
        cells: numbers of the main picture, as in ``Trace.cells``; None if it shows something else.
    """

    probabilities: Float[Tensor, "n k"]
    cells: Float[Tensor, "n i j"] | None = None


@dataclass(frozen=True)
class Reruns:
    """A sample read once, then run many times in one batch, each copy with a different edit.

    Args:
        sizes: numbers of inputs and outputs, by routing, of the routings in which single couplings can be cut.
        numbers: number of elements in the largest tensor of one copy.
        steps: function of the number of copies n, the edits, and the iterations or None. It yields each step.
    """

    sizes: Mapping[int, tuple[int, int]]
    numbers: int
    steps: Callable[[int, Sequence[Edit], int | None], Iterator[Rerun]]


@dataclass(frozen=True, eq=False)
class Step:
    """One iteration of a batch.

    Args:
        scores: scores of the classes.
        coupling: c_ij of the routing that edits name by default.
        real: True for inputs of that routing, False for padding.
        activation: |v_j|, or f(a_j) in EM routing.
        capsules: v_j.
    """

    scores: Float[Tensor, "b k"]
    coupling: Float[Tensor, "b i j"]
    real: Bool[Tensor, "b i"]
    activation: Float[Tensor, "b j"]
    capsules: Float[Tensor, "b j h"]


@dataclass(frozen=True, eq=False)
class Differentiable:
    """A network's class scores as a differentiable function of its input.

    Args:
        x: input of one sample [1, ...].
        score: function from a batch of such inputs to the scores [b, k].
        by_part: function that sums the attributions [...] of x within each ranked part.
    """

    x: Float[Tensor, "1 ..."]
    score: Callable[[Tensor], Float[Tensor, "b k"]]
    by_part: Callable[[ndarray], Float[ndarray, " n"]]


@dataclass(frozen=True, eq=False)
class Votes:
    """The votes of a text in the routing that the Lab runs.

    Args:
        votes: u_ij.
        unit: unit of an input, such as "word".
        inputs, outputs: names of the inputs and outputs.
    """

    votes: Float[Tensor, "1 i j h"]
    unit: str
    inputs: list[str]
    outputs: list[str]


@dataclass(frozen=True, eq=False)
class UnitRun:
    """The units of a network in one run.

    Args:
        spans: the characters [start, end) of each input in the text; empty for places in a picture.
        taken: amount that unit u takes from input i, at least 0: a coupling, an attention or a number of components.
        activation: activation of each unit, such as |v_j|.
        probabilities: class probabilities.
        without: the class probabilities when each unit is removed.
        vectors: vector of each unit; None if it has none.
    """

    spans: Int[ndarray, "i 2"]
    taken: Float[ndarray, "u i"]
    activation: Float[ndarray, " u"]
    probabilities: Float[ndarray, " k"]
    without: Float[ndarray, "u k"]
    vectors: Float[ndarray, "u h"] | None = None


class Network(Generic[Model, Reads, Record]):
    """One kind of network.

    A subclass must define ``trace``, or ``traces`` if many samples run faster together. The other methods have
    defaults that work for every kind but are slow or empty.

    Attributes:
        record: class of its traces, with the facts that need no PyTorch.
        model: class of the network; its constructor takes a ``config``.
        config: frozen dataclass of the hyper-parameters.
        reader: class that converts samples to the arguments of ``model.forward``.
        edits: kinds of edits that a run can have.
        n_routings: number of routings that edits can name.
        shared_inputs: routings in which input i means the same thing in every sample (part i, for example).
        runs_by_part: whether deleting a part takes a run over all other parts. If it does, only the first words of a
            long text are ranked.
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
        super().__init_subclass__()
        if record is not None:
            if cls.trace is Network.trace and cls.traces is Network.traces:
                raise TypeError(f"{cls.__name__} has neither trace nor traces, wanted one of them")
            cls.record = record
            NETWORKS[record.kind] = cls()

    def trace(
        self,
        checkpoint: Checkpoint[Model, Reads],
        sample: str | ndarray,
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> Record:
        """Run the network on a text or a pair of pictures and record every step. Errors as in ``core.explain``."""
        (trace,) = self.traces(checkpoint, [sample], n_iters, edits)
        return trace

    def traces(
        self,
        checkpoint: Checkpoint[Model, Reads],
        samples: Sequence[Any],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> list[Record]:
        """Trace many samples of similar length: one by one, unless the kind runs them together, which is faster.

        Args:
            edits: edits of every run. With several samples, none may name an input of one sample.
        """
        return [self.trace(checkpoint, sample, n_iters, edits) for sample in samples]

    def words(self, checkpoint: Checkpoint[Model, Reads], text: str) -> list[list[Word]]:
        """The words of each sentence of a text; one sentence unless the network reads several.

        Raises:
            ValueError: the text has no word.
        """
        return [cut_words(text)[0]]

    def length(self, checkpoint: Checkpoint[Model, Reads], text: str) -> int:
        """The number of positions that a text takes in the network. Errors as in ``words``."""
        return sum(map(len, self.words(checkpoint, text)))

    def summaries(self, checkpoint: Checkpoint[Model, Reads], texts: list[str]) -> list[Summary]:
        """Run many texts of similar length for a table, with as many iterations as in training.

        A kind can override this to skip what only a trace holds, which is faster.
        """
        return [summarize_trace(trace) for trace in self.traces(checkpoint, texts)]

    def reruns(self, checkpoint: Checkpoint[Model, Reads], sample: Any, edits: Sequence[Edit]) -> Reruns:
        """Read a sample once, for many runs.

        Args:
            edits: edits of the text, which apply to every run.

        Raises:
            ValueError: no edit of this network has a dose.
        """
        raise ValueError(f"{checkpoint.name} has neither couplings to cut nor an edit with a dose.")

    def is_routed(self, model: Any) -> bool:
        """Whether this network routes, so that ``steps`` works."""
        return False

    def steps(self, model: Any, inputs: Inputs, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
        """Yield each iteration of a batch; ValueError for a kind without routing."""
        raise ValueError(f"networks of kind {self.record.kind} have no routing")

    def typed_parts(self, checkpoint: Checkpoint[Model, Reads], text: str) -> Any:
        """Split a text for ``probe``: into words, or into sentences of words."""
        return [word.text for word in self.words(checkpoint, text)[0]]

    def probe(self, checkpoint: Checkpoint[Model, Reads], sample: Sample) -> Probe:
        """Rank the parts of a sample, and prepare answers without some of them."""
        words = list(sample)

        def without(mask: Tensor) -> Tensor:
            texts = (" ".join(left) for left in kept(words, mask))
            return torch.stack([torch.from_numpy(self.trace(checkpoint, text).class_probabilities) for text in texts])

        whole = self.trace(checkpoint, " ".join(words))
        answer = batched(checkpoint, without)
        return Probe(words, whole.class_probabilities, {}, answer, answer)

    def differentiable(self, checkpoint: Checkpoint[Model, Reads], sample: Sample) -> Differentiable | None:
        """The class scores as a function of the input; None if they have no gradient."""
        return None

    def cost(self, config: Any) -> Cost:
        """The cost of a run on 1,000 words, or on a pair of large pictures.

        Raises:
            ValueError: the cost is not known, so that pages refuse uploads of this kind.
        """
        raise ValueError(f"the cost of a run is not known for networks of kind {self.record.kind}")

    def check_for_pages(self, config: Any) -> None:
        """Raise ValueError for a network that pages cannot run or draw."""
        sample = "two pictures" if self.record.reads == "pictures" else f"{WORDS:,} words"
        check_cost(self.cost(config), sample)

    def votes(self, checkpoint: Checkpoint[Model, Reads], text: str) -> Votes:
        """The votes of a text.

        Raises:
            ValueError: the network has no votes of a text.
        """
        kinds = ", ".join(kind for kind, network in NETWORKS.items() if type(network).votes is not Network.votes)
        raise ValueError(f"{checkpoint.name} has no votes to route; wanted a network of kind {kinds}")

    def unit_runs(self, checkpoint: Checkpoint[Model, Reads], samples: Sequence[Any]) -> list[UnitRun]:
        """The units of runs on texts of similar length or on pairs of pictures, and the answers without each.

        Raises:
            ValueError: the network has no units, or a sample cannot be read.
        """
        raise ValueError(f"networks of kind {self.record.kind} have no units to describe")

    def unit_run(self, checkpoint: Checkpoint[Model, Reads], sample: Any) -> UnitRun:
        """``unit_runs`` of one sample."""
        (run,) = self.unit_runs(checkpoint, [sample])
        return run

    def workings(
        self, checkpoint: Checkpoint[Model, Reads], text: str, edits: Sequence[Edit] = ()
    ) -> dict[str, Tensor]:
        """Numbers of a run that its trace does not hold, and that ``core.worked`` can use; by default none.

        Args:
            edits: edits of the run; only those that replace words are applied here.
        """
        return {}

    def names_an_input_of_one_sample(self, edit: Edit) -> bool:
        """Whether an edit names a word, or another input that differs from sample to sample."""
        if not isinstance(edit, DropInput | SetCoupling):
            return isinstance(edit, ReplaceWord)
        return (0 if self.n_routings == 1 else edit.routing) not in self.shared_inputs


def network_of(checkpoint: Checkpoint) -> Network:
    """The ``Network`` of a checkpoint's kind."""
    return NETWORKS[checkpoint.kind]
