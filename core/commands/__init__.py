"""The commands of ``python -m core``, one per module: ``add_parser`` describes its options, ``run`` does its work.

PyTorch takes seconds to import and ``models`` does not need it, so modules that import it are imported where used.
"""
