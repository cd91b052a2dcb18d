"""One screen a folder: page.py in the order of the screen, its sections beside it."""
