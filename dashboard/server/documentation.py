"""Middleware that shows the documentation at /docs: the built site, or the plain text of a page without one."""

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.docs.contents import PAGES, site_folder
from dashboard.docs.runs import RUNS
from dashboard.server.paths import NOT_FOUND, root_path

ROOT = "docs"
FIRST = "index"


class Documentation:
    """ASGI middleware that answers for the documentation.

    Args:
        app: next ASGI application.
    """

    def __init__(self, app: ASGIApp):
        self._app, self._base = app, root_path()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(self._base) if scope["type"] == "http" else ""
        if path == ROOT:  # relative links of the first page need the last stroke
            await RedirectResponse(f"{self._base}{ROOT}/")(scope, receive, send)
        elif path.startswith(f"{ROOT}/"):
            await (await self._answer(path.removeprefix(f"{ROOT}/"), scope))(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, path: str, scope: Scope) -> Response:
        """The answer for a path in the documentation."""
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Wanted a GET request.", 405, {"Allow": "GET, HEAD"})
        folder = site_folder()
        if (folder / f"{FIRST}.html").is_file():
            return await _file(folder, path or f"{FIRST}.html", scope)
        address = (path or f"{FIRST}.html").removesuffix(".html")
        if address not in PAGES:
            return PlainTextResponse(NOT_FOUND, 404)
        from dashboard.docs.plain import page  # here, because the server answers before it has imported core

        return HTMLResponse(await run_in_threadpool(page, address))


async def _file(folder: Path, path: str, scope: Scope) -> Response:
    """A file of the built site, or a refusal."""
    try:
        answer = await StaticFiles(directory=folder).get_response(path, scope)
        if path.startswith(f"{RUNS}/") and path.endswith(".html"):
            from dashboard.figures.standalone import NOTHING_FETCHED  # imports what draws figures

            # A widget is one file with its scripts. It runs them in a frame, apart from the site, and fetches nothing.
            policy = f"sandbox allow-scripts; {NOTHING_FETCHED}; frame-ancestors 'self'"
            answer.headers["Content-Security-Policy"] = policy
        return answer
    except HTTPException:
        return PlainTextResponse(NOT_FOUND, 404)
