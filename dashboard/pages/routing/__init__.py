"""The Routing page."""
