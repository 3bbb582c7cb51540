"""Texts and text files: encodings, languages, Japanese spelling, HTML."""
