"""The page Ledger, on the claims of the papers."""
