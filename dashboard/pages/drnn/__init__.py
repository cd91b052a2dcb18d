"""The DRNN page."""
