"""Measurements over whole splits, kept beside a checkpoint's weights for the dashboard.

Importing ``core.measured.store`` imports no PyTorch; measuring does.
"""
