"""The version of Routescope, in a module of its own, so that what ``core`` loads when asked can import it."""

__version__ = "0.1.0"
