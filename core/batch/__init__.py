"""Runs many texts through a model: a file of texts in, one Parquet row per text out (``python -m core batch``)."""
