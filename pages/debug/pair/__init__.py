"""The page of one pair."""
