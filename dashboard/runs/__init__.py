"""Cached functions, the only ones in the dashboard. They import PyTorch when called, so that the first page is fast."""
