"""Whose server this is: one on its owner's machine, or a public one, over which its visitors have no rights."""

import os
from ipaddress import ip_address

from streamlit.config import get_option

VARIABLE = "ROUTESCOPE_PUBLIC"  # 1 makes the server public, 0 leaves it its owner's


def is_public() -> bool:
    """Whether visitors may use this server but not change it.

    ``ROUTESCOPE_PUBLIC`` decides. Unless it is set, a server is public when it listens at another address than that of
    its own machine.
    """
    setting = os.environ.get(VARIABLE, "").strip()
    return setting != "0" if setting else not is_loopback(get_option("server.address") or "")


def check_owner() -> None:
    """Raise ValueError on a public server, where what follows is its owner's business."""
    if is_public():
        raise ValueError("This server is public: visitors cannot save, fetch or delete anything on it.")


def is_loopback(address: str) -> bool:
    """Whether only its own machine reaches an address."""
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"
