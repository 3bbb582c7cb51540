"""Parses: dependencies by spaCy, constituents by benepar or by rules."""
