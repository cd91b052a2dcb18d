"""The smallNORB page."""
