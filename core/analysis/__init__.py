"""What can be read off a trace: pure functions on arrays."""
