"""Many texts through a model: a file of texts in, one Parquet row a text out. ``python -m core batch`` runs it."""
