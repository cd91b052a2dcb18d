"""python -m dashboard.serve --replicas N: the dashboard for more users than one process serves.

N servers and, in front of them, HAProxy at one address. A cookie keeps each user at one server, which holds the session
and its uploads. A server that dies is started again; its users go on at another one.
"""

import argparse
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from streamlit.config import get_option

ROOT = Path(__file__).parents[1]
MISSING = "HAProxy is not installed: apt-get install haproxy (on macOS: brew install haproxy)"
PATIENCE = 120  # seconds for a server to start
STABLE = 20  # seconds; a server that lives shorter than that, several times running, is not started again
TRIES = 3
CONFIG = """
global
    maxconn 4096
defaults
    mode http
    option redispatch
    retries 3
    timeout connect 5s
    timeout http-request 30s
    timeout client 1h
    timeout server 1h
    timeout tunnel 24h
frontend dashboard
    bind {address}:{port}
    default_backend replicas
backend replicas
    balance leastconn
    cookie routescope_replica insert indirect nocache httponly
    option httpchk GET {health}
    default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


def base_path() -> str:
    """The path that every address of the dashboard begins with, such as "/demo"; "" unless Streamlit is given one."""
    path = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH") or get_option("server.baseUrlPath")
    return f"/{path.strip('/')}".rstrip("/")


def health_path() -> str:
    """The path at which a server answers that it is well."""
    return f"{base_path()}/_stcore/health"


class Replica:
    """One server of the dashboard."""

    def __init__(self, port: int, secret: str):
        self.port, self._secret = port, secret
        self._deaths = 0
        self.start()

    def start(self) -> None:
        options = {"port": self.port, "address": "127.0.0.1", "headless": "true"}
        flags = [part for name, value in options.items() for part in (f"--server.{name}", str(value))]
        shared = {"STREAMLIT_SERVER_COOKIE_SECRET": self._secret, "OMP_NUM_THREADS": "1"}
        self._since = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", *flags],
            cwd=ROOT,
            env=os.environ | shared,
            stdout=subprocess.DEVNULL,  # its own address is nobody's business
        )

    @property
    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{health_path()}", timeout=1):
                return True
        except OSError:
            return False

    def keep_alive(self) -> None:
        """Start it again where it has ended.

        Raises:
            RuntimeError: it ends again and again.
        """
        if self.process.poll() is None:
            return
        self._deaths = self._deaths + 1 if time.monotonic() - self._since < STABLE else 1
        if self._deaths == TRIES:
            raise RuntimeError(f"a server ended {TRIES} times running, with exit code {self.process.returncode}")
        print(f"A server ended with exit code {self.process.returncode}: it is started again.", flush=True)
        self.start()


def serve(n: int, address: str, port: int) -> None:
    """Run until interrupted.

    Raises:
        RuntimeError: HAProxy is missing or cannot start, or a server cannot.
    """
    haproxy = shutil.which("haproxy")
    if haproxy is None:
        raise RuntimeError(MISSING)
    secret = secrets.token_hex(32)  # one for all, so that a user may go on at another server
    replicas = [Replica(free, secret) for free in _free_ports(n)]
    proxy = None
    try:
        _wait_for(replicas)
        lines = (f"    server replica{k} 127.0.0.1:{r.port} cookie {k}" for k, r in enumerate(replicas, 1))
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as config:
            servers = "\n".join(lines)
            config.write(CONFIG.format(address=address, port=port, health=health_path(), servers=servers))
            config.flush()
            proxy = subprocess.Popen([haproxy, "-q", "-db", "-f", config.name], stderr=subprocess.PIPE, text=True)
            at = f"http://{address}:{port}{base_path()}"
            print(f"Routescope is at {at}, with {n} server{'s' * (n != 1)}.", flush=True)
            while proxy.poll() is None:
                for replica in replicas:
                    replica.keep_alive()
                time.sleep(0.2)
            raise RuntimeError(f"HAProxy ended: {(proxy.stderr.read() if proxy.stderr else '').strip()}")
    finally:
        _stop([*(replica.process for replica in replicas), *([proxy] if proxy else [])])


def _wait_for(replicas: list[Replica]) -> None:
    until = time.monotonic() + PATIENCE
    while not all(replica.answers for replica in replicas):
        if time.monotonic() > until or any(replica.process.poll() is not None for replica in replicas):
            raise RuntimeError("a server did not start")
        time.sleep(0.1)


def _stop(processes: list[subprocess.Popen]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_ports(n: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def main(arguments: list[str] | None = None) -> int:
    """0 once it was interrupted, or 2 after one clear line."""
    parser = argparse.ArgumentParser(prog="python -m dashboard.serve", description=__doc__)
    parser.add_argument(
        "--replicas", type=int, default=os.cpu_count() or 1, metavar="N", help="as many as cores unless given"
    )
    parser.add_argument("--address", default="localhost", help="localhost unless given: this machine alone")
    parser.add_argument("--port", type=int, default=8501, help="8501 unless given")
    args = parser.parse_args(arguments)
    if args.replicas < 1:
        parser.error(f"--replicas is {args.replicas}, wanted at least 1")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        serve(args.replicas, args.address, args.port)
    except KeyboardInterrupt:
        return 0
    except (RuntimeError, OSError) as error:
        print(f"dashboard.serve: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
