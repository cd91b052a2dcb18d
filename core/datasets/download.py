"""Downloads released files from their official addresses and compares them with their checksums."""

import hashlib
import http
import http.client
import io
import urllib.request
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from tqdm import tqdm

from core.datasets.corpus import Corpus, File
from core.files import sha256_of, write

MAX_ARCHIVE = 64 * 2**20  # bytes; the treebank's archive has 0.8 million


def check(corpus: Corpus, folder: Path) -> None:
    """Raise ValueError unless the folder holds every file of the corpus as released."""
    wrong = "; ".join(f"{name} {problem}" for name, problem in problems(folder, corpus.files).items())
    if wrong:
        remedy = "--download fetches the official files" if corpus.url else "put it there, --download knows no address"
        raise ValueError(f"{folder}: {wrong} ({remedy})")


def problems(folder: Path, files: Mapping[str, File]) -> dict[str, str]:
    """A few words for each file that is missing or differs."""
    problem_of = {}
    for name, file in files.items():
        path = folder / name
        if not path.is_file():
            problem_of[name] = "is missing"
        elif path.stat().st_size != file.size or sha256_of(path) != file.sha256:
            problem_of[name] = "is not the released file"
    return problem_of


def download(corpus: Corpus, folder: Path) -> None:
    """Download the files of a corpus that are missing from the folder.

    Raises:
        ValueError: no address is known, or a downloaded file is not the released one.
        OSError: the connection failed.
    """
    missing = problems(folder, corpus.files)
    if not missing:
        return
    if not corpus.url:
        names = " and ".join(missing)
        raise ValueError(f"no address is known to download {corpus.title} from: put {names} into {folder}")
    try:
        if corpus.url.endswith(".zip"):
            extract(fetch(corpus.url), folder, corpus.files)
        else:
            for name in missing:
                resume(corpus.url + name, folder / name, corpus.files[name])
    except http.client.HTTPException as error:
        raise OSError(f"{corpus.url} did not answer as a web server does: {error!r}") from None


def resume(url: str, path: Path, file: File) -> None:
    """Download a file, continuing an earlier download that was cut off.

    Args:
        url: address of the file.
        path: path to write; an unfinished download is kept next to it with the suffix .part.
        file: size and checksum of the released file.

    Raises:
        ValueError: the connection was cut off, or the downloaded file is not the released one and was deleted.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    n_bytes = part.stat().st_size if part.exists() else 0
    if n_bytes < file.size:
        request = urllib.request.Request(url, headers={"Range": f"bytes={n_bytes}-"} if n_bytes else {})
        with urllib.request.urlopen(request, timeout=30) as response:
            if response.status != http.HTTPStatus.PARTIAL_CONTENT:  # the server starts from the first byte
                n_bytes = 0
            with (
                part.open("ab" if n_bytes else "wb") as output,
                tqdm(total=file.size, initial=n_bytes, unit="B", unit_scale=True, desc=path.name) as bar,
            ):
                while n_bytes <= file.size and (block := response.read(1 << 16)):
                    n_bytes += output.write(block)
                    bar.update(len(block))
        if n_bytes < file.size:
            raise ValueError(f"{url} was cut off at {n_bytes:,} of {file.size:,} bytes: run it again to go on")
    if part.stat().st_size != file.size or sha256_of(part) != file.sha256:
        part.unlink()
        raise ValueError(f"{url} is not the released file")
    part.replace(path)


def fetch(url: str) -> bytes:
    """Download the content at an address into memory; ValueError if it has more than ``MAX_ARCHIVE`` bytes."""
    content = io.BytesIO()
    with urllib.request.urlopen(url, timeout=30) as response, tqdm(unit="B", unit_scale=True, desc=url) as bar:
        while block := response.read(1 << 16):
            content.write(block)
            bar.update(len(block))
            if content.tell() > MAX_ARCHIVE:
                raise ValueError(f"{url} is larger than {MAX_ARCHIVE:,} bytes")
    return content.getvalue()


def extract(archive: bytes, folder: Path, files: Mapping[str, File]) -> None:
    """Extract only these files from a zip archive.

    Raises:
        ValueError: the archive is damaged, or a file is missing, too large or not the released one.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as members:
            for name, file in files.items():
                if members.getinfo(name).file_size > MAX_ARCHIVE:
                    raise ValueError(f"{name} in the archive is larger than {MAX_ARCHIVE:,} bytes")
                content = members.read(name)
                if hashlib.sha256(content).hexdigest() != file.sha256:
                    raise ValueError(f"{name} in the archive is not the released file")
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                write(folder / name, content)
    except (KeyError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"the archive cannot be read: {error}") from None
