"""Token vectors: the built-in encoder and any transformers model."""
