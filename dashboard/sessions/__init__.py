"""Things that a session owns, which end with it, and the turns that sessions take."""
