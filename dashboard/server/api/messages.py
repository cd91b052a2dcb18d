"""The requests and answers of the interface for programs. The OpenAPI document is generated from these types."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from core.measured.evidence.record import Accuracy, Estimate
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.server.api.limits import MAX_EDIT, MAX_EDITS, MAX_TEXT, MAX_TEXTS

Network = Annotated[str, Meta(min_length=1, max_length=200, description="Name of a network, as /api/models lists it.")]
Text = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
Iterations = Annotated[
    Annotated[int, Meta(ge=1, le=MAX_ITERATIONS)] | None,
    Meta(description="Routing iterations; as many as in training if null. Null for a network without routing."),
]
Edit = Annotated[str, Meta(min_length=1, max_length=MAX_EDIT)]
Edits = Annotated[
    tuple[Edit, ...],
    Meta(max_length=MAX_EDITS, description='Changes inside the run, such as "drop:0" or "capsule:1", in order.'),
]


class ExplainRequest(Struct, forbid_unknown_fields=True):
    """A text to run."""

    network: Network
    text: Text
    iterations: Iterations = None
    edits: Edits = ()


class CutsRequest(ExplainRequest, forbid_unknown_fields=True):
    """A text to run without each coupling."""

    by: Annotated[
        Literal["cell", "input", "capsule"],
        Meta(description="Cut each coupling, or all couplings of an input or of a capsule at once."),
    ] = "cell"
    routing: Annotated[
        Annotated[int, Meta(ge=0, le=1)] | None,
        Meta(description="Number of the routing, from 0; the one that edits name by default if null."),
    ] = None


class BatchRequest(Struct, forbid_unknown_fields=True):
    """Texts to run."""

    network: Network
    texts: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=MAX_TEXTS)]
    iterations: Iterations = None
    edits: Edits = ()
    traces: Annotated[bool, Meta(description="Whether each line has the trace of its text.")] = False


class BadgeFacts(Struct):
    """Whether the network's picture finds what its answers depend on, over many texts, without edits."""

    text: Annotated[str, Meta(description="The badge in one line.")]
    verdict: str
    ranking: Annotated[str, Meta(description='The ranking that was tested; "" if none was.')]
    unit: Annotated[str, Meta(description="What was ranked and deleted.")]
    share: Annotated[
        float | None,
        Meta(description="The ranking's effect as a share of a direct test's; null if it is no better than random."),
    ]
    trainings: Annotated[list[float], Meta(description="This share for each training, this one first.")]


class Deletion(Struct):
    """The fall of the answer's probability when what a ranking names first is deleted, as a mean over texts."""

    way: Annotated[str, Meta(description="masked (inside the network) or removed (from the text)")]
    picture: Annotated[Estimate, Meta(description="By the network's picture, minus random.")]
    direct_test: Annotated[Estimate | None, Meta(description="By the better of two direct tests, minus random.")]
    random: Annotated[Estimate, Meta(description="In random order.")]


class Control(Struct):
    """The tests that the badge rests on. Intervals are of 95%."""

    sample: Annotated[str, Meta(description="The measured texts.")]
    n: Annotated[int, Meta(description="Number of measured texts.")]
    command: Annotated[str, Meta(description="The command that measured them.")]
    deletions: list[Deletion]
    couplings: Annotated[
        dict[str, Accuracy],
        Meta(description="Accuracy as trained, and with other couplings: equal, shuffled, random, another text's."),
    ]


class Facts(Struct):
    """The network that an answer is from."""

    network: str
    weights: Annotated[str, Meta(description="sha256 of the file of weights.")]
    version: Annotated[str, Meta(description="Version of Routescope.")]
    badge: BadgeFacts
    control: Annotated[Control | None, Meta(description="Null if nothing was measured.")]


class ModelFacts(Facts):
    """A network of this server."""

    title: Annotated[str, Meta(description="The network in plain words.")]
    kind: str
    reads: Annotated[str, Meta(description="text or pictures. Programs can run networks that read text.")]
    task: str
    classes: list[str]
    iterations: Annotated[int | None, Meta(description="Routing iterations in training; null without routing.")]
    parameters: int
    accuracy: Annotated[float | None, Meta(description="Accuracy on the test split, 0 to 1; null if not measured.")]


class ModelsAnswer(Struct):
    """The networks of this server."""

    models: list[ModelFacts]


class CutsAnswer(Struct):
    """The effects of all cuts of one text."""

    about: Facts
    classes: list[str]
    cuts: Annotated[
        list[list[list[float]]],
        Meta(description="The fall of each class's log-odds, by input, capsule and class."),
    ]


class BatchHead(Struct):
    """The first line of the answer to a batch."""

    about: Facts
    classes: list[str]


class BatchResult(Struct):
    """A further line: the result of one text."""

    index: Annotated[int, Meta(description="Number of the text, from 0.")]
    error: Annotated[str | UnsetType, Meta(description="Why the text was not run; then no entry below is there.")] = (
        UNSET
    )
    answer: Annotated[str | UnsetType, Meta(description="The most probable class.")] = UNSET
    probabilities: list[float] | UnsetType = UNSET
    notices: list[str] | UnsetType = UNSET


class Refusal(Struct):
    """The reason why there is no other answer, in one sentence."""

    error: str
