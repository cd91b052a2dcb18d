"""Pure functions on arrays that compute quantities from a trace."""
