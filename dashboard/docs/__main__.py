"""python -m dashboard.docs: build the documentation as a site.

The dashboard shows the site at /docs. Without --out it is built where the dashboard looks for it: in the folder that
ROUTESCOPE_DOCS names, or in one in the user's cache directory.
"""

import argparse
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from core import cli


def main(arguments: list[str] | None = None) -> int:
    """Build the site and return the exit code: 0, or 2 after one line that says what failed."""
    parser = argparse.ArgumentParser(
        prog="python -m dashboard.docs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="folder of the site")
    help = "then show the site at http://localhost:PORT until Ctrl-C (default: 8000)"
    parser.add_argument("--serve", type=int, nargs="?", const=8000, metavar="PORT", help=help)
    return cli.run(parser, _build, arguments)


def _build(args: argparse.Namespace) -> None:
    from dashboard.docs.build import build  # here, so that --help does not wait for PyTorch
    from dashboard.docs.contents import site_folder

    out = args.out or site_folder()
    build(out, lambda line: print(line, file=sys.stderr))
    print(f"The documentation is in {out}: open index.html (only a server, such as --serve, can search)")
    if args.serve is not None:
        handler = partial(SimpleHTTPRequestHandler, directory=str(out))
        with ThreadingHTTPServer(("localhost", args.serve), handler) as server:
            print(f"Showing it at http://localhost:{args.serve}", flush=True)
            server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
