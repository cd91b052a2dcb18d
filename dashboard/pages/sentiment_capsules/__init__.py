"""The EM routing page."""
