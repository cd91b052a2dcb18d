"""python -m dashboard.serve --replicas N: start the dashboard for more users than one process can serve.

Starts N servers behind HAProxy, at one address. A cookie keeps each user at one server, which holds the session and its
uploads. A server that dies is restarted; its users continue at another one.
"""

import argparse
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from core.files import cache_folder
from dashboard.public import VARIABLE
from dashboard.server.children import Child, RestartedChild, stop
from dashboard.server.log import Log, say
from dashboard.server.proxy import address_of, base_path, config, health_path, listen

MISSING = "HAProxy is not installed: apt-get install haproxy (on macOS: brew install haproxy)"
PUBLIC = f"Visitors cannot save anything on this server. With {VARIABLE}=0 in its environment they can."
PATIENCE = 120  # seconds for the servers to start
SIGNALS = ("SIGHUP", "SIGINT", "SIGTERM")
received: list[str] = []  # names of the signals that came


class Ended(Exception):
    """A signal ended the server; its name is the message."""


def serve(n: int, address: str, port: int, path: Path) -> None:
    """Run the servers and HAProxy until a signal comes.

    Args:
        n: number of servers.
        address, port: address and port to listen at.
        path: path of the log.

    Raises:
        RuntimeError: HAProxy is missing, the port is not free, the log cannot be written, or one of the programs has
            ended.
    """
    haproxy = shutil.which("haproxy")
    if haproxy is None:
        raise RuntimeError(MISSING)
    replicas: list[RestartedChild] = []
    proxy: list[Child] = []

    def children() -> list[Child]:
        return [*(replica.child for replica in replicas), *proxy]

    with ExitStack() as cleanup:
        sockets = [cleanup.enter_context(listener) for listener in listen(address, port)]
        log = cleanup.enter_context(closing(_open_log(path)))
        cleanup.callback(lambda: stop(children()))
        say(f"The servers write to {path}.")
        variables = _variables()
        ports = _free_ports(n)
        for k, replica_port in enumerate(ports, 1):
            replicas.append(
                RestartedChild(partial(Child, f"Server {k}", _server_command(address, replica_port), log, **variables))
            )
        _wait_for([f"http://127.0.0.1:{replica_port}{health_path()}" for replica_port in ports], children())
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
            file.write(config(sockets, ports))
            file.flush()
            command = [haproxy, "-db", "-f", file.name]
            proxy.append(Child("HAProxy", command, log, [listener.fileno() for listener in sockets]))
            for listener in sockets:
                listener.close()
            url = address_of(address, port)
            _wait_for([f"{url}{health_path()}"], children())
        say(f"Routescope is at {url}{base_path()}, with {n} server{'s' * (n != 1)}.")
        if variables[VARIABLE] != "0":
            say(PUBLIC)
        while proxy[0].runs:
            _end_if_asked()
            for replica in replicas:
                replica.keep_alive()
            time.sleep(0.2)
        _end_if_asked()  # a signal from the keyboard ends HAProxy, too
        raise RuntimeError(proxy[0].end)


def _open_log(path: Path) -> Log:
    try:
        return Log(path)
    except OSError as error:
        raise RuntimeError(f"the log {path} cannot be written: {error.strerror}; --log FILE takes another") from None


def _server_command(address: str, port: int) -> list[str]:
    """The command line of one server. address: host name that it answers to."""
    options = {"server.port": port, "server.address": "127.0.0.1", "server.headless": "true"}
    options["browser.serverAddress"] = address
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return [sys.executable, "-m", "dashboard.server.replica", "run", "streamlit_app.py", *flags]


def _variables() -> dict[str, str]:
    """Environment variables of every server. The owner's setting of visitors' rights is kept."""
    return {
        "STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32),  # shared, so that users can continue at another server
        "OMP_NUM_THREADS": "1",
        VARIABLE: os.environ.get(VARIABLE, "").strip() or "1",
    }


def _wait_for(urls: list[str], children: list[Child]) -> None:
    """Wait until all addresses answer.

    Raises:
        RuntimeError: one of the children has ended, or an address does not answer in time.
    """
    until = time.monotonic() + PATIENCE
    while not all(map(_answers, urls)):
        _end_if_asked()
        for child in children:
            if not child.runs:
                raise RuntimeError(child.end)
        if time.monotonic() > until:
            raise RuntimeError(f"a server does not answer after {PATIENCE} s")
        time.sleep(0.1)


def _answers(url: str) -> bool:
    """Whether a server answers at an address."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"Host": "localhost"}), timeout=1):
            return True
    except OSError:
        return False


def _free_ports(n: int) -> list[int]:
    """Ports that no program uses now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def _remember(number: int, _: object) -> None:
    """Handle a signal. An exception from here would end in whatever code runs now, which may swallow it."""
    received.append(signal.Signals(number).name)


def _end_if_asked() -> None:
    """Raise ``Ended`` if a signal came."""
    if received:
        raise Ended(received[0])


def main(arguments: list[str] | None = None) -> int:
    """Serve and return the exit code: 0 after a signal, or 2 after one line that says what failed."""
    parser = argparse.ArgumentParser(prog="python -m dashboard.serve", description=__doc__)
    help = "number of servers (default: one per core)"
    parser.add_argument("--replicas", type=int, default=os.cpu_count() or 1, metavar="N", help=help)
    help = "address to listen at (default: localhost, which only this machine can reach)"
    parser.add_argument("--address", default="localhost", help=help)
    parser.add_argument("--port", type=int, default=8501, help="port to listen at (default: 8501)")
    help = "file of the log (default: a file in the user's cache folder)"
    parser.add_argument("--log", type=Path, metavar="FILE", help=help)
    args = parser.parse_args(arguments)
    if args.replicas < 1:
        parser.error(f"--replicas is {args.replicas}, wanted at least 1")
    if not 0 < args.port < 2**16:
        parser.error(f"--port is {args.port}, wanted 1 to {2**16 - 1}")
    for name in SIGNALS:
        if signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:  # nohup ignores SIGHUP, so keep that
            signal.signal(getattr(signal, name), _remember)
    try:
        serve(args.replicas, args.address, args.port, args.log or cache_folder() / f"serve-{args.port}.log")
    except Ended as ended:
        say(f"Ended by {ended}.")
    except (RuntimeError, OSError) as error:
        print(f"{parser.prog.removeprefix('python -m ')}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
