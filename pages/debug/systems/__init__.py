"""The page of systems and its parts."""
