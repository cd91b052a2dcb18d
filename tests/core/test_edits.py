"""Edits: their forms on the command line, their JSON, and refused forms."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.edits import (
    EDITS,
    HOWS,
    Couplings,
    DropAttention,
    DropCapsule,
    DropInput,
    FreezeAfter,
    ReplaceWord,
    RoutingEdit,
    SetCoupling,
    SetGate,
    Sharpness,
    ShiftPose,
    edits_of_routing,
    parse_edit,
)

FORMS = {
    "drop:3": DropInput(3),
    "drop:3@1": DropInput(3, routing=1),
    "replace:2=not bad": ReplaceWord(2, "not bad"),
    "replace:2=": ReplaceWord(2, ""),
    "replace:0=a=b,c@1": ReplaceWord(0, "a=b,c@1"),
    "capsule:4": DropCapsule(4),
    "couple:3,1=0.5": SetCoupling(3, 1, 0.5),
    "couple:3,1=1@0": SetCoupling(3, 1, 1.0, routing=0),
    "couplings:uniform": Couplings("uniform"),
    "couplings:random,7": Couplings("random", 7),
    "freeze:2": FreezeAfter(2),
    "sharpness:20": Sharpness(20),
    "pose:5,0,3=-1.5": ShiftPose(5, 0, 3, -1.5),
    "gate:1=0": SetGate(1, 0),
    "attention:0": DropAttention(0),
}
whole, share = st.integers(0, 999), st.floats(0, 1)
routings = st.sampled_from([None, 0, 1])
ARGUMENTS = {  # strategies for the arguments of each kind
    DropInput: (whole,),
    DropCapsule: (whole,),
    SetCoupling: (whole, whole, share),
    Couplings: (st.sampled_from(tuple(HOWS)), whole),
    FreezeAfter: (st.integers(1, 50),),
    Sharpness: (st.floats(0, 1e6),),
    ReplaceWord: (whole, st.text()),
    ShiftPose: (whole, whole, whole, st.floats(-1e6, 1e6)),
    SetGate: (whole, share),
    DropAttention: (whole,),
}


@pytest.mark.parametrize("text", FORMS)
def test_a_form_and_its_edit_are_read_and_written(text):
    assert parse_edit(text) == FORMS[text]
    assert str(FORMS[text]) == text


def test_the_forms_cover_every_edit():
    assert {type(edit) for edit in FORMS.values()} == set(EDITS)


@pytest.mark.parametrize("kind", EDITS)
@given(data=st.data())
def test_an_edit_is_restored_from_its_form_and_from_json(kind, data):
    options = {"routing": data.draw(routings)} if issubclass(kind, RoutingEdit) else {}
    edit = kind(*data.draw(st.tuples(*ARGUMENTS[kind])), **options)
    assert parse_edit(str(edit)) == edit
    assert type(edit)(**json.loads(json.dumps(asdict(edit)))) == edit


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the edit is '', wanted one of drop:I, replace:I=TEXT"),
        ("paint:3", "the edit is 'paint:3', wanted one of drop:I"),
        ("drop", "wanted drop:I"),
        ("drop:x", "the edit is 'drop:x', wanted drop:I"),
        ("drop:1,2", "wanted drop:I"),
        ("drop:-1", "i is -1 in drop:I, wanted a whole number from 0"),
        ("drop:1@2", "routing is 2 in drop:I, wanted 0 or 1"),
        ("couple:1,2", "wanted couple:I,J=V"),
        ("couple:1=0.5", "wanted couple:I,J=V"),
        ("couple:1,2=1.5", "value is 1.5 in couple:I,J=V, wanted a number from 0 to 1"),
        ("couple:1,2=nan", "value is nan in couple:I,J=V, wanted a number from 0 to 1"),
        ("couplings:mine", "how is 'mine' in couplings:HOW[,SEED], wanted one of uniform, first, shuffled, random"),
        ("freeze:0", "t is 0 in freeze:T, wanted a whole number from 1"),
        ("sharpness:-1", "value is -1.0 in sharpness:K, wanted a number from 0 to 1e+06"),
        ("pose:0,1,2=inf", "by is inf in pose:J,R,C=BY, wanted a number from -1e+06 to 1e+06"),
        ("gate:1=2", "value is 2.0 in gate:L=V, wanted a number from 0 to 1"),
        ("replace:1", "wanted replace:I=TEXT"),
        ("attention:1@0", "wanted attention:L"),
        ("couplings:random,9223372036854775808", "wanted a whole number from 0, below 2^63"),
        ("pose:" + "," * 20_000, "wanted pose:J,R,C=BY"),  # within milliseconds, not hours
        ("couple:" + "," * 20_000, "wanted couple:I,J=V"),
    ],
)
def test_wrong_forms_are_refused_in_one_sentence(text, message):
    with pytest.raises(ValueError, match="wanted") as error:
        parse_edit(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.wrong_arguments
@pytest.mark.parametrize("i", [1.5, True, "1", None])
def test_an_index_is_a_whole_number(i):
    with pytest.raises(ValueError, match=r"i is .* wanted a whole number from 0"):
        DropInput(i)


def test_edits_without_a_routing_apply_to_the_default_one():
    first, second, either = DropInput(0, routing=0), DropCapsule(1, routing=1), FreezeAfter(2)
    edits = [ReplaceWord(0, "x"), first, second, either]
    assert edits_of_routing(edits, 0) == [first, either]
    assert edits_of_routing(edits, 1) == [second]
    assert edits_of_routing(edits, 1, default=1) == [second, either]
