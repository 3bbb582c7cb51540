"""GEMBA: a language model marks errors or gives a score."""
