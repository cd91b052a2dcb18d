"""Measurements over whole splits, kept next to a checkpoint's weights for the dashboard.

Importing ``core.measured.store`` imports no PyTorch; measuring does.
"""
