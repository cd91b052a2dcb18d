"""The paths that exist. Streamlit would show the first page at every other path."""

from pathlib import Path

from streamlit.config import get_option
from streamlit.file_util import get_static_dir

from dashboard import pages
from dashboard.public import is_public
from dashboard.server.lab import ROUTE as LAB

METRICS = "_stcore/metrics"  # for the owner only
ROUTES = {"", "_stcore/health", "_stcore/host-config", "_stcore/stream", METRICS, LAB, "api", "docs"}
FOLDERS = ("api/", "docs/", "media/", "component/", "_stcore/upload_file/", "_stcore/bidi-components/")
PROGRAMS = ("_stcore/agent/",)  # Streamlit's interface for programs, if the owner enables it
FIRST = "start"  # folder of the page whose path is empty
NOT_FOUND = "There is nothing at this address."


def root_path() -> str:
    """The path of the first page, such as "/" or "/demo/"."""
    return "/".join(["", *filter(None, get_option("server.baseUrlPath").split("/")), ""])


class Paths:
    """The paths of this server: pages, Streamlit's files, and the routes that the dashboard uses."""

    def __init__(self) -> None:
        self._base = root_path()
        static = Path(get_static_dir())
        files = {path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file()}
        self._folders = FOLDERS + (PROGRAMS if get_option("server.enableAgentApi") else ())
        own = {page.parent.name for page in Path(pages.__file__).parent.glob("*/page.py")} - {FIRST}
        self._known = ROUTES | files | own

    def lead_to(self, path: str) -> bool:
        """Whether a path exists."""
        if not f"{path}/".startswith(self._base):
            return False
        rest = path[len(self._base) :].rstrip("/")
        if rest == METRICS:
            return not is_public()
        return rest in self._known or rest.startswith(self._folders) or _is_added_page(rest)


def _is_added_page(path: str) -> bool:
    from core import added  # here, because the server answers before it has imported core

    return path in added.added_pages()
