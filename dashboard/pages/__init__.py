"""The pages, one per folder: page.py follows the order of the screen, and its sections are next to it."""
