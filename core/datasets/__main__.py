"""python -m core.datasets NAME: check a dataset's official files by checksum, or fetch them."""

import argparse
import hashlib
import http
import http.client
import io
import sys
import urllib.request
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from tqdm import tqdm

from core.datasets import ag_news, data_root, imdb, smallnorb, sst, trec
from core.files import write

LARGEST = 64 * 2**20  # bytes; the treebank's archive has 0.8 million


def main(arguments: list[str] | None = None) -> int:
    """Check or fetch; 0, or 2 after one clear line on bad input."""
    parser = argparse.ArgumentParser(prog="python -m core.datasets", description=__doc__)
    parser.add_argument("name", choices=sorted(CORPORA), metavar="NAME", help="one of " + ", ".join(sorted(CORPORA)))
    parser.add_argument("--root", type=Path, metavar="DIR", help="holds one folder a dataset ($ROUTESCOPE_DATA)")
    parser.add_argument("--download", action="store_true", help="fetch what is missing from the official address")
    args = parser.parse_args(arguments)
    corpus, download = CORPORA[args.name]
    folder = (args.root or data_root()) / args.name
    try:
        if args.download and (missing := problems(folder, corpus.SHA256)):
            download(corpus, folder, missing)
        wrong = problems(folder, corpus.SHA256)
        if wrong:
            said = "; ".join(f"{name} {what}" for name, what in wrong.items())
            raise ValueError(f"{folder}: {said} (--download fetches the official files)")
    except (ValueError, OSError, http.client.HTTPException) as error:
        print(f"core.datasets: {error}", file=sys.stderr)
        return 2
    print(f"{folder}: {len(corpus.SHA256)} files as released")
    return 0


def problems(folder: Path, wanted: dict[str, str]) -> dict[str, str]:
    """What is missing or differs: a few words by the name of the file."""
    found = {}
    for name, sha256 in wanted.items():
        path = folder / name
        if not path.is_file():
            found[name] = "is missing"
        elif digest(path) != sha256:
            found[name] = "is not the released file"
    return found


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def resume(url: str, path: Path, size: int, sha256: str) -> None:
    """Fetch a file of known size and checksum, going on where an earlier try was cut off.

    Raises:
        ValueError: what came is not the released file; it is deleted.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    if have < size:
        request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
        with urllib.request.urlopen(request, timeout=30) as answer:
            if answer.status != http.HTTPStatus.PARTIAL_CONTENT:  # the server began anew
                have = 0
            with part.open("ab" if have else "wb") as file:
                bar = tqdm(total=size, initial=have, unit="B", unit_scale=True, desc=path.name)
                while have <= size and (block := answer.read(1 << 16)):
                    have += file.write(block)
                    bar.update(len(block))
                bar.close()
        if have < size:
            raise ValueError(f"{url} was cut off at {have:,} of {size:,} bytes: run it again to go on")
    if part.stat().st_size != size or digest(part) != sha256:
        part.unlink()
        raise ValueError(f"{url} is not the released file")
    part.replace(path)


def fetch(url: str) -> bytes:
    """The content at an address, with a progress bar; ValueError past ``LARGEST`` bytes."""
    content = io.BytesIO()
    with urllib.request.urlopen(url, timeout=30) as answer, tqdm(unit="B", unit_scale=True, desc=url) as bar:
        while block := answer.read(1 << 16):
            content.write(block)
            bar.update(len(block))
            if content.tell() > LARGEST:
                raise ValueError(f"{url} is larger than {LARGEST:,} bytes")
    return content.getvalue()


def extract(archive: bytes, folder: Path, wanted: dict[str, str]) -> None:
    """Write the wanted files of a zip archive, those alone, each only if its checksum is right."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as members:
            for name, sha256 in wanted.items():
                if members.getinfo(name).file_size > LARGEST:
                    raise ValueError(f"{name} in the archive is larger than {LARGEST:,} bytes")
                content = members.read(name)
                if hashlib.sha256(content).hexdigest() != sha256:
                    raise ValueError(f"{name} in the archive is not the released file")
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                write(folder / name, content)
    except (KeyError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"the archive cannot be read: {error}") from None


def from_archive(corpus: ModuleType, folder: Path, missing: Iterable[str]) -> None:
    """All files out of the one archive that they are released in."""
    extract(fetch(corpus.URL), folder, corpus.SHA256)


def one_by_one(corpus: ModuleType, folder: Path, missing: Iterable[str]) -> None:
    """The missing files, each released by itself."""
    for name in missing:
        resume(corpus.URL + name, folder / name, *corpus.FILES[name])


CORPORA = {
    "sst": (sst, from_archive),
    "imdb": (imdb, one_by_one),
    "ag_news": (ag_news, one_by_one),
    "trec": (trec, one_by_one),
    "smallnorb": (smallnorb, one_by_one),
}

if __name__ == "__main__":
    sys.exit(main())
