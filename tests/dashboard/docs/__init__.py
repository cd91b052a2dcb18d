"""The documentation: its pages, the site, and the pages that a dashboard shows."""
