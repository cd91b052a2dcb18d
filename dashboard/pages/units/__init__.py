"""The page Units, on what the units inside a network take and do."""
