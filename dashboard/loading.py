"""Whether PyTorch is still being loaded: set by the server as it starts, read by the first run of a text."""

from threading import Event

LOADING = Event()
