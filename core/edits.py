"""Edits: changes inside a run, as plain values. Each has a form on the command line, such as ``couple:3,1=0.5``.

A network applies its edits in order, each at its place: in a routing (``core.routing.edited``), in a layer, or in the
text before it is read. This module parses and describes edits, without PyTorch.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any, ClassVar

from jaxtyping import Float, Int

from core.near import suggest_similar
from core.sentences.naming import Naming, Things, is_number, name_in_words
from core.sentences.words import quote

HOWS = {  # ways to replace all couplings
    "uniform": "equal shares",
    "first": "shares of iteration 1 kept",
    "shuffled": "shares shuffled among the inputs",
    "random": "random shares",
}
MAX_CHANGE = 1e6  # limit of numbers that are added or multiplied; squares of larger ones may overflow

# In a batch an edit may differ between samples. It then holds a tensor, in which -1 means no index.
Index = int | Int[Any, " b"]
Number = float | Float[Any, " b"]


@dataclass(frozen=True)
class Argument:
    """An argument in the forms: how to read it, and which values it allows."""

    read: Callable[[str], Any]
    type: type
    accepts: Callable[[Any], bool]
    wanted: str


NUMBERED = ("I", "J", "L", "R", "C")  # arguments that are indices
INDEX = Argument(int, Integral, lambda n: n >= 0, "a whole number from 0")
ARGUMENTS = {
    **dict.fromkeys(NUMBERED, INDEX),
    "SEED": Argument(int, Integral, lambda n: 0 <= n < 1 << 63, "a whole number from 0, below 2^63"),
    "V": Argument(float, Real, lambda v: 0 <= v <= 1, "a number from 0 to 1"),
    "T": Argument(int, Integral, lambda n: n >= 1, "a whole number from 1"),
    "BY": Argument(float, Real, lambda by: abs(by) <= MAX_CHANGE, f"a number from -{MAX_CHANGE:g} to {MAX_CHANGE:g}"),
    "K": Argument(float, Real, lambda k: 0 <= k <= MAX_CHANGE, f"a number from 0 to {MAX_CHANGE:g}"),
    "HOW": Argument(str, str, HOWS.__contains__, f"one of {', '.join(HOWS)}"),
    "TEXT": Argument(str, str, lambda _: True, "text"),
}


class OutOfRangeError(ValueError):
    """An index in an edit is out of range for this run.

    Args:
        name, value: name and value of the field.
        form: form of the edit.
        size: number of things that the index counts.
    """

    def __init__(self, name: str, value: int, form: str, size: int):
        self.size = size
        super().__init__(f"{name} is {value} in {form}, wanted 0 to {size - 1}")


@dataclass(frozen=True)
class Edit:
    """A change inside a run. Its fields, in order, are the arguments in its form; those in brackets have a default.

    Raises:
        ValueError: a field has a value that is invalid in every run.
    """

    form: ClassVar[str]
    dose: ClassVar[str] = ""  # name of the field that a slider can set

    def __post_init__(self) -> None:
        for name, argument in zip(self._fields(), self._arguments(), strict=True):
            value, wanted = getattr(self, name), ARGUMENTS[argument]
            if _is_tensor(value):
                continue
            if not isinstance(value, wanted.type) or isinstance(value, bool) or not wanted.accepts(value):
                raise ValueError(f"{name} is {value!r} in {self.form}, wanted {wanted.wanted}")

    def __str__(self) -> str:
        """The edit's form on the command line, which ``parse_edit`` reads."""
        *before, last = map(_typed, self._values())
        body = ",".join(before) + "=" + last if "=" in self.form else ",".join([*before, last])
        return f"{self.name()}:{body}"

    def check(self, **sizes: int) -> None:
        """Raise OutOfRangeError unless each named field is below its size; fields that the edit lacks are ignored."""
        for name, size in sizes.items():
            value = getattr(self, name, -1)
            if not _is_tensor(value) and value >= size:
                raise OutOfRangeError(name, value, self.form, size)

    @property
    def target(self) -> tuple[Hashable, ...]:
        """The quantity that the edit sets. If two edits have the same target, the later one counts."""
        pairs = zip(self._fields(), self._arguments(), strict=True)
        return type(self), getattr(self, "routing", None), *(getattr(self, f) for f, a in pairs if a in NUMBERED)

    def dosed(self, value: Any) -> "Edit":
        """The edit with another dose."""
        return replace(self, **{self.dose: value})

    def unit(self, naming: Naming) -> str:
        """The unit of the edit's input under this naming, such as "word"; "" if it has no input."""
        return naming.unit(self.name(), "I", self._routing()) if "i" in self._fields() else ""

    @classmethod
    def name(cls) -> str:
        """The word before the colon in the edit's form."""
        return cls.form.partition(":")[0]

    def _routing(self) -> str:
        """The routing as typed, or ""."""
        routing = getattr(self, "routing", None)
        return "" if routing is None else str(routing)

    @classmethod
    def _arguments(cls) -> list[str]:
        """The names of the arguments in the form."""
        return re.findall("[A-Z]+", cls.form)

    @classmethod
    def _fields(cls) -> list[str]:
        """The names of the fields that hold these arguments."""
        return [f.name for f in fields(cls) if f.name != "routing"]

    def _values(self) -> list[Any]:
        """The arguments that differ from their defaults."""
        defaults = {f.name: f.default for f in fields(self)}
        return [getattr(self, name) for name in self._fields() if getattr(self, name) != defaults[name]]


@dataclass(frozen=True)
class RoutingEdit(Edit):
    """A change inside a routing, in every iteration.

    Args:
        routing: index of one of a network's two routings, 0 or 1, written as ``@1`` after the form. None is the routing
            with the inputs that the user sees: for documents the second one (sentences), for EM networks the first.
    """

    routing: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.routing not in (None, 0, 1):
            raise ValueError(f"routing is {self.routing!r} in {self.form}, wanted 0 or 1")

    def __str__(self) -> str:
        return super().__str__() + ("" if self.routing is None else f"@{self.routing}")


@dataclass(frozen=True)
class DropInput(RoutingEdit):
    """Ignore input i, as if it were padding. In EM routing its score is -inf.

    If no routing is named, i counts what the user sees: words of a text, sentences of a document, places in pictures.
    EM networks detect several capsules in each of these; with ``@0``, i is a single capsule.
    """

    form: ClassVar[str] = "drop:I"
    i: Index


@dataclass(frozen=True)
class DropCapsule(RoutingEdit):
    """Give output capsule j nothing: its c_ij is 0, and the other shares of each input are rescaled to sum to 1.

    No other edit of the routing gives it something, not even a later one. In reversed routing, where the shares of a
    capsule sum to 1, the other capsules keep their shares.
    """

    form: ClassVar[str] = "capsule:J"
    j: Index


@dataclass(frozen=True)
class SetCoupling(RoutingEdit):
    """Set c_ij to this value, and rescale the shares that sum to 1 with it.

    They stay 0 if all of them are 0. A later edit may rescale c_ij in turn.
    """

    form: ClassVar[str] = "couple:I,J=V"
    dose: ClassVar[str] = "value"
    i: Index
    j: Index
    value: Number


@dataclass(frozen=True)
class Couplings(RoutingEdit):
    """Replace all couplings.

    Args:
        how: "uniform"; "first", the couplings of the first iteration; "shuffled", where each capsule's shares are
            permuted among the inputs and each input's shares are then rescaled to sum to 1; or "random", drawn from a
            flat Dirichlet distribution.
        seed: seed of the permutations and of the distribution.
    """

    form: ClassVar[str] = "couplings:HOW[,SEED]"
    how: str
    seed: int = 0


@dataclass(frozen=True, eq=False)
class GivenCouplings(RoutingEdit):
    """Make all couplings proportional to these, in every iteration; those of padding are 0.

    Only for programs, because a command line cannot hold so many numbers.
    """

    form: ClassVar[str] = "given:C"
    c: Float[Any, "b i j"]


@dataclass(frozen=True)
class FreezeAfter(RoutingEdit):
    """Keep the couplings unchanged after iteration t, counted from 1."""

    form: ClassVar[str] = "freeze:T"
    t: int


@dataclass(frozen=True)
class Sharpness(RoutingEdit):
    """Set the factor K in the softmax of k-means routing, c_ij = softmax_j(K b_ij); 1 is the paper's algorithm 1.

    Source: Ren, Lu 2022, eq. 10.
    """

    form: ClassVar[str] = "sharpness:K"
    dose: ClassVar[str] = "value"
    value: Number


@dataclass(frozen=True)
class ReplaceWord(Edit):
    """Replace word i of the text, or remove it if ``text`` is empty.

    Words are the tokens of a trace, counted in the text after all earlier edits.
    """

    form: ClassVar[str] = "replace:I=TEXT"
    i: int
    text: str


@dataclass(frozen=True)
class ShiftPose(Edit):
    """Add this to one component of part j's pose, in the second routing of smallNORB's network."""

    form: ClassVar[str] = "pose:J,R,C=BY"
    dose: ClassVar[str] = "by"
    j: int
    row: int
    column: int
    by: Number


@dataclass(frozen=True)
class SetGate(Edit):
    """Set all components of AGT's gate T_l to this value. Gates exist from layer 1."""

    form: ClassVar[str] = "gate:L=V"
    dose: ClassVar[str] = "value"
    layer: int
    value: Number


@dataclass(frozen=True)
class DropAttention(Edit):
    """Make AGT's layer l attend to no word: its attention, and so s_l, is 0."""

    form: ClassVar[str] = "attention:L"
    layer: int


COUPLING_EDITS = (DropCapsule, SetCoupling, Couplings, FreezeAfter)
EDITS = (DropInput, ReplaceWord, *COUPLING_EDITS, Sharpness, ShiftPose, SetGate, DropAttention)

# The argument ``edit`` of a routing: one edit, or several that are applied in order.
EditArgument = Edit | Sequence[Edit] | None


def parse_edit(text: str, naming: Naming | None = None, things: Callable[[], Things] = dict) -> Edit:
    """Parse an edit from its form on the command line.

    Args:
        text: form of the edit.
        naming: naming of the network's things; without it, an edit cannot contain names.
        things: function that returns the names in this run; called only if the edit contains a name.

    Raises:
        ValueError: there is no such edit, an argument is out of range, or a name is unknown.

    Example:
        >>> str(parse_edit("couple:3,1=0.5@1"))
        'couple:3,1=0.5@1'
    """
    kind, arguments, routing = _take_apart(text)
    named = {letter: argument for letter, argument in arguments.items() if letter in NUMBERED}
    if naming and not all(map(is_number, named.values())):
        indices, routing = naming.find_indices(kind.name(), named, routing, things())
        arguments |= {letter: str(number) for letter, number in indices.items()}
    try:
        values = [ARGUMENTS[letter].read(argument) for letter, argument in arguments.items()]
    except ValueError:
        raise ValueError(f"the edit is {text!r}, wanted {kind.form}") from None
    chosen = {"routing": int(routing)} if routing and issubclass(kind, RoutingEdit) else {}
    return kind(*values, **chosen)


def describe(edit: Edit | str, naming: Naming, things: Things) -> str:
    """Describe an edit in words; text that is no edit is returned unchanged.

    Args:
        edit: the edit, or its form on the command line in numbers.
        naming: naming of the network's things.
        things: names of the things in this run.
    """
    if isinstance(edit, str):
        try:
            edit = parse_edit(edit)
        except ValueError:
            return edit
    routing = edit._routing()
    title = naming.sides(routing).title
    in_routing = f", {title}" if title else ""

    def called(letter: str, n: int) -> str:
        return name_in_words(naming.unit(edit.name(), letter, routing), n, things)

    match edit:
        case DropInput(i):
            return f"without {called('I', i)}"
        case ReplaceWord(i, text):
            return f"{called('I', i)} → {quote(text)}" if text else f"{called('I', i)} deleted"
        case DropCapsule(j):
            return f"without {called('J', j)}"
        case SetCoupling(i, j, value):
            return f"share of {called('I', i)} for {called('J', j)}: {_typed(value)}"
        case Couplings(how):
            return HOWS[how] + in_routing
        case FreezeAfter(t):
            return f"shares kept from iteration {t} on{in_routing}"
        case Sharpness(value):
            return f"sharpness K = {value:g}"
        case SetGate(layer, value):
            return f"gate of layer {layer + 1}: {value:g}"
        case DropAttention(layer):
            return f"layer {layer + 1} attends to nothing"
        case ShiftPose(j, row, column, by):
            return f"part {j + 1}, row {row + 1}, column {column + 1}: {by:+.2f}"
    return str(edit)


def _typed(value: Any) -> str:
    """An argument as typed in a form."""
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _is_tensor(value: Any) -> bool:
    """Whether a value is a tensor or an array, which this module need not import."""
    return hasattr(value, "dtype")


def kind_of(text: str) -> type[Edit]:
    """The class of the edit with this form; ValueError if there is none."""
    by_name = {kind.name(): kind for kind in EDITS}
    name = text.partition(":")[0]
    if name in by_name:
        return by_name[name]
    wanted = f", wanted one of {', '.join(kind.form for kind in EDITS)}"
    raise ValueError(
        f"the edit is {text!r}" + (f". {question}" if (question := suggest_similar(name, by_name)) else wanted)
    )


def _take_apart(text: str) -> tuple[type[Edit], dict[str, str], str]:
    """Split a form into the edit's class, its arguments by letter as typed, and the routing that it names, or ""."""
    kind = kind_of(text)
    match = re.fullmatch(_pattern(kind), text, re.DOTALL)
    if match is None:
        raise ValueError(f"the edit is {text!r}, wanted {kind.form}")
    arguments = {letter: argument for letter, argument in match.groupdict().items() if argument is not None}
    routing = arguments.pop("routing", "")
    return kind, arguments, routing


def _pattern(kind: type[Edit]) -> str:
    """A regular expression that parses a form. Its groups are the arguments and the routing.

    The first argument may be a word with commas, so it ends at the last comma that fits. Those after a comma hold none:
    the time to match a form then grows with its length, not with a power of it.
    """

    def group(match: re.Match[str]) -> str:
        before, letter, comma = match.groups()
        if letter == "TEXT":
            return f"{before}(?P<TEXT>.*)"
        matched = "[^,]+?" if before in (",", "[,") else ".+" if comma else ".+?"
        return f"{before}(?P<{letter}>{matched})"

    arguments = re.sub(r"(\W+)([A-Z]+)(?=(,?))", group, kind.form)
    arguments = arguments.replace("[,", "(?:,").replace(")]", "))?")
    return arguments + (r"(?:@(?P<routing>\d+))?" if issubclass(kind, RoutingEdit) else "")


def edits_of_routing(edits: Iterable[Edit], routing: int, default: int = 0) -> list[RoutingEdit]:
    """The edits that change one of a network's routings.

    Args:
        edits: edits of a run.
        routing: 0 or 1.
        default: routing that an edit changes if it names none.
    """
    routing_edits = (edit for edit in edits if isinstance(edit, RoutingEdit))
    return [edit for edit in routing_edits if routing == (default if edit.routing is None else edit.routing)]
