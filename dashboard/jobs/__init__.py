"""What users start and what outlasts a run of a page: background processes, saving, fetching and packing models."""
