"""Going from page to page: the sidebar of a narrow window closes, and one step back leaves a page."""

from dashboard.components.component import Component

_navigation = Component("navigation", follows=False)


def ease_navigation() -> None:
    """Close the sidebar of a narrow window when a page is chosen, and give each page one step in the history."""
    _navigation(key="navigation")
