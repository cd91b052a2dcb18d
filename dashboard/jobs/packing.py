"""A checkpoint of this session as an archive, so that its user has it when the session has ended."""

from collections.abc import Callable

from dashboard.runs.checkpoints import about, folder_of


def is_made_here(name: str) -> bool:
    """Whether a checkpoint was trained here: of one that was uploaded its user has the archive already."""
    return about(name).metrics.stated is None


def packer(name: str) -> Callable[[], bytes]:
    """What makes the archive of a checkpoint, as ``Add a model`` takes it, outside of a session too."""
    folder = folder_of(name)

    def make() -> bytes:
        from core.zoo.pack import pack

        return pack(folder)

    return make
