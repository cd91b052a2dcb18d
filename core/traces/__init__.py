"""Traces, a file for each family of networks: the fields, how a run fills them, and their summary in words.

No file imports PyTorch on top: a stored trace is read without it.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
