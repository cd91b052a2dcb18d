"""The command routescope: opens the dashboard, or runs a command of the models."""

import re
import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Run the command line and return the exit code."""
    arguments = sys.argv[1:]
    if not arguments or re.match(r"--\w+\.", arguments[0]):  # an option of Streamlit, such as --server.port
        from streamlit.web.cli import main as streamlit

        return streamlit(["run", str(HERE / "streamlit_app.py"), *arguments])
    command = arguments[0]
    if command == "serve":
        module = "dashboard.serve"
    elif (HERE / "core" / command.replace(".", "/") / "__main__.py").is_file():
        module = f"core.{command}.__main__"
    else:
        return import_module("routescope.core.__main__").main(arguments)
    return import_module(f"routescope.{module}").main(arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
