"""What the server does before a page is run."""
