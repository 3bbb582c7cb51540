"""Statistics that people's and metrics' scores share: estimates with intervals, the bootstrap."""
