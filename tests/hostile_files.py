"""Files that harm a careless server, made in memory for tests and for the benchmark ``hostile``.

Each function returns the bytes of one file. ``ARCHIVES`` (for Models), ``CORPORA`` (for Corpus) and ``PICTURES`` (for
smallNORB) list these functions by file name. A server must refuse each file in one sentence, or read it within the
limits of the page. ``sound`` makes a valid model of any size, whose file is a thousandth of its weights.
"""

import hashlib
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from math import prod
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from core.inputs.minilm import MINILM
from core.inputs.text import Vocabulary
from core.manifest import DEPTHS
from core.networks import NETWORKS
from core.stored import BY_KIND

Maker = Callable[[], bytes]
TINY = {"d_word": 5, "d_hidden": 4, "d_mlp": 6}
SIZES: dict[str, dict[str, Any]] = {  # sizes of a small network of each kind
    "dragg": TINY | {"n_capsules": 3, "d_capsule": 4},
    "dragg-documents": TINY | {"n_capsules": 3, "d_capsule": 4},
    "cccaps": {"n_books": 2, "d_word": 4, "d_hidden": 6, "d_feature": 2, "d_capsule": 3},
    "em-sst": {"n_layers": 7, "d_hidden": 384, "n_parts": 3, "d_detect": 4},
    "em-smallnorb": {"n_channels": 4, "n_detected": 3, "n_parts": 3},
    "agt": TINY | {"n_layers": 3, "n_attending": 3},
    "drnn": TINY | {"window": 2},
}
READS_WORDS = ("dragg", "dragg-documents", "cccaps", "agt", "drnn")  # kinds with a vocabulary
FLOAT8, FLOAT32 = ("F8_E4M3", 1), ("F32", 4)  # name in a header, and bytes per number
BIG, DEEP = 10**400, 100_000
METRICS = {"parameters": 1, "test": {"accuracy": 0.5, "n": 100}, "paper": {"accuracy": None}}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def weights(shapes: Mapping[str, tuple[int, ...]], value: float = 0.0, dtype: tuple[str, int] = FLOAT8) -> bytes:
    """A file of weights with equal numbers."""
    header, end = {}, 0
    for name, shape in shapes.items():
        start, end = end, end + prod(shape) * dtype[1]
        header[name] = {"dtype": dtype[0], "shape": list(shape), "data_offsets": [start, end]}
    number = b"\0" if dtype == FLOAT8 else struct.pack("<f", value)
    return with_header(json.dumps(header).encode(), number * (end // dtype[1]))


def with_header(header: bytes, data: bytes = b"") -> bytes:
    """A safetensors file with this header."""
    return len(header).to_bytes(8, "little") + header + data


def sound_files(
    kind: str = "dragg", value: float = 0.0, dtype: tuple[str, int] = FLOAT8, n_words: int = 6, **sizes: Any
) -> dict[str, bytes]:
    """The files of a valid model with equal weights.

    Args:
        kind: kind of the network.
        value: value of all weights.
        dtype: name and size of the data type.
        n_words: number of words in its vocabulary, if it has one.
        sizes: sizes that differ from those in ``SIZES``.
    """
    settings = SIZES[kind] | {"n_classes": 5} | ({"n_words": n_words} if kind in READS_WORDS else {}) | sizes
    depth = DEPTHS[BY_KIND[kind].along]
    settings = {depth: 3} | settings  # the depth of a kind has to be set
    with torch.device("meta"):
        state = NETWORKS[kind].model(NETWORKS[kind].config(**settings)).state_dict()
    shapes = {name: tuple(tensor.shape) for name, tensor in state.items() if tensor.is_floating_point()}
    content = weights(shapes, value, dtype)
    config = {
        "kind": kind,
        "corpus": "sst",
        "task": "a test",
        "classes": [f"class {k}" for k in range(settings["n_classes"])],
    }
    config |= {"model": settings, "sha256": hashlib.sha256(content).hexdigest()}
    files = {"weights.safetensors": content}
    if kind in READS_WORDS:
        files["vocab.txt"] = Vocabulary([f"word{k}" for k in range(n_words)]).to_bytes()
        config["vocabulary_sha256"] = hashlib.sha256(files["vocab.txt"]).hexdigest()
    if kind == "em-sst":
        config["backbone"] = MINILM
    return files | {"config.json": json.dumps(config).encode()}


def sound(kind: str = "dragg", **settings: Any) -> bytes:
    """An archive of ``sound_files``."""
    return zipped(sound_files(kind, **settings))


def large(megabytes: int = 110) -> bytes:
    """A valid model with 8-bit zeros as weights, whose archive is a thousandth of their size."""
    return sound(d_word=500, n_words=megabytes * 2000)


def changed(files: Mapping[str, bytes], path: str, value: Any) -> bytes:
    """An archive with one value of config.json or metrics.json changed.

    Args:
        files: files of a model.
        path: name of the file without its extension and its keys, separated by points, such as "metrics.test.n".
        value: new value; Ellipsis removes the entry.
    """
    file, *keys, last = path.split(".")
    whole = json.loads(files.get(f"{file}.json") or json.dumps(METRICS))
    inner = whole
    for key in keys:
        inner = inner.setdefault(key, {})
    if value is ...:
        inner.pop(last)
    else:
        inner[last] = value
    return zipped(files | {f"{file}.json": json.dumps(whole).encode()})


def sizes_of_4300_digits(n: int = 800) -> bytes:
    """A tensor with 800 sizes of 4,300 digits: their product takes 20 s, during which no other thread runs."""
    header = '{"w":{"dtype":"F32","shape":[' + ",".join(["9" * 4300] * n) + '],"data_offsets":[0,4]}}'
    return zipped(sound_files() | {"weights.safetensors": with_header(header.encode(), b"\0" * 4)})


def deep_header() -> bytes:
    """A weights file with a header of 100,000 nested lists."""
    return zipped(sound_files() | {"weights.safetensors": with_header(b"[" * DEEP + b"]" * DEEP)})


def endless_header() -> bytes:
    """A file of weights that states a header of 2^63 bytes."""
    return zipped(sound_files() | {"weights.safetensors": b"\xff" * 7 + b"\x7f" + b"{}"})


def many_tensors(n: int = 100_000) -> bytes:
    """A header of 100,000 empty tensors."""
    header = {f"t{k}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for k in range(n)}
    return zipped(sound_files() | {"weights.safetensors": with_header(json.dumps(header).encode())})


def millions_of_newlines() -> bytes:
    """A vocabulary of 32 million empty words."""
    return zipped(sound_files() | {"vocab.txt": b"\n" * (32 << 20)})


def many_names(n: int = 100_000) -> bytes:
    """An archive of 100,000 empty files."""
    return zipped({f"{k}": b"" for k in range(n)})


def too_large() -> bytes:
    """Weights of 129 MB of zeros."""
    return zipped(sound_files() | {"weights.safetensors": b"\0" * (129 << 20)})


def deep_metrics() -> bytes:
    """Metrics with 100,000 nested lists as training."""
    nested = "[" * DEEP + "]" * DEEP
    content = json.dumps(METRICS)[:-1] + f', "training": {nested}}}'
    return zipped(sound_files() | {"metrics.json": content.encode()})


def big_step() -> bytes:
    """A history of training with a step of 401 digits."""
    row = {"step": BIG, "train_loss": 1.0, "dev_loss": 1.0, "train_accuracy": 0.5, "dev_accuracy": 0.5}
    return changed(sound_files(), "metrics.training.history", [row])


def many_capsules(n: int = 33_000) -> bytes:
    """A network of 33,000 capsules, each of which would be a row of a heat map."""
    return sound(n_capsules=n, d_capsule=1)


def small_poses() -> bytes:
    """An em-smallnorb with poses of 1 x 1, although the page can only draw 4 x 4."""
    return sound("em-smallnorb", d_pose=1)


def overflowing(kind: str) -> bytes:
    """A network whose weights are finite, 1e30, but whose output is not."""
    return sound(kind, value=1e30, dtype=FLOAT32)


ARCHIVES: dict[str, Maker] = {
    "sizes-of-4300-digits.zip": sizes_of_4300_digits,
    "deep-header.zip": deep_header,
    "endless-header.zip": endless_header,
    "many-tensors.zip": many_tensors,
    "million-newlines.zip": millions_of_newlines,
    "many-names.zip": many_names,
    "too-large.zip": too_large,
    "deep-metrics.zip": deep_metrics,
    "big-step.zip": big_step,
    "many-capsules.zip": many_capsules,
    "small-poses.zip": small_poses,
    "parameters-of-401-digits.zip": lambda: changed(sound_files(), "metrics.parameters", BIG),
    "parameters-of-31-digits.zip": lambda: changed(sound_files(), "metrics.parameters", 10**30),
    "samples-of-401-digits.zip": lambda: changed(sound_files(), "metrics.test.n", BIG),
    "accuracy-nan.zip": lambda: changed(sound_files(), "metrics.test.accuracy", float("nan")),
    "words-of-401-digits.zip": lambda: changed(sound_files(), "config.model.n_words", BIG),
    "dropout-infinite.zip": lambda: changed(sound_files(), "config.model.dropout_word", float("inf")),
    "no-normalize.zip": sound,  # without settings that have defaults
    "my__model.zip": sound,  # two underscores in its name
    **{f"overflowing-{kind}.zip": partial(overflowing, kind) for kind in SIZES},
    "large.zip": large,
}


def parquet(columns: Mapping[str, Any], **options: Any) -> bytes:
    """A Parquet file of these columns."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **{"compression": "zstd"} | options)
    return out.getvalue()


def shared_bytes(n: int = 1024) -> bytes:
    """473 bytes of Parquet: 1,024 rows of one value of a megabyte, in a column of bytes."""
    return parquet({"text": pa.array([b"x" * 2**20] * n, pa.binary())})


def shared_texts() -> bytes:
    """1,024 rows of one text of a megabyte."""
    return parquet({"text": ["x" * 2**20] * 1024})


def nested_texts(n: int = 1024) -> bytes:
    """4.6 kB of Parquet: 1,024 rows of a thousand texts of 1 kB."""
    return parquet({"text": pa.array([["x" * 1000] * 1000] * n, pa.list_(pa.string()))})


def texts_by_their_difference(n: int = 1024) -> bytes:
    """1,024 equal texts of a megabyte, each written as its empty difference from the one before."""
    options = {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}}
    return parquet({"text": ["x" * 2**20] * n}, **options)


def footer_that_lies(megabytes: int = 120) -> bytes:
    """A text of 120 MB, packed to 20 kB, for which the footer states one byte."""
    content = parquet({"text": ["x" * (megabytes << 20)]}, use_dictionary=False, write_statistics=False)
    about = pq.read_metadata(io.BytesIO(content)).row_group(0)
    for size in (about.total_byte_size, about.column(0).total_uncompressed_size):
        stated = _number(size)
        start = len(content) - int.from_bytes(content[-8:-4], "little") - 8
        # The number 1, padded to the same number of bytes.
        footer = content[start:].replace(stated, b"\x82" + b"\x80" * (len(stated) - 2) + b"\x00")
        content = content[:start] + footer
    return content


def _number(n: int) -> bytes:
    """A number as encoded in Parquet's footer."""
    n, parts = 2 * n, []
    while n > 127:
        parts.append(n & 127 | 128)
        n >>= 7
    return bytes([*parts, n])


def parquet_columns(n: int = 20_000) -> bytes:
    """A Parquet file of 20,000 columns."""
    return parquet({f"c{k}": ["x"] for k in range(n)})


def csv_commas() -> bytes:
    """A CSV file whose header is four million commas."""
    return b"," * (4 << 20) + b"\nA film.\n"


def csv_names(n: int = 500_000) -> bytes:
    """A CSV file of 500,000 columns."""
    return ",".join(f"c{k}" for k in range(n)).encode() + b"\nA film.\n"


def csv_values() -> bytes:
    """A CSV file of two columns with a row of four million values."""
    return b"text,label\n" + b"," * (4 << 20) + b"\nA film.,1\n"


def csv_empty_rows() -> bytes:
    """A CSV file of nineteen million rows without a text."""
    return b"text\n" + b"\n" * (19 << 20)


def csv_open_quote() -> bytes:
    """A CSV file with a quote that never ends."""
    return b'text\n"' + b"x\n" * (9 << 20)


def json_names(n: int = 200_000) -> bytes:
    """JSON lines of one object with 200,000 names."""
    return json.dumps({f"c{k}": "" for k in range(n)}).encode() + b"\n"


def json_new_names(n: int = 100_000) -> bytes:
    """100,000 JSON lines, each with a different name."""
    return b"".join(b'{"c%d": ""}\n' % k for k in range(n))


def json_deep() -> bytes:
    """A JSON line of 100,000 nested lists, and one of an integer of a million digits."""
    return b"[" * DEEP + b"]" * DEEP + b'\n{"text": ' + b"9" * 10**6 + b'}\n{"text": "A film."}\n'


CORPORA: dict[str, Maker] = {
    "shared-bytes.parquet": shared_bytes,
    "shared-texts.parquet": shared_texts,
    "nested-texts.parquet": nested_texts,
    "texts-by-their-difference.parquet": texts_by_their_difference,
    "footer-that-lies.parquet": footer_that_lies,
    "columns.parquet": parquet_columns,
    "commas.csv": csv_commas,
    "names.csv": csv_names,
    "values.csv": csv_values,
    "newlines.csv": csv_empty_rows,
    "open-quote.csv": csv_open_quote,
    "long-line.txt": lambda: b"x" * (19 << 20),
    "names.jsonl": json_names,
    "new-names.jsonl": json_new_names,
    "deep.jsonl": json_deep,
}


def png(width: int, height: int) -> bytes:
    """A black PNG of 1 bit per pixel."""
    packer, row = zlib.compressobj(9), bytes(1 + (width + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def png_stated(width: int, height: int) -> bytes:
    """A PNG that states this size but has no pixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b"")) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_text() -> bytes:
    """A PNG with a note of 60 MB, packed to 60 kB."""
    note = _chunk(b"zTXt", b"note\0\0" + zlib.compress(b"x" * (60 << 20)))
    small = png(96, 96)
    return small[:33] + note + small[33:]


def zip_of_pictures(n: int = 190) -> bytes:
    """An archive of 190 pictures of 16 million pixels, together some 35 kB."""
    picture = png(4000, 4000)
    return zipped({f"{k}.png": picture for k in range(n)})


def matrix(*sizes: int, magic: int = 0x1E3D4C55, data: bytes = b"") -> bytes:
    """A smallNORB matrix that states these sizes."""
    return struct.pack(f"<ii{len(sizes)}i", magic, len(sizes), *sizes) + data


PICTURES: dict[str, Maker] = {
    "30000-a-side.png": partial(png, 30_000, 30_000),
    "2147483647-a-side.png": partial(png_stated, 2**31 - 1, 2**31 - 1),
    "narrow.png": partial(png, 1, 100_000),
    "wide.png": partial(png, 100_000, 40),
    "note.png": png_text,
    "pictures.zip": zip_of_pictures,
    "large-dat.mat": partial(matrix, 2**31 - 1, 2, 2**31 - 1, 2**31 - 1),
    "negative-dat.mat": partial(matrix, -1, 2, -96, 96),
}
