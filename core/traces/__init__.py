"""Traces, one file for each family of networks: the fields, how a run fills them, and a summary in words.

No file imports PyTorch at the top, so that stored traces can be read without it.
"""

from importlib import import_module
from pkgutil import iter_modules

from core.added import import_added

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
import_added("trace")
