"""The page on which organisers make and run campaigns, and its parts."""
