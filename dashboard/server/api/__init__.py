"""The interface for programs below /api."""
