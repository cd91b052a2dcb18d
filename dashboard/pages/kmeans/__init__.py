"""The k-means page."""
