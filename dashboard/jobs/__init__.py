"""Work that outlasts a run of a page: background processes, and saving, fetching and packing models."""
