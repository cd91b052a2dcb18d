"""The AGT page."""
