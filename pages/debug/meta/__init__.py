"""Metrics against people: the page and its tabs."""
