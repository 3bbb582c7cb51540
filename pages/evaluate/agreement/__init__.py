"""The agreement page and its tabs."""
