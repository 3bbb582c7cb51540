"""Settings grids: a metric under every combination of some options' values, each cell against people."""
