"""Matrices and splits of smallNORB's official files, sound and damaged."""

import gzip
import struct
import tracemalloc
from io import BytesIO

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from core.datasets import binary, smallnorb

quiet = settings(  # examples may share a fixture, because each overwrites the files of the previous one
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
matrices = st.sampled_from(["u1", "<i2", "<i4", "<f4", "<f8"]).flatmap(
    lambda dtype: arrays(dtype, array_shapes(min_dims=1, max_dims=5, min_side=0, max_side=4))
)


def write_split(folder, n=3, split="test", ending=".mat"):
    """Write a small split in the official files, and return its matrices."""
    generator = np.random.default_rng(0)
    matrices = {
        "dat": generator.integers(0, 256, (n, 2, 8, 6), np.uint8),
        "cat": np.arange(n, dtype=np.int32) % 5,
        # instance, elevation, azimuth (even numbers) and light
        "info": (np.stack([np.arange(n) % m for m in (10, 9, 18, 6)], 1) * [1, 1, 2, 1]).astype(np.int32),
    }
    for part, matrix in matrices.items():
        binary.write_matrix(folder / f"{smallnorb.STEMS[split]}-{part}{ending}", matrix)
    return matrices


def test_the_bytes_of_a_matrix_by_hand(tmp_path):
    binary.write_matrix(tmp_path / "m.mat", np.array([[1, 2], [3, 4]], np.int32))
    expected = struct.pack("<I", 0x1E3D4C54) + struct.pack("<8i", 2, 2, 2, 1, 1, 2, 3, 4)
    assert (tmp_path / "m.mat").read_bytes() == expected


@quiet
@given(matrix=matrices, ending=st.sampled_from([".mat", ".mat.gz"]))
def test_written_matrices_are_read(tmp_path, matrix, ending):
    path = tmp_path / f"m{ending}"
    binary.write_matrix(path, matrix)
    first = path.read_bytes()
    read = binary.read_matrix(path)
    assert read.dtype == matrix.dtype
    np.testing.assert_array_equal(read, matrix)
    del read
    binary.write_matrix(path, matrix)
    assert path.read_bytes() == first
    assert not list(tmp_path.glob("*.part"))


@quiet
@given(
    content=st.binary(max_size=60)
    | st.builds(
        lambda magic, sizes, rest: struct.pack(f"<I{len(sizes)}i", magic, *sizes) + rest,
        st.sampled_from(list(binary.TYPES)),
        st.lists(st.integers(-(2**31), 2**31 - 1) | st.integers(0, 5), max_size=7),
        st.binary(max_size=40),
    ),
    zipped=st.booleans(),
)
def test_any_bytes_are_read_or_refused_in_one_sentence(tmp_path, content, zipped):
    path = tmp_path / "m.mat"
    path.write_bytes(gzip.compress(content) if zipped else content)
    try:
        matrix = binary.read_matrix(path)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert matrix.nbytes <= len(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read as a matrix"),
        (struct.pack("<I4i", 0x12345678, 1, 1, 1, 1), "0x12345678, which is not one"),
        (struct.pack("<I4i", 0x1E3D4C55, 9, 1, 1, 1), "says that it has 9 axes"),
        (struct.pack("<I4i", 0x1E3D4C55, 1, -4, 1, 1), r"sizes are \[-4\]"),
        (struct.pack("<I4i", 0x1E3D4C55, 3, 2**31 - 1, 2**31 - 1, 2**31 - 1), "holds 0 bytes"),
        (struct.pack("<I4i", 0x1E3D4C55, 1, 3, 1, 1) + b"ab", "holds 2 bytes of numbers, wanted the 3"),
        (struct.pack("<I4i", 0x1E3D4C55, 1, 1, 1, 1) + b"ab", "holds 2 bytes of numbers, wanted the 1"),
    ],
)
def test_damage_is_named(tmp_path, content, message):
    (tmp_path / "m.mat").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        binary.read_matrix(tmp_path / "m.mat")


def test_damage_in_an_archive_is_named_before_memory_is_taken(tmp_path):
    path = tmp_path / "m.mat.gz"
    header = struct.pack("<I4i", 0x1E3D4C55, 1, 1000, 1, 1)
    for content, message in (
        (gzip.compress(header + bytes(999)), "holds fewer numbers"),
        (gzip.compress(header + bytes(1001)), "holds more numbers"),
        (gzip.compress(header + bytes(1000))[:-9], "cannot be read"),
        (gzip.compress(struct.pack("<I4i", 0x1E3D4C55, 2, 2**31 - 1, 2**31 - 1, 1)), "cannot hold"),
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=message):
            binary.read_matrix(path)


@pytest.mark.parametrize("ending", [".mat", ".mat.gz"])
def test_a_split_is_read_as_it_was_written(tmp_path, ending):
    expected = write_split(tmp_path, ending=ending)
    views = smallnorb.load(tmp_path, "test")
    assert len(views) == 3
    np.testing.assert_array_equal(views.images, expected["dat"])
    np.testing.assert_array_equal(views.info, expected["info"])
    assert isinstance(views.images, np.memmap) == (ending == ".mat")


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("part", "matrix", "message"),
    [
        ("cat", np.zeros(2, np.int32), r"categories is \[2\]"),
        ("cat", np.full(3, 5, np.int32), "categories holds numbers outside 0 to 4"),
        ("cat", np.zeros(3, np.float32), "categories is .* of float32"),
        ("info", np.full((3, 4), 7, np.int32), "outside 0 to 5 as lighting"),
        ("info", np.zeros((3, 3), np.int32), r"info is \[3, 3\]"),
        ("dat", np.zeros((3, 1, 8, 8), np.uint8), r"images is \[3, 1, 8, 8\]"),
        ("dat", np.zeros((3, 2, 8), np.uint8), r"images is \[3, 2, 8\]"),
        ("dat", np.zeros((0, 2, 8, 8), np.uint8), "wanted"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(tmp_path, part, matrix, message):
    write_split(tmp_path)
    binary.write_matrix(tmp_path / f"{smallnorb.STEMS['test']}-{part}.mat", matrix)
    with pytest.raises(ValueError, match=message):
        smallnorb.load(tmp_path, "test")


def write_to_memory(matrix, zipped, tmp_path):
    """Write a matrix to a file in memory."""
    path = tmp_path / ("m.mat.gz" if zipped else "m.mat")
    binary.write_matrix(path, matrix)
    return BytesIO(path.read_bytes())


@quiet
@given(matrix=matrices, zipped=st.booleans(), data=st.data())
def test_chosen_rows_are_read_from_a_file_in_memory(tmp_path, matrix, zipped, data):
    file = write_to_memory(matrix, zipped, tmp_path)
    assert binary.header(file, "m") == (matrix.dtype, matrix.shape)
    np.testing.assert_array_equal(binary.rows(file, "m"), matrix)
    chosen = data.draw(st.lists(st.integers(0, len(matrix) - 1), max_size=6) if len(matrix) else st.just([]))
    rows = binary.rows(file, "m", chosen)
    assert rows.dtype == matrix.dtype
    np.testing.assert_array_equal(rows, matrix[chosen])
    for outside in (len(matrix), -1):
        with pytest.raises(ValueError, match=r"m has .* rows, wanted more"):
            binary.rows(file, "m", [outside])


def test_damage_behind_the_chosen_rows_is_found():
    header = struct.pack("<I4i", 0x1E3D4C55, 1, 1000, 1, 1)
    for content, message in (
        (gzip.compress(header + bytes(999)), "^m holds fewer numbers"),
        (gzip.compress(header + bytes(1001)), "^m holds more numbers"),
        (gzip.compress(header + bytes(1000))[:-9], "^m cannot be read .* ends too soon$"),
        (gzip.compress(header + bytes(1000))[:-8] + bytes(8), "^m cannot be read .* damaged"),
        (header + bytes(999), "^m holds 999 bytes"),
    ):
        with pytest.raises(ValueError, match=message):
            binary.rows(BytesIO(content), "m", [0])


def test_only_the_chosen_rows_are_kept_in_memory():
    content = BytesIO()
    with gzip.GzipFile(fileobj=content, mode="wb", compresslevel=1) as file:
        file.write(struct.pack("<I5i", 0x1E3D4C55, 4, 3200, 2, 96, 96))
        for _ in range(64):
            file.write(bytes(50 * 2 * 96 * 96))
    tracemalloc.start()
    rows = binary.rows(content, "m", [3199, 0])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert rows.shape == (2, 2, 96, 96)
    assert peak < 2_000_000  # it would be 59 million if all rows were unpacked


@pytest.mark.parametrize("ending", [".mat", ".mat.gz"])
def test_the_views_of_a_toy_are_in_order_of_their_directions(tmp_path, ending):
    expected = write_split(tmp_path, n=6, ending=ending)
    info = np.array([[3, 1, 0, 2], [3, 0, 2, 2], [4, 0, 0, 2], [3, 0, 0, 2], [3, 0, 0, 1], [3, 0, 4, 2]], np.int32)
    cat = np.array([2, 2, 2, 2, 2, 1], np.int32)
    for part, matrix in (("info", info), ("cat", cat)):
        binary.write_matrix(tmp_path / f"{smallnorb.STEMS['test']}-{part}{ending}", matrix)
    views = smallnorb.toy(tmp_path, "test", 2, 3, 2)
    np.testing.assert_array_equal(views.images, expected["dat"][[3, 1, 0]])
    np.testing.assert_array_equal(views.info, info[[3, 1, 0]])
    assert views.categories.tolist() == [2, 2, 2]
    assert smallnorb.rows_of(smallnorb.Toy(None, 3, 2), cat, info).tolist() == [3, 1, 5, 0]
    with pytest.raises(ValueError, match="there is no airplane 10 in light 3"):
        smallnorb.toy(tmp_path, "test", 2, 9, 2)
    binary.write_matrix(tmp_path / f"{smallnorb.STEMS['test']}-dat{ending}", expected["dat"][:5])
    with pytest.raises(ValueError, match="5 pairs of images and labels of 6"):
        smallnorb.toy(tmp_path, "test", 2, 3, 2)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(ValueError, match="wanted one of train, test"):
        smallnorb.load(tmp_path, "dev")
    with pytest.raises(ValueError, match=r"holds no smallnorb-5x01235.*-dat\.mat"):
        smallnorb.load(tmp_path, "test")
    with pytest.raises(ValueError, match="wanted 1 to 8 of a type"):
        binary.write_matrix(tmp_path / "m.mat", np.zeros(3, np.complex64))
