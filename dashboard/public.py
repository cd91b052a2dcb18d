"""Private and public servers: on a private one the user has the owner's rights, on a public one visitors have none."""

import os
from ipaddress import ip_address

from streamlit.config import get_option

VARIABLE = "ROUTESCOPE_PUBLIC"  # 1 makes the server public, 0 private


def is_public() -> bool:
    """Whether visitors may use this server but not change it.

    ``ROUTESCOPE_PUBLIC`` decides. If it is not set, a server is public when it listens at an address that other
    machines can reach.
    """
    setting = os.environ.get(VARIABLE, "").strip()
    return setting != "0" if setting else not is_loopback(get_option("server.address") or "")


def check_owner() -> None:
    """Raise ValueError on a public server. Called before anything that only the owner may do."""
    if is_public():
        raise ValueError("This server is public: visitors cannot save, fetch or delete anything on it.")


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"
