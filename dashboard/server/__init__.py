"""The server: starts the dashboard, and sees every request before a page runs."""
