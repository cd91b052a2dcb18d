"""The file of texts and labels that a user has uploaded to train a network on."""

from pathlib import Path

from core.files import write
from dashboard.jobs.uploaded_file import safe_name
from dashboard.runs.own_file import OwnColumns, OwnLook, guess_columns, look_at
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.owned import one_a_session


class OwnUpload:
    """The file of texts and labels that a session has uploaded last.

    Attributes:
        path: path of the file; None if there is none.
        columns: its columns.
        number: number of the upload.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.path: Path | None = None
        self.columns: OwnColumns | None = None
        self.number = 0
        self._looked: tuple[tuple[str, str], OwnLook | ValueError] | None = None

    def keep(self, name: str, content: bytes) -> None:
        """Write an uploaded file, and delete the one before.

        Raises:
            ValueError: as in ``guess_columns``.
            OSError: the file cannot be written.
        """
        self.forget()
        self.number += 1
        path = self._folder / str(self.number) / safe_name(name)
        path.parent.mkdir()
        write(path, content)
        self.columns = guess_columns(path)
        self.path = path

    def forget(self) -> None:
        """Delete the file."""
        delete_folder(self._folder / str(self.number))
        self.path, self.columns, self._looked = None, None, None

    def look(self, text: str, label: str) -> OwnLook:
        """A look at the file, which is read once for these columns. Errors as in ``look_at``."""
        if self.path is None:
            raise ValueError("There is no file: upload one.")
        if self._looked is None or self._looked[0] != (text, label):
            try:
                self._looked = (text, label), look_at(self.path, text, label)
            except ValueError as error:
                self._looked = (text, label), error
        if isinstance(self._looked[1], ValueError):
            raise self._looked[1]
        return self._looked[1]

    def close(self) -> None:
        """Delete all files."""
        delete_folder(self._folder)


@one_a_session
def own_upload() -> OwnUpload:
    """The uploaded file of this session."""
    return OwnUpload()
