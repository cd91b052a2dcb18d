"""Middleware in front of Streamlit: refuses requests, and adds security headers to the answers."""

import os
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from streamlit.file_util import get_static_dir

from dashboard.server.hosts import REFUSED, is_own, is_refused
from dashboard.server.paths import NOT_FOUND, Paths

FRAMES = "ROUTESCOPE_FRAMES"  # addresses of pages that may show the dashboard in a frame, separated by spaces
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
POLICY = {  # Content-Security-Policy: pages load everything from this server
    "default-src": "'self'",
    "script-src": "'self' blob:",  # our components are blobs
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'self'",
}


class Front:
    """ASGI middleware that refuses requests for other hosts or unknown paths, and adds security headers to answers."""

    def __init__(self, app: ASGIApp):
        self._app, self._paths, self._scripts = app, Paths(), _scripts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, is_websocket = Headers(scope=scope), scope["type"] == "websocket"
        app = self._app
        if is_refused(headers, is_websocket):
            app = PlainTextResponse(REFUSED, 421)
        elif not self._paths.lead_to(scope["path"]):
            app = PlainTextResponse(NOT_FOUND, 404)
        if is_websocket and app is not self._app:
            await WebSocket(scope, receive, send).send_denial_response(app)
            return
        if is_websocket and "origin" in headers and "host" in headers:
            # Streamlit does not know the names in ROUTESCOPE_HOSTS and would refuse their origin.
            MutableHeaders(scope=scope)["origin"] = f"http://{headers['host']}"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(MutableHeaders(scope=message), headers, scope)
            await send(message)

        await app(scope, receive, send if is_websocket else send_with_headers)

    def _add_headers(self, answer: MutableHeaders, request: Headers, scope: Scope) -> None:
        """Add the security headers to an answer, and restrict its cookies."""
        host, frames = request.get("host"), os.environ.get(FRAMES)
        additions = {"script-src": self._scripts, "frame-ancestors": frames}
        if host and is_own(host):
            additions["connect-src"] = f"ws://{host} wss://{host}"  # some browsers do not include them in 'self'
        directives = ((name, sources, additions.get(name)) for name, sources in POLICY.items())
        policy = "; ".join(" ".join(filter(None, parts)) for parts in directives)
        answer.update(HEADERS)
        answer.setdefault("Content-Security-Policy", policy)  # an answer may have a policy of its own
        if not frames:
            answer["X-Frame-Options"] = "SAMEORIGIN"
        is_encrypted = "https" in (scope["scheme"], request.get("x-forwarded-proto"))
        cookies = answer.getlist("set-cookie")
        del answer["set-cookie"]
        for cookie in cookies:
            answer.append("set-cookie", _restrict_cookie(cookie, is_encrypted))


def _restrict_cookie(cookie: str, is_encrypted: bool) -> str:
    """Restrict a cookie to this site, and to TLS if the request came over TLS."""
    attributes = {part.strip().partition("=")[0].lower() for part in cookie.split(";")}
    if "samesite" not in attributes:
        cookie += "; SameSite=Lax"
    return cookie + "; Secure" if is_encrypted and "secure" not in attributes else cookie


def _scripts() -> str:
    """The hashes of the scripts in Streamlit's own page, for the policy."""
    page = Path(get_static_dir(), "index.html").read_bytes()
    hashes = (
        b64encode(sha256(script).digest()).decode() for script in re.findall(b"<script>(.*?)</script>", page, re.S)
    )
    return " ".join(f"'sha256-{digest}'" for digest in hashes)
