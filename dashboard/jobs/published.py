"""Finds and downloads the smallNORB network that the author of EM routing trained on photographs."""

from core import manifest
from core.zoo import heinsen
from dashboard.public import check_owner
from dashboard.runs.checkpoints import about, models, survey

KEY, NAME = "smallnorb", "heinsen-smallnorb"  # key of the published network, and name of its checkpoint here
REPOSITORY = heinsen.REPOSITORY
PUBLISHED = heinsen.PUBLISHED[KEY]
MEGABYTES = PUBLISHED.file.size / 1e6
RENDERED = "rendered toys"  # one of the values of ``trained_on``


def authors_network() -> str | None:
    """The name of the checkpoint with the author's weights; None if it is not installed.

    The weights identify it, because any checkpoint can name him as its author.
    """
    weights = heinsen.PUBLISHED[KEY].weights
    return next((name for name in models(PUBLISHED.kind) if about(name).sha256 == weights), None)


def fetch_authors_network() -> None:
    """Download the author's weights to the folder of the user's own checkpoints.

    Raises:
        ValueError: the downloaded file is not the published one, the checkpoint exists, or the server is public.
        OSError: the file cannot be fetched.
    """
    check_owner()
    heinsen.download_heinsen(KEY, manifest.user_folder() / NAME)
    survey.clear()


def trained_on(name: str) -> str:
    """The kind of pictures that a network was trained on, in a word or two; "" if its files do not say."""
    data = str(about(name).metrics.training.get("data", ""))
    return next((words for words in (RENDERED, "photographs") if words.split()[0] in data), "")
