"""The page Claims, which the address calls ledger."""
