"""A flag that is set while the server loads PyTorch. The first run of a text reads it."""

from threading import Event

LOADING = Event()
