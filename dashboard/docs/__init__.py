"""The documentation: its pages in Markdown, the command that makes a site of them, and the page of each screen."""
