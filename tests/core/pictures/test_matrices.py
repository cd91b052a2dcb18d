"""smallNORB's matrices as uploads."""

import gzip

import numpy as np
import pytest

from core import pictures
from core.pictures import MAX_VIEWS, Toy
from tests.core.pictures.files import (
    as_files,
    assert_refused,
    matrix,
    matrix_stating,
    norb,
    peak_of,
    png,
    read,
)


@pytest.mark.parametrize("zipped", [True, False])
def test_the_views_of_one_toy_are_read_from_matrices(zipped):
    values, files = norb(zipped=zipped)
    toys = pictures.toys(as_files(files))
    assert toys == (Toy(2, 4, 1), Toy(3, 4, 1))
    pairs = read(files, toys[1])
    np.testing.assert_array_equal(pairs.azimuth, [0, 20, 40] * 2)
    np.testing.assert_array_equal(pairs.elevation, [30] * 3 + [35] * 3)
    np.testing.assert_array_equal(pairs.images, values["dat"][[11, 9, 7, 5, 3, 1]])  # by ascending direction
    assert pairs.names[1] == "azimuth 20°, elevation 30°"
    assert pairs.notices == ()
    first = read(files)
    np.testing.assert_array_equal(first.images, read(files, toys[0]).images)
    assert first.notices == ("The first of 2 toys is shown.",)


def test_matrices_without_categories_or_labels_are_read():
    values, files = norb()
    del files["cat.bin"]
    assert pictures.toys(as_files(files)) == (Toy(None, 4, 1),)
    assert read(files, Toy(None, 4, 1)).notices == (
        "Without the -cat matrix, toys of different kinds are taken for one.",
    )
    del files["info.bin"]
    assert pictures.toys(as_files(files)) == ()
    pairs = read(files)
    np.testing.assert_array_equal(pairs.images, values["dat"])
    assert pairs.names[-1] == "pair 12"
    assert np.isnan(pairs.azimuth).all()
    assert pictures.toys(as_files({"a.png": png()})) == ()


def test_a_large_matrix_is_cut_and_other_sizes_are_resized():
    pairs = read({"dat": matrix(np.zeros((MAX_VIEWS + 5, 2, 40, 32), np.uint8), True)})
    assert pairs.images.shape == (MAX_VIEWS, 2, 96, 96)
    assert pairs.notices[0] == f"Only the first {MAX_VIEWS} of {MAX_VIEWS + 5} views are taken."
    assert "resized" in pairs.notices[1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dat.bin": None}, "The -dat matrix is missing"),
        ({"cat.bin": matrix(np.zeros(11, np.int32))}, "do not belong together: -dat is of 12, -cat is of 11"),
        ({"cat.bin": matrix(np.full(12, 7, np.int32))}, "categories holds numbers outside 0 to 4"),
        ({"info.bin": matrix(np.full((12, 4), 9, np.int32))}, "info holds numbers outside 0 to 8 as elevation"),
        ({"cat.bin": matrix(np.zeros(12, np.float32))}, '"cat.bin" is not one of smallNORB\'s matrices'),
        ({"more.bin": matrix(np.zeros(12, np.int32))}, '"more.bin" and "cat.bin" are both a -cat matrix'),
        ({"more.png": png()}, "Give either matrices or pictures"),
        ({"dat.bin": matrix(np.zeros((12, 2, 9, 96), np.uint8))}, '"dat.bin" holds images of 96 x 9 pixels'),
        ({"dat.bin": norb()[1]["dat.bin"][:-1000]}, '"dat.bin" cannot be read as a matrix: it is damaged'),
        ({"dat.bin": norb(zipped=False)[1]["dat.bin"][:-1]}, '"dat.bin" holds .* bytes of numbers, wanted'),
        ({"dat.bin": gzip.compress(b"hello, hello, hello")}, '"dat.bin" begins with 0x6C6C6568'),
    ],
)
def test_unsuitable_matrices_are_refused(changes, message):
    files = {name: content for name, content in (norb()[1] | changes).items() if content is not None}
    assert_refused(files, message)


def test_toys_that_do_not_exist_are_refused():
    assert_refused(norb()[1], "hold no such toy", toy=Toy(0, 4, 1))
    assert_refused({"a.png": png()}, "Toys are chosen from", toy=Toy(0, 4, 1))
    without_info = {name: content for name, content in norb()[1].items() if name != "info.bin"}
    assert_refused(without_info, "one toy cannot be distinguished from another", toy=Toy(2, 4, 1))


@pytest.mark.parametrize(
    "content",
    [
        matrix_stating(2**31 - 1, 96, 96),
        gzip.compress(matrix_stating(2**31 - 1, 96, 96)),
        gzip.compress(matrix_stating(1, 2**15, 2**15, bytes(1 << 22))),
        gzip.compress(matrix_stating(3000, 96, 96, bytes(1 << 26))),
        gzip.compress(matrix_stating(1, 2**31 - 1, 2**31 - 1)),
    ],
)
def test_matrices_that_state_wrong_sizes_take_little_memory(content):
    assert peak_of(assert_refused, {"dat.mat": content}, '"dat.mat"') < 20_000_000


def test_a_large_matrix_is_streamed():
    content = gzip.compress(matrix_stating(3000, 96, 96) + bytes(3000 * 2 * 96 * 96), 1)
    assert peak_of(read, {"dat.mat": content}) < 15_000_000  # 55 million if all were unpacked
