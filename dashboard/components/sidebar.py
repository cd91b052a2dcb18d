"""The sidebar of a narrow window, which closes when a page is chosen."""

from dashboard.components.component import Component

_sidebar = Component("sidebar", follows=False)


def close_when_chosen() -> None:
    """Close the sidebar of a narrow window when a page is chosen."""
    _sidebar(key="sidebar")
