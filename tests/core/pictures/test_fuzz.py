"""Any bytes are read or refused."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core import pictures
from core.pictures import Adjustment
from tests.core.pictures.files import (
    archive,
    as_files,
    matrix,
    noise,
    norb,
    png,
)

fuzz = settings(max_examples=300, derandomize=True)


def assert_read_or_refused(files, adjustment=pictures.UNCHANGED):
    """Assert that files are read as pairs of a usual size, or refused in one sentence."""
    try:
        pairs = pictures.read(as_files(files), adjustment=adjustment)
    except ValueError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        n, eyes, y, x = pairs.images.shape
        assert n == len(pairs.names) == len(pairs.azimuth) == len(pairs.elevation)
        assert eyes == 2
        assert min(y, x) >= 72
        assert max(y, x) <= 128


SEEDS = {
    "png": png(noise(72, 72) // 64),
    "jpeg": png(noise(72, 72) // 64, "JPEG", quality=30),
    "zip": archive({"a_l.png": png(noise(72, 72) // 64), "a_r.png": png(noise(72, 72) // 64)}),
    "mat": matrix(np.zeros((3, 2, 72, 72), np.uint8)),
    "mat.gz": norb()[1]["info.bin"],
}


@fuzz
@given(
    start=st.sampled_from(
        [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"PK\3\4", b"PK\5\6", b"\x1f\x8b\x08", b"UL=\x1e"]
    ),
    rest=st.binary(max_size=300),
)
def test_any_bytes_are_read_or_refused(start, rest):
    assert_read_or_refused({"a": start + rest})


@fuzz
@given(kind=st.sampled_from(list(SEEDS)), seed=st.integers(0, 2**32), n=st.integers(1, 8), cut=st.booleans())
def test_mutated_files_are_read_or_refused(kind, seed, n, cut):
    content, chance = bytearray(SEEDS[kind]), random.Random(seed)
    for _ in range(n):
        end = chance.choice([60, len(content)])  # the header is hit as often as the rest
        is_from_start = chance.random() < 0.7  # else near the end, where a zip archive has its list
        at = chance.randrange(min(end, len(content))) if is_from_start else -chance.randrange(1, 60)
        content[at] = chance.choice([0, 1, 255, chance.randrange(256)])
    if cut:
        del content[chance.randrange(len(content)) :]
    files = norb()[1] | {"info.bin": bytes(content)} if kind == "mat.gz" else {"a": bytes(content)}
    assert_read_or_refused(files)


EDGES = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted).filter(lambda edges: edges[0] < edges[1]).map(tuple)
GREYS = st.tuples(st.integers(0, 255), st.integers(0, 255)).map(sorted).filter(lambda greys: greys[0] < greys[1])


@fuzz
@given(
    content=st.sampled_from([png(noise(y, x) // 64) for y, x in ((72, 72), (31, 400), (96, 192), (300, 40))]),
    across=EDGES,
    down=EDGES,
    greys=GREYS,
    is_inverted=st.booleans(),
)
def test_any_crop_is_read_or_refused(content, across, down, greys, is_inverted):
    assert_read_or_refused({"a.png": content}, Adjustment(across, down, *greys, is_inverted))


@fuzz
@given(kind=st.sampled_from(list(SEEDS)), seed=st.integers(0, 2**32), across=EDGES, down=EDGES)
def test_mutated_files_are_cropped_or_refused(kind, seed, across, down):
    content, chance = bytearray(SEEDS[kind]), random.Random(seed)
    for _ in range(4):
        content[chance.randrange(len(content))] = chance.randrange(256)
    files = norb()[1] | {"info.bin": bytes(content)} if kind == "mat.gz" else {"a": bytes(content)}
    assert_read_or_refused(files, Adjustment(across, down))
