"""The hack lab and its parts."""
