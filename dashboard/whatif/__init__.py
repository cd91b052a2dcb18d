"""The tab What if: offers edits, keeps them, and applies them."""
