"""What a session owns, and the turns that sessions take. A session's things end with it."""
