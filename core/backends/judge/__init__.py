"""Language models that are asked over HTTP, and their stored replies."""
