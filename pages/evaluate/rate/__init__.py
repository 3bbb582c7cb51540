"""The rating page and its parts."""
